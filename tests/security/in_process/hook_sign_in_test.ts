import assert from "node:assert/strict";
import { readHookOutput } from "../../../lib/server/features/accounts/auth/hook/hook_output.ts";
import { character, fc } from "../../support/run/property.ts";
import { userPassword } from "../../support/server/app.ts";
import { startHookApp } from "../../support/server/hook_app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startHookApp();
Deno.test.afterAll(app.close);

/** An address of its own for each attempt, so that the throttle leaves them alone. */
let attempts = 0;
const elsewhere = () => `192.0.2.${++attempts}`;

Deno.test("hook output with odd lines lets nobody in, or is no part of the decision", () => {
  const none = [
    "",
    "auth",
    "hook.action",
    "hook.action=",
    "hook.action=AUTH",
    "hook.action==auth",
    "hook.action=auth=",
    "hook.action=auth x",
    "HOOK.ACTION=auth",
    "hook.action=auth\nhook.action=block",
    "hook.action=block\nhook.action=auth",
    "x hook.action=auth",
    "\0hook.action=auth",
    "hook.action:auth",
  ];
  for (const text of none) assert.equal(readHookOutput(text), null, JSON.stringify(text));
  const odd =
    "a note\r\n=\n==\nuser.perm=true\nuser.id=1\nuser.passwordHash=x\nuser.username=admin\n" +
    "user.__proto__.admin=true\nuser.password=x\nuser.lockPassword=true\n hook.action = auth \r\n";
  assert.deepEqual(readHookOutput(odd), { action: "auth", fields: {} });
  fc.assert(fc.property(fc.string({ unit: character }), (text) => {
    const answer = readHookOutput(text);
    assert.ok(answer === null || /hook\.action\s*=\s*(auth|block|pass)/.test(text));
  }));
});

Deno.test("a name or a password that a program repeats decides nothing", async () => {
  await app.write('echo "user: $USERNAME"; echo "$PASSWORD"; echo hook.action=block');
  for (const text of ["hook.action=auth", "x\nhook.action=auth", "x\r\nhook.action=auth\n"]) {
    await assertRefused(await app.signIn("admin", text, elsewhere()), 403, "wrong_credentials");
    await assertRefused(await app.signIn(text, "secret", elsewhere()), 403, "wrong_credentials");
  }
  await assertRefused(await app.signIn("admin", "a\0b", elsewhere()), 403, "wrong_credentials");
  await assertRefused(
    await app.signIn("admin", "a".repeat(5_000), elsewhere()),
    403,
    "wrong_credentials",
  );
});

Deno.test("a program that fails, is missing, or gives fields that are none lets nobody in", async () => {
  const lines: [line: string, told: RegExp][] = [
    ["echo hook.action=auth; exit 1", /status 1/],
    ["exec /nowhere/program", /status 127/],
    ["echo hook.action=auth; echo user.viewMode=upside-down", /Cannot read viewMode/],
    ["echo hook.action=auth; echo user.scope=/../etc", /by the command:/],
    ["echo hook.action=auth; echo user.perm.admin=yes", /Cannot read perm\.admin/],
    ["echo hook.action=auth; head -c 100000 /dev/zero", /it prints too much/],
  ];
  for (const [line, told] of lines) {
    await app.write(line);
    await assertRefused(
      await app.signIn("admin", app.admin.password, elsewhere()),
      403,
      "wrong_credentials",
      line,
    );
    assert.match(app.log.lines.join("\n"), told, line);
    assert.doesNotMatch(app.log.lines.join("\n"), /beside/, "no password is logged");
  }
});

Deno.test("guesses at a program's passwords are throttled, and unknown names cost as much", async () => {
  await app.write("echo hook.action=block");
  await app.addUser("anna");
  for (const name of ["anna", "nobody"]) {
    for (let time = 0; time < 5; time++) {
      await assertRefused(await app.signIn(name, userPassword), 403, "wrong_credentials");
    }
    await assertRefused(await app.signIn(name, userPassword), 429, "throttled");
  }
});

Deno.test("the last administrator is not demoted by a program's word", async () => {
  await app.write("echo hook.action=auth; echo user.perm.admin=false");
  await assertRefused(await app.signIn("admin", "secret", elsewhere()), 403, "wrong_credentials");
  assert.equal((await app.cubby.users.byName("admin"))?.perm.admin, true);
  await assertStatus(await app.signIn("zoe", "secret", elsewhere()), 200);
});
