import assert from "node:assert/strict";
import fc from "fast-check";
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

Deno.test("LruCache keeps the order of use through any reads, writes and deletions", () => {
  const key = fc.constantFrom("a", "b", "c", "d");
  const steps = fc.array(fc.tuple(fc.constantFrom("get", "set", "delete"), key), { maxLength: 40 });
  fc.assert(fc.property(steps, (all) => {
    const cache = new LruCache<string, number>(3);
    let expected: [string, number][] = [];
    for (const [index, [step, name]] of all.entries()) {
      const found = expected.find(([each]) => each === name);
      const others = expected.filter((each) => each !== found);
      if (step === "get") {
        assert.equal(cache.get(name), found?.[1]);
        expected = found ? [...others, found] : others;
      } else if (step === "set") {
        cache.set(name, index);
        expected = [...others, [name, index] as [string, number]].slice(-3);
      } else {
        cache.delete(name);
        expected = others;
      }
      assert.deepEqual([...cache], expected);
    }
  }));
});
