// With two threads, too: cached names of files that change.
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { startApp } from "../../support/server/app.ts";
import { plant } from "../../support/disks/files.ts";
import { doStep, linesOf, type ModelFolder, type Step } from "../../support/disks/model.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({
  tree: { home: {}, other: { a: { "b.x": "SECRET" }, "c.x": "SECRET TOO" } },
});
Deno.test.afterAll(app.close);
const home = join(app.root, "home");
const other = join(app.root, "other");
const { token } = await app.addUser("ann", { scope: "/home" });
const guard = deny("/a/guarded");
const { token: guarded } = await app.addUser("gus", { scope: "/home", rules: [guard] });

/** Few names, so that random paths meet each other. */
const name = fc.constantFrom("a", "b", "c.x", "d");
const path = fc.array(name, { minLength: 1, maxLength: 3 });
let contents = 0;
/** No two uploads have the same content, so that none is mistaken for another. */
const content = fc.constant(0).map(() => `content ${++contents}`);
const flag = fc.boolean();
const transferred = { from: path, to: path, override: flag, rename: flag };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ call: fc.constant("upload" as const), to: path, content, override: flag }),
  fc.record({ call: fc.constant("upload" as const), to: path, content, override: flag }),
  fc.record({ call: fc.constantFrom("make" as const, "delete" as const), to: path }),
  fc.record({ call: fc.constant("save" as const), to: path, content }),
  fc.record({ call: fc.constantFrom("copy" as const, "move" as const), ...transferred }),
  fc.record({ call: fc.constantFrom("copy" as const, "move" as const), ...transferred }),
  fc.record({ call: fc.constantFrom("copy" as const, "move" as const), ...transferred }),
);
const steps = fc.array(step, { minLength: 4, maxLength: 16 });

/** Starts from the same tree each time, with something in it for steps to meet. */
async function reset(): Promise<void> {
  for (const { name } of [...Deno.readDirSync(home)]) {
    await Deno.remove(join(home, name), { recursive: true });
  }
  await plant(home, { a: { b: { "c.x": "1" }, "c.x": "2" }, b: { b: {}, "c.x": "3" }, d: "4" });
}

function modelOf(folder: string): ModelFolder {
  const entries = [...Deno.readDirSync(folder)].map(({ name, isDirectory, isSymlink }) => {
    const path = join(folder, name);
    if (isSymlink) return [name, `-> ${Deno.readLinkSync(path)}`] as const;
    return [name, isDirectory ? modelOf(path) : Deno.readTextFileSync(path)] as const;
  });
  return new Map<string, string | ModelFolder>(entries);
}

async function ask(step: Step, as: string): Promise<number> {
  const address = (path: string[]) => `/api/resources/${path.map(encodeURIComponent).join("/")}`;
  const send = async (method: string, url: string, body?: string) => {
    const answer = await app.call(method, url, { token: as, body });
    await answer.body?.cancel();
    return answer.status;
  };
  switch (step.call) {
    case "upload":
      return await send("POST", `${address(step.to)}?override=${step.override}`, step.content);
    case "make":
      return await send("POST", `${address(step.to)}/`);
    case "save":
      return await send("PUT", address(step.to), step.content);
    case "delete":
      return await send("DELETE", address(step.to));
    default: {
      const query = new URLSearchParams({
        action: step.call,
        destination: `/${step.to.join("/")}`,
        override: String(step.override),
        rename: String(step.rename),
      });
      return await send("PATCH", `${address(step.from)}?${query}`);
    }
  }
}

const outside = linesOf(modelOf(other));
const seed = Number(Deno.env.get("FUZZ_SEED")) || undefined;

Deno.test("whatever is done, the files are what they should be, and nothing else is touched", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      await reset();
      const model = modelOf(home);
      for (const step of steps) {
        const wanted = doStep(model, step);
        assert.equal(await ask(step, token), wanted, JSON.stringify(step));
        assert.deepEqual(linesOf(modelOf(home)), linesOf(model), JSON.stringify(step));
      }
      assert.deepEqual(linesOf(modelOf(other)), outside);
    }),
    { numRuns: 40, seed },
  );
});

/** Where links point to: up, down, out, through each other, nowhere. */
const link = fc.record({
  at: path,
  to: fc.constantFrom("..", "../..", "../../other", "a", "../a", "b/c.x", "none", "/", other),
});

/** The contents that a step may do away with: those it was told to delete or to replace. */
function isAskedFor(line: string, step: Step): boolean {
  const isBelow = (path: string[]) => `${line.split(": ")[0]}/`.startsWith(`/${path.join("/")}/`);
  if (step.call === "delete" || step.call === "save") return isBelow(step.to);
  return "override" in step && step.override && isBelow(step.to);
}

/** The files at their paths; a link counts by what it says. */
const filesOf = (lines: string[]) => lines.filter((line) => !line.endsWith("/"));
const textOf = (line: string) => line.slice(line.indexOf(": "));

Deno.test("among links and rules, no byte is lost that was not asked to be", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(link, { maxLength: 6 }), steps, async (links, steps) => {
      await reset();
      await plant(join(home, "a"), { guarded: { "c.x": "GUARDED" } });
      for (const { at, to } of links) tryTo(() => plantLink(to, at));
      let before = linesOf(modelOf(home));
      for (const step of steps) {
        const told = `${JSON.stringify(links)} ${JSON.stringify(step)}`;
        const status = await ask(step, guarded);
        const after = linesOf(modelOf(home));
        assert(status === 200 || [400, 403, 404, 409].includes(status), `${status} ${told}`);
        if (status !== 200) assert.deepEqual(after, before, told);
        assert.deepEqual(linesOf(modelOf(other)), outside, told);
        assert(after.includes("/a/guarded/c.x: GUARDED"), told);
        assert(after.every((line) => !line.includes(".cubby-upload-")), told);
        const left = new Set(filesOf(after).map(textOf));
        for (const line of filesOf(before)) {
          // Through links, what a path names lies elsewhere: only what no link leads to is judged.
          const isJudged = links.length === 0 || !["save", "upload"].includes(step.call);
          const isLost = !left.has(textOf(line));
          if (isJudged && isLost && !isThroughLink(before, step)) {
            assert(isAskedFor(line, step), `${line} is lost by ${told}`);
          }
        }
        before = after;
      }
    }),
    { numRuns: 40, seed },
  );
});

function isThroughLink(lines: string[], step: Step): boolean {
  const linked = lines.filter((line) => line.includes(": -> ")).map((line) => line.split(": ")[0]);
  const paths = "from" in step ? [step.from, step.to] : [step.to];
  return paths.some((path) =>
    path.some((_, count) => linked.includes(`/${path.slice(0, count + 1).join("/")}`))
  );
}

/** Never through a link that was planted before. */
function plantLink(target: string, path: string[]): void {
  const folder = join(home, ...path.slice(0, -1));
  if (Deno.realPathSync(folder) === folder) Deno.symlinkSync(target, join(home, ...path));
}

function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // Another random entry is in the way, or there is no such folder.
  }
}
