import assert from "node:assert/strict";
import { clientTypes } from "../../../docs/client_types.ts";
import { findCalls } from "../../../lib/server/http/find_calls.ts";
import { errorMeanings } from "../../../lib/server/http/openapi/error_meanings.ts";
import { referencePages } from "../../../lib/server/http/openapi/reference.ts";
import { statusOf } from "../../../lib/server/http/openapi/statuses.ts";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { matches, readExamples } from "../../support/data/examples.ts";
import { zipOf } from "../../support/data/hostile_archives.ts";
import { Shell } from "../../support/data/shell.ts";
import { startApp } from "../../support/server/app.ts";

const top = new URL("../../../", import.meta.url);
const folder = new URL("docs/api/", top);
const pages = new Map<string, string>();
for (const { name } of Deno.readDirSync(folder)) {
  pages.set(name, Deno.readTextFileSync(new URL(name, folder)));
}
const calls = await findCalls(new URL("routes/", top));
const reference = referencePages(calls);
/** A picture of one pixel. */
const logo =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

for (const [name, text] of reference) {
  Deno.test(`docs/api/${name} is as the calls are declared`, () => {
    assert.ok(pages.get(name) === text, "run `deno task docs`, and look at what has changed");
  });
}

Deno.test("the types of the browser's client are as the calls are declared", async () => {
  const types = new URL("lib/client/base/api/declared_calls.d.ts", top);
  const isSame = Deno.readTextFileSync(types) === await clientTypes(calls);
  assert.ok(isSame, "run `deno task docs`, and mend the client where `deno check` fails");
});

Deno.test("every page of the reference in docs/api is made of the declarations", () => {
  const named = [...pages.keys()].filter((name) => name.startsWith("reference"));
  assert.deepEqual(named.sort(), [...reference.keys()].sort());
});

Deno.test("docs/api has one section for every call", () => {
  const headings = [...pages.values()].flatMap((page) => page.match(/^## `[A-Z]+ \/.*$/gm) ?? []);
  const expected = calls.map(({ method, path }) => `## \`${method} ${path}\``);
  assert.deepEqual(headings.sort(), expected.sort());
});

Deno.test("docs/api has a row for every error code, with its status and its meaning", () => {
  const rows = [...pages.values()].flatMap((page) => page.split("\n"));
  for (const [code, meaning] of Object.entries(errorMeanings)) {
    const row = `| ${statusOf(code as ErrorCode)} | \`${code}\` | ${meaning} |`;
    assert.equal(rows.filter((each) => each === row).length, 1, row);
  }
});

Deno.test("every link between the pages of docs/api leads to a heading", () => {
  const anchors = new Set(
    [...pages].flatMap(([name, page]) =>
      (page.match(/^#+ .*$/gm) ?? []).map((heading) => `${name}#${anchorOf(heading)}`)
    ),
  );
  for (const [name, page] of pages) {
    for (const [, file, anchor] of page.matchAll(/\]\(([\w-]*\.md)?#([\w-]+)\)/g)) {
      assert.ok(anchors.has(`${file ?? name}#${anchor}`), `${name}: ${file ?? ""}#${anchor}`);
    }
  }
});

for (const [name, page] of pages) {
  const examples = readExamples(page);
  if (examples.length === 0) continue;
  Deno.test(`every example in docs/api/${name} prints what the page says`, async () => {
    await using app = await startExampleApp();
    const { url } = app.listen();
    const shell = new Shell({ CUBBY: url });
    for (const { command } of readExamples(pages.get("README.md") ?? "")) await shell.run(command);
    for (const example of examples) {
      const printed = (await shell.run(example.command)).replaceAll(url, "http://127.0.0.1:8080");
      const at = `docs/api/${name}:${example.line}: ${example.command}\nprinted\n${printed}`;
      assert.ok(matches(printed, example), at);
    }
  });
}

/** The anchor that a heading gets on a page of Markdown. */
function anchorOf(heading: string): string {
  const text = heading.replace(/^#+ /, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return text.toLowerCase().replace(/[^\w\- ]/g, "").replaceAll(" ", "-");
}

async function startExampleApp() {
  return await startApp({
    config: { metricsToken: "a-token-for-scrapes" },
    tree: {
      photos: { "sea.jpg": "not really a picture", "sky, blue.jpg": "nor is this" },
      "film.srt": "1\n00:00:01,000 --> 00:00:02,500\nThe sea!\n",
      "logo.png": Uint8Array.fromBase64(logo),
      "notes.txt": "Buy milk\n",
      "trip.zip": zipOf([{ name: "photos/sea.jpg", content: "sea" }]),
    },
  });
}
