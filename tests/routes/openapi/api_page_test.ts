import assert from "node:assert/strict";
import { errorMeanings } from "../../../lib/server/openapi/error_meanings.ts";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import { statusOf } from "../../../lib/server/openapi/statuses.ts";
import type { ApiDocument } from "../../../lib/server/openapi/types.ts";
import { startApp } from "../../support/server/app.ts";
import { callsOf } from "../../support/server/conformance.ts";
import { zipOf } from "../../support/data/hostile_archives.ts";
import { matches, readExamples } from "../../support/data/examples.ts";
import { Shell } from "../../support/data/shell.ts";

const page = await Deno.readTextFile(new URL("../../../docs/api.md", import.meta.url));
/** A picture of one pixel. */
const logo =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const app = await startApp({
  config: { metricsToken: "a-token-for-scrapes" },
  tree: {
    photos: { "sea.jpg": "not really a picture", "sky, blue.jpg": "nor is this" },
    "film.srt": "1\n00:00:01,000 --> 00:00:02,500\nThe sea!\n",
    "logo.png": Uint8Array.fromBase64(logo),
    "notes.txt": "Buy milk\n",
    "trip.zip": zipOf([{ name: "photos/sea.jpg", content: "sea" }]),
  },
});
Deno.test.afterAll(app.close);
const { url } = app.listen();

Deno.test("the page has a section for every call", async () => {
  const answer = await app.call("GET", "/api/openapi.json");
  const document: ApiDocument = await answer.json();
  for (const { method, path } of callsOf(document)) {
    const heading = new RegExp(
      `^###? .*\`${method.toUpperCase()} ${path.replace(/[{}]/g, "\\$&")}`,
      "m",
    );
    assert.match(page, heading);
  }
});

Deno.test("the page tells of every code with its status and its meaning", () => {
  const rows = page.replace(/ +\|/g, " |").split("\n");
  for (const [code, meaning] of Object.entries(errorMeanings)) {
    const row = `| ${statusOf(code as ErrorCode)} | \`${code}\` | ${meaning} |`;
    assert.ok(rows.some((each) => each.replace(/\| +/g, "| ") === row), row);
  }
});

// The last one: what its calls set off may outlast them.
Deno.test("every example of the page prints what the page says", async () => {
  const shell = new Shell({ CUBBY: url });
  const examples = readExamples(page);
  assert.ok(examples.length > 20);
  for (const example of examples) {
    const printed = (await shell.run(example.command)).replaceAll(url, "http://127.0.0.1:8080");
    const told = `docs/api.md:${example.line}: ${example.command}\nprinted\n${printed}`;
    assert.ok(matches(printed, example), told);
  }
});
