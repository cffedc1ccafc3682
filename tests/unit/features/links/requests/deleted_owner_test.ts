/** The records of requests whose owner is deleted: removed many at once, also after a kill. */
import assert from "node:assert/strict";
import { openStore, type Store } from "../../../../../lib/server/core/kv/store.ts";
import { openPasswords } from "../../../../../lib/server/features/accounts/passwords/passwords.ts";
import { Requests } from "../../../../../lib/server/features/links/requests/requests.ts";
import { blankUser } from "../../../../../lib/server/features/accounts/users/user.ts";
import { Users } from "../../../../../lib/server/features/accounts/users/users.ts";
import { parsePath } from "../../../../../lib/shared/path.ts";

const passwords = await openPasswords();
const count = 150;

/** A folder so deep that keys in the index are as long as they may be. */
const deep = `${"d/".repeat(149)}#%?日本`;

interface Planted extends Disposable {
  store: Store;
  leaver: number;
  /** The hash of the one request of the user who stays. */
  kept: string;
}

/** A store with two users, of whom the second has many requests with an upload each. */
async function plantRequests(): Promise<Planted> {
  const store = await openStore(":memory:");
  const users = new Users(store, passwords);
  const requests = new Requests(store, passwords);
  const idOf = async (username: string) => {
    const user = { ...blankUser(), username, scope: "/", passwordHash: "none" };
    return (await users.create(user)).id;
  };
  const stayer = await idOf("stayer");
  const leaver = await idOf("leaver");
  const add = async (userId: number, place: string) => {
    const { path } = parsePath(place);
    const request = await requests.create({ userId, path, place: path }, {});
    await requests.uses.hold(request, { id: `upload-${request.hash}`, path, length: 1 });
    return request.hash;
  };
  for (let at = 0; at < count; at++) await add(leaver, at % 2 ? "/same" : `/${deep}/${at}`);
  const kept = await add(stayer, "/same");
  return { store, leaver, kept, [Symbol.dispose]: () => store.close() };
}

/** Asserts that the requests of the second user are gone, and that of the first is there. */
async function assertGone({ store, kept }: Planted, told = ""): Promise<void> {
  assert.equal((await new Requests(store, passwords).get(kept)).place, "/same");
  for (const prefix of ["requests", "user_requests", "request_places", "request_uses"]) {
    assert.equal((await store.list([prefix])).length, 1, `${told} ${prefix}`);
  }
}

/** A store that calls a function before each commit. */
function noting(store: Store, note: () => void): Store {
  return {
    ...store,
    atomic(build) {
      note();
      return store.atomic(build);
    },
  };
}

Deno.test("removeOf() removes all that requests of a user have, and nothing of others", async () => {
  using planted = await plantRequests();
  await new Requests(planted.store, passwords).removeOf(planted.leaver);
  await assertGone(planted);
  assert.equal((await planted.store.list(["request_uploads"])).length, 1);
});

Deno.test("removeOf() ends many requests by few commits, besides those of their uploads", async () => {
  using planted = await plantRequests();
  let commits = 0;
  const counting = noting(planted.store, () => commits++);
  await new Requests(counting, passwords).removeOf(planted.leaver);
  assert.ok(commits - count <= 8, `${commits - count} commits for ${count} requests`);
});

Deno.test("a sweep removes the requests of a deleted user that a killed process has left", async () => {
  for (const commits of [0, 1, 2]) {
    using planted = await plantRequests();
    await new Users(planted.store, passwords).remove(planted.leaver);
    let left = commits;
    const dying = noting(planted.store, () => {
      if (left-- === 0) throw new Error("killed");
    });
    await assert.rejects(new Requests(dying, passwords).removeOf(planted.leaver), /killed/);
    await new Requests(planted.store, passwords).removeExpired();
    await assertGone(planted, `${commits} commits`);
  }
});
