import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { changesBetween } from "../../../lib/server/features/coediting/text_changes.ts";
import { Editor } from "../../support/clients/coediting.ts";
import { startApp } from "../../support/server/app.ts";

const app = await startApp({ tree: {} });
Deno.test.afterAll(app.close);
Deno.test.afterEach(async () => {
  await app.cubby.coediting.settle();
  await Promise.all([app.cubby.audit.flush(), app.cubby.notifications.flush()]);
});
const { url } = app.listen();
const token = await app.tokenOf("admin");

const lines = fc.array(fc.constantFrom("a\n", "b\n", "ab\n", "\n", "😀\n", "c"), { maxLength: 12 })
  .map((parts) => parts.join(""));

Deno.test("changesBetween() makes one text of the other, whatever they are", () => {
  fc.assert(fc.property(lines, lines, (former, next) => {
    let text = former;
    for (const { at, removed, inserted } of changesBetween(former, next).reverse()) {
      text = text.slice(0, at) + inserted + text.slice(at + removed);
    }
    assert.equal(text, next);
  }));
});

Deno.test("changesBetween() takes no longer than the texts are long, in whatever order", () => {
  const all = Array.from({ length: 60_000 }, (_, line) => `line ${line}\n`);
  const start = performance.now();
  changesBetween(all.join(""), all.toReversed().join(""));
  changesBetween(all.join(""), all.map((line) => line.toUpperCase()).join(""));
  changesBetween("a\n".repeat(60_000), "b\na\n".repeat(60_000));
  assert.ok(performance.now() - start < 5_000);
});

type Step = { kind: "type" | "remove" | "disk" | "offline"; who: number; at: number; text: string };

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom("type", "type", "type", "remove", "disk", "offline"),
    who: fc.nat(2),
    at: fc.nat(40),
    text: fc.constantFrom("x", "yz", "\n", "ä😀", "line\n"),
  }),
  { minLength: 4, maxLength: 14 },
) as fc.Arbitrary<Step[]>;

let names = 0;

/** Three pages and the disk, through some steps, until all have the same text. */
async function converge(steps: readonly Step[]): Promise<void> {
  const name = `run${names++}.txt`;
  const path = join(app.root, name);
  await Deno.writeTextFile(path, "one\ntwo\nthree\n");
  const opened: Editor[] = [];
  const connect = (more = {}) => {
    const page = new Editor({ url, address: `coediting/${name}`, token, ...more });
    opened.push(page);
    return page;
  };
  try {
    const pages = [connect(), connect(), connect()];
    await Promise.all(pages.map((page) => page.synced()));
    const document = pages[0]?.saved?.document ?? "";
    for (const { kind, who, at, text } of steps) {
      const page = pages[who];
      if (!page) continue;
      const place = Math.min(at, page.text.length);
      if (kind === "type") page.type(text, place);
      else if (kind === "remove") page.remove(place, Math.min(2, page.text.length - place));
      else if (kind === "disk") {
        await Deno.writeTextFile(path, await Deno.readTextFile(path) + text);
      } else if (page.code === null) await page.leave();
      else pages[who] = connect({ doc: page.doc, query: { document } });
    }
    const all = await Promise.all(pages.map(async (page) => {
      if (page.isOpen) return page;
      await page.leave();
      const again = connect({ doc: page.doc, query: { document } });
      await again.synced();
      return again;
    }));
    await Promise.all(all.map((page) => page.allKept()));
    await all[0]?.until("converged", () => {
      const onDisk = Deno.readTextFileSync(path);
      return all.every(({ text }) => text === onDisk);
    });
  } finally {
    for (const page of opened) await page[Symbol.asyncDispose]();
  }
}

Deno.test("pages and the disk converge, whoever writes what and is offline when", async () => {
  // As many texts at once as one user may have open.
  const many = fc.array(steps, { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(many, async (all) => void await Promise.all(all.map(converge))),
    { numRuns: 3 },
  );
});
