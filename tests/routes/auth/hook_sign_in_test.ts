import assert from "node:assert/strict";
import { userPassword } from "../../support/server/app.ts";
import { startHookApp } from "../../support/server/hook_app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startHookApp();
const known = await startHookApp({ authCreateUsers: false });
const sandboxed = await startHookApp({
  execSandbox: "kernel",
  authCommand: `sh -c 'echo hook.action=auth; ` +
    `echo "user.locale=$(ls / | grep -c -E "^(root|home|data)$")"; ` +
    `[ "$(pwd)" = /tmp ] && [ "$(grep -c eth /proc/net/dev)" = 0 ] && [ "$PASSWORD" = secret ] || ` +
    `echo hook.action=block'`,
});
for (const each of [app, known, sandboxed]) Deno.test.afterAll(each.close);

const right =
  'if [ "$PASSWORD" = secret ]; then echo hook.action=auth; else echo hook.action=block; fi';

Deno.test("a program decides who signs in; it is given the name and the password as they are", async () => {
  const password = "$(id) `id` \\n';\"#%日本";
  await app.write(
    `[ "$PASSWORD" = '${password.replaceAll("'", "'\\''")}' ] && [ "$1" = --word ] && ` +
      'echo hook.action=auth && echo "user.perm.share=$([ "$USERNAME" = "anna b" ] && echo true)"',
  );
  await assertStatus(await app.signIn("anna b", password), 200);
  await assertRefused(await app.signIn("anna b", "another"), 403, "wrong_credentials");
  assert.equal((await app.cubby.users.byName("anna b"))?.perm.share, true);
});

Deno.test("auth, block and pass do what they say in File Browser", async () => {
  await app.write('echo "hook.action=$USERNAME"');
  await app.addUser("pass");
  await app.addUser("block");
  await assertStatus(await app.signIn("auth"), 200);
  await assertRefused(await app.signIn("block", userPassword), 403, "wrong_credentials");
  await assertRefused(await app.signIn("pass"), 403, "wrong_credentials");
  await assertStatus(await app.signIn("pass", userPassword), 200);
  await assertRefused(await app.signIn("other"), 403, "wrong_credentials");
});

Deno.test("what the program says of a user holds, at each sign-in", async () => {
  await app.write(
    `${right}
cat <<END
user.scope = /folder
user.locale=de
user.viewMode=mosaic
user.singleClick=true
user.sorting.by=size
user.sorting.asc=false
user.commands=git ls
user.hideDotfiles=true
user.perm.admin=false
user.perm.execute=true
user.perm.create=$([ -n "$(date)" ] && echo false)
END`,
  );
  await assertStatus(await app.signIn("anna"), 200);
  const anna = await app.cubby.users.byName("anna");
  assert.deepEqual(
    [anna?.scope, anna?.locale, anna?.viewMode, anna?.singleClick, anna?.hideDotfiles],
    ["/folder", "de", "mosaic", true, true],
  );
  assert.deepEqual([anna?.sorting, anna?.commands], [{ by: "size", asc: false }, ["git", "ls"]]);
  assert.deepEqual([anna?.perm.execute, anna?.perm.create, anna?.perm.download], [
    true,
    false,
    true,
  ]);
  const version = anna?.version;
  await assertStatus(await app.signIn("anna"), 200);
  assert.equal((await app.cubby.users.byName("anna"))?.version, version, "nothing has changed");
});

Deno.test("an unknown name is refused, though its password is right, unless users are made", async () => {
  await known.write(right);
  await assertRefused(await known.signIn("anna"), 403, "wrong_credentials");
  assert.match(known.log.lines.join("\n"), /"anna" by the command: there is no such user$/m);
  const { user } = await known.addUser("anna");
  await assertStatus(await known.signIn("anna"), 200);
  await known.cubby.users.remove(user.id);
  await assertRefused(await known.signIn("anna"), 403, "wrong_credentials", "a removed user");
  assert.equal(await known.cubby.users.byName("anna"), null);
});

Deno.test("the own password, asked for before rights change, is the one that the program knows", async () => {
  await app.write(right);
  const token = await (await app.signIn("admin")).text();
  const settings = await app.cubby.settings.get();
  const change = (current_password: string) => {
    const json = { ...settings, signup: true, current_password };
    return app.call("PUT", "/api/settings", { token, json });
  };
  await assertRefused(await change(app.admin.password), 403, "wrong_credentials");
  await assertStatus(await change("secret"), 200);
  const json = { username: "zoe", password: userPassword };
  await assertRefused(await app.call("POST", "/api/signup", { json }), 403, "forbidden");
  const page = await (await app.call("GET", "/login")).text();
  assert.match(page, /"AuthMethod":"hook","LoginPage":true/);
});

Deno.test("a program lets nobody type commands", async () => {
  await app.write(right);
  const { token } = await app.addUser("carl", { perm: { execute: true }, commands: ["ls"] });
  assert.throws(() => app.cubby.runner.check(), { code: "forbidden" });
  await app.call("GET", "/api/command/", { token });
});

Deno.test("in the sandbox of commands a program sees no file of users, and no network", async () => {
  const answer = await sandboxed.signIn("anna");
  const told = sandboxed.log.lines.join("\n");
  await assertRefused(answer, 403, "wrong_credentials", told);
  assert.match(told, /"0" is not a language code/, "it ran, and saw nothing");
});
