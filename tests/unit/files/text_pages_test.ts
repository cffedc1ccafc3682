import assert from "node:assert/strict";
import { TextPages } from "../../../lib/server/files/listing/text_pages.ts";

async function written(...texts: string[]) {
  const pages = new TextPages();
  for (const text of texts) pages.add(text);
  const all = pages.end();
  return { text: await new Response(new Blob(all)).text(), count: all.length };
}

Deno.test("a short text is one page", async () => {
  assert.deepEqual(await written("", "a", "ä€😀"), { text: "aä€😀", count: 1 });
});

Deno.test("a long text comes in pages, and no character is cut at their ends", async () => {
  for (const shift of ["", "a", "aa", "aaa"]) {
    const text = shift + "😀".repeat(40_000);
    assert.deepEqual(await written(text), { text, count: 3 });
  }
});
