/** The shares of an entry that very many people share. */
import assert from "node:assert/strict";
import { openStore } from "../../../../../lib/server/core/kv/store.ts";
import { openPasswords } from "../../../../../lib/server/features/accounts/passwords/passwords.ts";
import {
  positionOf,
  type SharePartsOf,
  Shares,
} from "../../../../../lib/server/features/links/shares/shares.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { countReads } from "../../../../support/records/count_reads.ts";

const people = 300;
const place = parsePath("/common").path;
const below = parsePath("/common/below.txt").path;

const passwords = await openPasswords();
const { store, takeCount } = countReads(await openStore(":memory:"));
Deno.test.afterAll(() => {
  store.close();
  passwords.close();
});
const shares = new Shares(store, passwords);
for (let userId = 1; userId <= people; userId++) {
  for (const path of userId % 10 === 0 ? [place, place, below] : [place]) {
    const of = { userId, path, place: path };
    await shares.create(of, { password: "", seconds: 0 });
  }
}

async function someOf(parts: SharePartsOf, count = Infinity) {
  const found = [];
  for await (const part of parts) {
    found.push(...part);
    if (found.length >= count) break;
  }
  // A part may have more than one.
  return found.slice(0, count);
}

Deno.test("each share of an entry is listed once, from any of them on, and none of what is below", async () => {
  const all = await someOf(shares.partsAt(place));
  assert.equal(all.length, people + people / 10);
  assert.equal(new Set(all.map(({ hash }) => hash)).size, all.length);
  assert.ok(all.every((share) => share.place === place));
  for (const at of [0, 100, all.length - 2, all.length - 1]) {
    const share = all[at];
    const rest = await someOf(shares.partsAt(place, { after: share && positionOf(share) }));
    assert.deepEqual(rest, all.slice(at + 1));
  }
});

Deno.test("of an entry that many share, only a user's own shares are read for the user", async () => {
  takeCount();
  const own = await someOf(shares.partsAt(place, { userId: 20 }));
  const read = takeCount();
  assert.deepEqual(own.map(({ userId }) => userId), [20, 20]);
  assert.ok(read <= 10, `${read} records`);
});

Deno.test("a few of many shares of an entry are found by few reads, the last ones, too", async () => {
  const all = await someOf(shares.partsAt(place));
  const last = all.at(-6);
  for (const after of [undefined, last && positionOf(last)]) {
    takeCount();
    assert.equal((await someOf(shares.partsAt(place, { after }), 5)).length, 5);
    const read = takeCount();
    assert.ok(read <= 150, `${read} records`);
  }
});
