import assert from "node:assert/strict";
import { LruCache } from "../../../lib/shared/lru_cache.ts";

Deno.test("LruCache forgets what was used the longest ago", () => {
  const cache = new LruCache<string, number>(3);
  for (const [index, key] of ["a", "b", "c"].entries()) cache.set(key, index);
  assert.equal(cache.get("a"), 0);
  cache.set("d", 3);
  assert.equal(cache.get("b"), undefined);
  assert.deepEqual([...cache], [["c", 2], ["a", 0], ["d", 3]]);
  cache.set("c", 5);
  assert.deepEqual([...cache.get("c") === 5 ? cache : []].length, 3);
});

Deno.test("LruCache is bounded by the sum of sizes, and keeps nothing beyond it", () => {
  const cache = new LruCache<string, string>(10, (text) => text.length);
  cache.set("a", "1234");
  cache.set("b", "1234");
  cache.set("b", "12345");
  assert.equal(cache.get("a"), "1234");
  cache.set("c", "12");
  assert.deepEqual([...cache].map(([key]) => key), ["a", "c"]);
  cache.delete("a");
  cache.set("d", "12345678");
  assert.deepEqual([...cache].map(([key]) => key), ["c", "d"]);
  cache.set("e", "12345678901");
  assert.deepEqual([...cache], []);
});
