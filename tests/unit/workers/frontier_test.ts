import assert from "node:assert/strict";
import { Frontier } from "../../../lib/server/search/frontier.ts";

Deno.test("a walk visits the nearest first", () => {
  const frontier = new Frontier<string>();
  assert.equal(frontier.next(), undefined);
  frontier.add(["a", "b"]);
  assert.equal(frontier.next(), "a");
  frontier.add(["a/1", "a/2"]);
  assert.deepEqual([frontier.next(), frontier.next(), frontier.next()], ["b", "a/1", "a/2"]);
  assert.equal(frontier.next(), undefined);
  frontier.add(["c"]);
  assert.equal(frontier.next(), "c");
});

Deno.test("a walk visits each once, and in a wide tree keeps few waiting", () => {
  const frontier = new Frontier<number>();
  const seen = new Set<number>();
  let waiting = 1;
  let most = 1;
  frontier.add([0]);
  // The first 301 hold 300 each.
  for (let next = frontier.next(); next !== undefined; next = frontier.next()) {
    assert(!seen.has(next));
    seen.add(next);
    waiting--;
    if (next > 300) continue;
    const parent = next;
    const children = Array.from({ length: 300 }, (_, index) => parent * 300 + index + 1);
    frontier.add(children);
    waiting += children.length;
    most = Math.max(most, waiting);
  }
  assert.equal(seen.size, 1 + 301 * 300);
  assert(most < 6_000, `${most} waited`);
});
