import assert from "node:assert/strict";
import type { FileFacts } from "../../../../lib/server/core/access/folder_handle.ts";
import { ChecksumCache } from "../../../../lib/server/features/archive/zip/checksum_cache.ts";

const long = Date.now() - 60_000;
const facts = (ino: number, more: Partial<FileFacts> = {}): FileFacts => {
  return { size: 100, modified: long, changed: long, mode: 0o644, dev: 1, ino, ...more };
};
const none = { at: 0, crc: 0 };

Deno.test("a sum belongs to one state of a file, and to no other", () => {
  const cache = new ChecksumCache();
  cache.note(facts(1), { at: 100, crc: 7 });
  assert.deepEqual(cache.find(facts(1), 100), { at: 100, crc: 7 });
  const others = [{ ino: 2 }, { dev: 2 }, { size: 101 }, { modified: long + 1 }, {
    changed: long + 1,
  }];
  for (const other of others) {
    assert.deepEqual(cache.find(facts(1, other), 200), none, JSON.stringify(other));
  }
});

Deno.test("of a file that changed just now no sum is kept: it may change again at the same time", () => {
  const cache = new ChecksumCache();
  for (const now of [{ modified: Date.now() }, { changed: Date.now() }]) {
    cache.note(facts(1, now), { at: 100, crc: 7 });
    assert.deepEqual(cache.find(facts(1, now), 100), none);
  }
});

Deno.test("the longest beginning is found that is no longer than asked for", () => {
  const cache = new ChecksumCache();
  for (const at of [30, 10, 20]) cache.note(facts(1), { at, crc: at });
  assert.deepEqual([5, 10, 25, 100].map((most) => cache.find(facts(1), most).at), [0, 10, 20, 30]);
});

Deno.test("the cache is bounded: what was noted first goes first", () => {
  const cache = new ChecksumCache();
  for (let ino = 1; ino <= 100_010; ino++) cache.note(facts(ino), { at: 100, crc: ino });
  assert.deepEqual(cache.find(facts(1), 100), none);
  assert.equal(cache.find(facts(100_010), 100).crc, 100_010);
});
