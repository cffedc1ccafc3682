/** The records of shares whose owner is deleted: removed many at once, also after a kill. */
import assert from "node:assert/strict";
import { openStore, type Store } from "../../../../../lib/server/core/kv/store.ts";
import { openPasswords } from "../../../../../lib/server/features/accounts/passwords/passwords.ts";
import { Shares } from "../../../../../lib/server/features/links/shares/shares.ts";
import { termsOf } from "../../../../../lib/server/features/links/shares/share.ts";
import { Users } from "../../../../../lib/server/features/accounts/users/users.ts";
import { blankUser } from "../../../../../lib/server/features/accounts/users/user.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";

const passwords = await openPasswords();
const pathOf = (text: string) => parsePath(text).path;
const audience = Array.from({ length: 100 }, (_, at) => at + 1_000);

/** A store with two users, of whom the second has 150 shares and the first one. */
async function plantShares(store: Store): Promise<{ leaver: number; stayer: number }> {
  const users = new Users(store, passwords);
  const ids: number[] = [];
  for (const username of ["stayer", "leaver"]) {
    const user = { ...blankUser(), username, scope: "/", passwordHash: "none" };
    ids.push((await users.create(user)).id);
  }
  const [stayer = 0, leaver = 0] = ids;
  const shares = new Shares(store, passwords);
  const share = (userId: number, hash: string, place: string, more: object = {}) =>
    shares.adopt({
      ...{ hash, userId, path: pathOf(place), place: pathOf(place), expire: 0 },
      ...{ passwordHash: null, terms: { ...termsOf({}), ...more } },
    });
  for (let at = 0; at < 70; at++) {
    await share(leaver, `same-${at}`, "/d/same.txt");
    await share(leaver, `each-${at}`, `/d/file ${at} #%?日本.txt`, { name: `name-${at}` });
    if (at < 10) {
      const to = { users: audience, groups: audience };
      await share(leaver, `for-${at}`, "/d/for.txt", { audience: to });
    }
  }
  await share(stayer, "kept", "/d/same.txt");
  return { leaver, stayer };
}

/** A store whose process dies after some commits. */
function dying(store: Store, commits: number): Store {
  let left = commits;
  return {
    ...store,
    atomic(build) {
      if (left-- === 0) throw new Error("killed");
      return store.atomic(build);
    },
  };
}

async function recordsOf(store: Store): Promise<number> {
  let count = 0;
  const prefixes = ["shares", "user_shares", "share_targets", "target_shares", "share_places"];
  for (const prefix of [...prefixes, "share_marks", "share_names", "share_audience"]) {
    count += (await store.list([prefix])).length;
  }
  return count;
}

Deno.test("removeOf() removes all that shares of a user have, and nothing of others", async () => {
  const store = await openStore(":memory:");
  const { leaver } = await plantShares(store);
  const shares = new Shares(store, passwords);
  await shares.removeOf(leaver);
  assert.equal((await shares.get("kept")).place, "/d/same.txt");
  await shares.remove({ hash: "kept" });
  assert.equal(await recordsOf(store), 0);
  store.close();
});

Deno.test("removeOf() takes few commits for many shares", async () => {
  const store = await openStore(":memory:");
  const { leaver } = await plantShares(store);
  let commits = 0;
  const counting: Store = {
    ...store,
    atomic(build) {
      commits++;
      return store.atomic(build);
    },
  };
  await new Shares(counting, passwords).removeOf(leaver);
  assert.ok(commits <= 8, `${commits} commits for 150 shares`);
  store.close();
});

Deno.test("a sweep removes the shares of a deleted user that a killed process has left", async () => {
  for (const commits of [0, 1, 2, 3]) {
    const store = await openStore(":memory:");
    const { leaver } = await plantShares(store);
    await new Users(store, passwords).remove(leaver);
    const killed = new Shares(dying(store, commits), passwords);
    await assert.rejects(killed.removeOf(leaver), /killed/);
    const shares = new Shares(store, passwords);
    await shares.removeExpired();
    assert.deepEqual(await Array.fromAsync(shares.parts({ userId: leaver })), []);
    assert.equal((await shares.get("kept")).place, "/d/same.txt");
    await shares.remove({ hash: "kept" });
    assert.equal(await recordsOf(store), 0, `${commits} commits`);
    store.close();
  }
});
