/** A list that is asked for without a page. */
import assert from "node:assert/strict";
import { type List, listAnswer } from "../../../../lib/server/http/request/lists/list.ts";

/** Numbers that are read one at a time, each with so long a text. */
function numbers(count: number, textLength: number) {
  const begun: number[] = [];
  const list: List<number, number> = {
    async *parts(after) {
      begun.push(Number(after ?? 0));
      for (let number = Number(after ?? 0) + 1; number <= count; number++) yield [number];
    },
    positionOf: String,
    textOf: () => "x".repeat(textLength),
    show: (some) => [...some],
  };
  return { list, begun };
}

const ctx = { url: new URL("http://localhost/api/list") };
const all = Array.from({ length: 1_000 }, (_, at) => at + 1);

Deno.test("a whole list whose parts are small is read many parts at a time", async () => {
  const { list, begun } = numbers(1_000, 10);
  assert.deepEqual(await (await listAnswer(ctx, list)).json(), all);
  assert.ok(begun.length <= 7, `begun ${begun.length} times`);
});

Deno.test("of a whole list with long texts, few are held at a time", async () => {
  const { list, begun } = numbers(1_000, 8 * 1024);
  assert.deepEqual(await (await listAnswer(ctx, list)).json(), all);
  assert.ok(begun.length > 100, `begun ${begun.length} times`);
});
