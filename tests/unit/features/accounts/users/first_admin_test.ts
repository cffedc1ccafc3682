import assert from "node:assert/strict";
import { join } from "node:path";
import { openNativeBcrypt } from "../../../../../lib/server/features/accounts/passwords/bcrypt_native.ts";
import { createFirstAdmin } from "../../../../../lib/server/features/accounts/users/first_admin.ts";
import { allPermissions } from "../../../../../lib/server/core/access/viewer.ts";
import { temporaryFolder } from "../../../../support/disks/files.ts";
import { client, openIdentity } from "./identity.ts";

Deno.test("createFirstAdmin() refuses a weak password and leaves the store without users", async () => {
  using it = await openIdentity();
  const weak = createFirstAdmin(it.users, { username: "admin", password: "admin" });
  await assert.rejects(weak, { code: "invalid_password" });
  assert.equal(await it.users.count(), 0);
});

Deno.test("createFirstAdmin() takes no half of a hash for a hash", async () => {
  using it = await openIdentity();
  const password = "$2b$10$zJxDOE35r/l0m7ee7Z4mrO";
  await createFirstAdmin(it.users, { username: "admin", password });
  await it.sessions.signIn({ username: "admin", password, ...client });
});

Deno.test("createFirstAdmin() does nothing in a store that has users", async () => {
  using it = await openIdentity();
  await it.add("anna", { perm: allPermissions() });
  assert.equal(await createFirstAdmin(it.users, { username: "admin" }), null);
  assert.equal(await it.users.byName("admin"), null);
});

Deno.test("createFirstAdmin() makes up a password that lets in", async () => {
  using it = await openIdentity();
  const password = await createFirstAdmin(it.users, { username: "admin" });
  assert.match(password ?? "", /^[A-HJ-NP-Za-km-z2-9]{20}$/);
  const { user } = await it.sessions.signIn({
    username: "admin",
    password: password ?? "",
    ...client,
  });
  assert.equal(user.id, 1);
  assert.deepEqual(user.perm, allPermissions());
  assert.equal(user.scope, "/");
});

Deno.test("createFirstAdmin() takes a password and keeps it to itself", async () => {
  using it = await openIdentity();
  const admin = { username: "root", password: "rainy tuesdays" };
  assert.equal(await createFirstAdmin(it.users, admin), null);
  await it.sessions.signIn({ ...admin, ...client });
});

Deno.test("createFirstAdmin() takes a bcrypt hash of another program and cost", async () => {
  using it = await openIdentity();
  const bcrypt = await openNativeBcrypt();
  const password = (await bcrypt?.hash("rainy tuesdays", 5) ?? "").replace(/^\$2./, "$2y");
  await createFirstAdmin(it.users, { username: "admin", password });
  assert.equal((await it.users.get(1)).passwordHash, password);
  await it.sessions.signIn({ username: "admin", password: "rainy tuesdays", ...client });
  const { passwordHash, epoch } = await it.users.get(1);
  assert.match(passwordHash, /^\$2[aby]\$10\$/, "hashed anew at our cost");
  assert.equal(epoch, 1);
  await it.sessions.signIn({ username: "admin", password: "rainy tuesdays", ...client });
});

Deno.test("of several processes that start at once one makes the administrator", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.kv");
  const all = await Promise.all([1, 2, 3, 4].map(() => openIdentity(path)));
  const passwords = await Promise.all(
    all.map((it) => createFirstAdmin(it.users, { username: "admin" })),
  );
  const told = passwords.filter((password) => password !== null);
  assert.equal(told.length, 1);
  const [first] = all;
  assert.ok(first);
  assert.equal((await first.users.list()).length, 1);
  await first.sessions.signIn({ username: "admin", password: told[0] ?? "", ...client });
  for (const it of all) it[Symbol.dispose]();
});

Deno.test("createFirstAdmin() notes that a password was made up, and shows the first steps", async () => {
  using it = await openIdentity();
  await createFirstAdmin(it.users, { username: "admin" });
  const { firstSteps, hasPrintedPassword } = await it.users.get(1);
  assert.deepEqual([firstSteps, hasPrintedPassword], [true, true]);
  using other = await openIdentity();
  await createFirstAdmin(other.users, { username: "admin", password: "otters hold 9 hands" });
  assert.equal((await other.users.get(1)).hasPrintedPassword, undefined);
});
