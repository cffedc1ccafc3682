import assert from "node:assert/strict";
import { join } from "node:path";
import type { ErrorCode } from "../../../lib/shared/errors.ts";
import type { Permissions } from "../../../lib/shared/schemas/rights.ts";
import {
  permissionsWhere,
  type RecipientRight,
} from "../../../lib/shared/schemas/choices/choices.ts";
import type { User } from "../../../lib/server/features/accounts/users/user.ts";
import { deny } from "../data/rules.ts";
import { assertStatus } from "./refused.ts";
import type { TestApp, TestUser } from "./app.ts";

/** Users of a server who share folders with one another. */
export function sharedHomes(app: TestApp) {
  let names = 0;

  /** A user with a name of its own. */
  async function person(user: TestUser = {}) {
    const name = `person ${++names}`;
    return { name, ...await app.addUser(name, user) };
  }

  /** A user whose scope is a new folder, with a file in it, and a folder `docs` with another. */
  async function owner(user: TestUser = {}) {
    const scope = `/home-${++names}`;
    const home = join(app.root, scope);
    await Deno.mkdir(join(home, "docs"), { recursive: true });
    await Deno.writeTextFile(join(home, "docs", "a.txt"), "kept");
    await Deno.writeTextFile(join(home, "beside.txt"), "beside");
    return { home, ...await person({ scope, ...user }) };
  }

  type Owner = Awaited<ReturnType<typeof owner>>;

  /** A group of users, by their ids. */
  async function makeGroup(...members: number[]) {
    const { groups } = app.cubby.users;
    const group = await groups.create({
      name: `group ${++names}`,
      perm: permissionsWhere(() => false),
      rules: [],
      roots: [],
      quota: { bytes: 0, files: 0 },
    });
    await groups.setMembers(group, members);
    return group;
  }

  /** The hash of a new share. */
  async function shareOf(token: string, json: object, path = "/docs"): Promise<string> {
    const answer = await app.call("POST", `/api/share${path}`, { token, json });
    assert.equal(answer.status, 200, await answer.clone().text());
    return (await answer.json()).hash;
  }

  /**
   * A share of an owner's `docs`, and those who may not do what is asked of it, each with the status
   * of the refusal: recipients with less rights, the owner, strangers, visitors of a link for anybody.
   *
   * @param rights the lesser ones
   */
  async function outsiders(anna: Owner, rights: readonly RecipientRight[]) {
    const lesser = await Promise.all(rights.map(async (may) => ({ may, ...await person() })));
    const audience = lesser.map(({ name, may }) => ({ name, may }));
    const hash = await shareOf(anna.token, { audience });
    const open = await shareOf(anna.token, {});
    const refused: [share: string, token: string, status: number][] = [
      ...lesser.map(({ token }) => [hash, token, 403] as [string, string, number]),
      [hash, anna.token, 403],
      [hash, (await person({ perm: { admin: true } })).token, 404],
      [hash, "", 404],
      [open, lesser[0]?.token ?? "", 403],
      [open, "", 403],
      ["none", anna.token, 404],
    ];
    return refused;
  }

  /**
   * All ways in which a right to a share ends, by a name for each.
   *
   * @param permissions those that the owner must have
   * @param ids the recipients, who keep the share, without a right to change
   */
  function endings(permissions: readonly (keyof Permissions)[], ids: readonly number[]) {
    const { users, shares } = app.cubby;
    const terms = { audience: { users: [...ids], groups: [] } };
    const ends: [name: string, end: (of: Owner, hash: string) => Promise<unknown>][] = [
      ...permissions.map((name): [string, (of: Owner) => Promise<unknown>] => [
        name,
        (of) => users.update(of.user.id, { perm: { ...of.user.perm, [name]: false } }),
      ]),
      ["scope", (of) => users.update(of.user.id, { scope: "/outside" })],
      ["owner", (of) => users.remove(of.user.id)],
      ["end", async (_, hash) => await shares.remove(await shares.get(hash))],
      ["expired", (_, hash) => shares.change(hash, { seconds: -10 })],
      ["view only", (_, hash) => shares.change(hash, { terms: { viewOnly: true } })],
      ["right", (_, hash) => shares.change(hash, { terms })],
      ["rule", (of) => users.update(of.user.id, { rules: [deny("/docs")] })],
    ];
    return ends;
  }

  /**
   * Ends a share of a folder in `/home`, or the right of its owner, in several ways, one after the
   * other.
   *
   * @param assertGone asserts that a share is closed to visitors
   */
  async function assertEnds(
    { user, hash }: { user: User; hash: string },
    assertGone: (hash: string, status: number, code: ErrorCode) => Promise<void>,
  ): Promise<void> {
    const { users, shares } = app.cubby;
    for (const name of ["share", "download"] as const) {
      await users.update(user.id, { perm: { ...user.perm, [name]: false } });
      await assertGone(hash, 403, "forbidden");
      await users.update(user.id, { perm: user.perm });
    }
    await users.update(user.id, { scope: "/far" });
    await assertGone(hash, 404, "not_found");
    await users.update(user.id, { scope: "/home" });
    const brief = { ...await shares.get(hash), hash: "A".repeat(22), expire: 1 };
    await app.cubby.store.atomic((operation) => operation.set(["shares", brief.hash], brief));
    await assertGone(brief.hash, 404, "not_found");
    const token = await app.tokenOf("admin");
    await assertStatus(await app.call("DELETE", `/api/share/${hash}`, { token }), 200);
    await assertGone(hash, 404, "not_found");
  }

  /**
   * A share of `docs` in a named root that is read-only by now, and of its sharer's other root.
   *
   * @param terms of both shares
   */
  async function inReadOnlyRoot(terms: object) {
    const { user, home } = await owner();
    const roots = (readOnly: boolean) => [
      { name: "Kept", path: user.scope, readOnly },
      { name: "Open", path: "/outside", readOnly: false },
    ];
    const sharer = await person({ roots: roots(false) });
    const kept = await shareOf(sharer.token, terms, "/Kept/docs");
    await app.cubby.users.update(sharer.user.id, { roots: roots(true) });
    return { kept, home, token: await app.tokenOf(sharer.name) };
  }

  return { person, owner, makeGroup, shareOf, outsiders, endings, assertEnds, inReadOnlyRoot };
}

/** The names in a folder of the disk. */
export function listed(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
