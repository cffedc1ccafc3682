import assert from "node:assert/strict";
import { pageStream } from "../../../lib/server/http/response/page_stream.ts";

const pages = () => [new Uint8Array([1, 2, 3]), new Uint8Array([4]), new Uint8Array([5, 6])];

Deno.test("pages arrive whole and in order, and are freed as they leave", async () => {
  const given = pages();
  const all = [...given];
  const read: number[] = [];
  for await (const page of pageStream(given)) {
    read.push(...page);
    assert.equal(all.filter(({ length }) => length === 0).length, all.indexOf(page));
  }
  assert.deepEqual(read, [1, 2, 3, 4, 5, 6]);
  assert(all.every(({ length }) => length === 0));
});

Deno.test("pages that nobody wants any more are freed", async () => {
  const given = pages();
  const all = [...given];
  const reader = pageStream(given).getReader();
  await reader.read();
  await reader.cancel();
  assert(all.every(({ length }) => length === 0));
});
