import assert from "node:assert/strict";
import {
  Invites,
  type InvitesOptions,
} from "../../../../../lib/server/features/accounts/auth/invites/invites.ts";
import { commandLineId } from "../../../../../lib/server/features/accounts/users/user.ts";
import { DomainError } from "../../../../../lib/shared/errors.ts";
import { client, type Identity, openIdentity } from "../users/identity.ts";

const password = "herons at the river";
const commandLine = { id: commandLineId, username: "command line" };
const dead = { code: "not_found" };

function openInvites(
  { store, users, settings, attempts, clock }: Identity,
  makeHome: InvitesOptions["makeHome"] = () => Promise.resolve(),
): Invites {
  return new Invites({ store, users, settings, attempts, makeHome, now: () => clock.now });
}

async function open(makeHome?: InvitesOptions["makeHome"]) {
  const identity = await openIdentity();
  const keeper = await identity.add("keeper", { perm: { ...allPerm, admin: true } });
  const maker = await identity.add("maker", { perm: { ...allPerm, admin: true } });
  const invites = openInvites(identity, makeHome);
  const make = async (username: string | null = null) => {
    const draft = { username, user: null, by: maker, hours: 1 };
    return await invites.create(draft);
  };
  const use = (secret: string, username = "newcomer") =>
    invites.use(secret, { username, password }, client.address);
  return {
    identity,
    keeper,
    maker,
    invites,
    make,
    use,
    [Symbol.dispose]: () => identity.store.close(),
  };
}

const allPerm = {
  admin: false,
  create: true,
  delete: true,
  download: true,
  execute: false,
  modify: true,
  rename: true,
  share: true,
};

Deno.test("the links of an administrator who is one no more are dead, and not listed", async () => {
  using scene = await open();
  const { identity, maker, invites, make, use } = scene;
  const target = await identity.add("paul");
  const { secret } = await make();
  const draft = { username: null, user: target, by: maker, hours: 1 };
  const reset = await invites.create(draft);
  assert.equal((await invites.list()).length, 2);
  await identity.users.update(maker.id, { perm: allPerm });
  assert.deepEqual(await invites.list(), []);
  await assert.rejects(invites.open(secret, client.address), dead);
  await assert.rejects(use(secret), dead);
  await assert.rejects(use(reset.secret), dead);
  assert.equal((await identity.users.get(target.id)).passwordHash, target.passwordHash);
});

Deno.test("the links of an administrator who was removed are dead, and their records go", async () => {
  using scene = await open();
  const { identity, maker, invites, make, use } = scene;
  const { secret } = await make();
  const ofCommandLine = await invites.create({
    ...{ username: null, user: null, by: commandLine, hours: 1 },
  });
  await identity.users.remove(maker.id);
  await assert.rejects(use(secret), dead);
  await invites.removeExpired();
  assert.equal((await identity.store.list(["invites"])).length, 1);
  assert.equal((await use(ofCommandLine.secret)).username, "newcomer");
  assert.deepEqual(await identity.store.list(["invites"]), []);
});

Deno.test("who is an administrator by a group makes links until the group is left", async () => {
  using scene = await open();
  const { identity, invites, use } = scene;
  const { users } = identity;
  const group = await users.groups.create({
    ...{ name: "staff", perm: { ...allPerm, admin: true }, rules: [] },
    ...{ roots: [], quota: { bytes: 0, files: 0 } },
  });
  const member = await identity.add("member", { groups: [group.id] });
  const draft = { username: null, user: null, by: member, hours: 1 };
  const [first, second] = [await invites.create(draft), await invites.create(draft)];
  await use(first.secret);
  await users.update(member.id, { groups: [] });
  await assert.rejects(use(second.secret, "another"), dead);
});

Deno.test("a link that is withdrawn during a use that fails does not come back", async () => {
  const withdrawn: Promise<unknown>[] = [];
  using scene = await open(() => {
    withdrawn.push(withdraw());
    return withdrawn[0]?.then(() => {
      throw new DomainError("exists", "Cannot make the folder: it is there");
    }) as Promise<void>;
  });
  const { identity, invites, make, use } = scene;
  const settings = await identity.settings.get();
  await identity.settings.update({ ...settings, createUserDir: true });
  const { secret, invite } = await make();
  const withdraw = () => invites.remove(invite.id).catch((error) => error.code);
  await assert.rejects(use(secret), { code: "exists" });
  assert.equal(await withdrawn[0], "not_found", "a link in use is not open any more");
  await assert.rejects(use(secret, "another"), dead);
  assert.deepEqual(await identity.store.list(["invites"]), []);
  assert.equal(await identity.users.byName("newcomer"), null);
});

Deno.test("a link whose use fails stays as it is, unless it is withdrawn", async () => {
  let isTaken = true;
  using scene = await open(() => {
    if (isTaken) throw new DomainError("exists", "Cannot make the folder: it is there");
    return Promise.resolve();
  });
  const { identity, invites, make, use } = scene;
  const settings = await identity.settings.get();
  await identity.settings.update({ ...settings, createUserDir: true });
  const { secret } = await make();
  const [before] = await invites.list();
  await assert.rejects(use(secret), { code: "exists" });
  assert.deepEqual((await invites.list())[0], before);
  isTaken = false;
  assert.equal((await use(secret)).username, "newcomer");
  await assert.rejects(use(secret, "another"), dead);
});

Deno.test("of many uses and a withdrawal at the same time at most one makes a user", async () => {
  using scene = await open();
  const { identity, invites, make, use } = scene;
  for (let round = 0; round < 5; round++) {
    const { secret, invite } = await make();
    const names = [1, 2, 3].map((each) => `round ${round} user ${each}`);
    const uses = names.map((name) => use(secret, name).then(() => 1, () => 0));
    const withdrawal = invites.remove(invite.id).then(() => true, () => false);
    const made = (await Promise.all(uses)).reduce<number>((sum, each) => sum + each, 0);
    // Either it was withdrawn before any use, or one has used it.
    assert.equal(made, await withdrawal ? 0 : 1);
    const users = await Promise.all(names.map((name) => identity.users.byName(name)));
    assert.equal(users.filter((user) => user !== null).length, made);
    assert.deepEqual(await identity.store.list(["invites"]), []);
  }
});

Deno.test("a reset link is dead once the user has an account elsewhere", async () => {
  using scene = await open();
  const { identity, maker, invites, use } = scene;
  const user = await identity.add("olga");
  const draft = { username: null, user, by: maker, hours: 1 };
  const { secret } = await invites.create(draft);
  await identity.users.update(user.id, {}, {
    identity: { issuer: "https://id.example", subject: "7" },
  });
  await assert.rejects(use(secret), dead);
});
