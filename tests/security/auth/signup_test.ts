// With two threads, too: names and folders that are taken at the same time.
import assert from "node:assert/strict";
import { join } from "node:path";
import { allPermissions } from "../../../lib/server/core/access/viewer.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: { users: { Anna: { "a.txt": "hers" } }, "root.txt": "everybody's" },
});
Deno.test.afterAll(app.close);
const settings = await app.cubby.settings.get();
const defaults = { ...settings.defaults, perm: allPermissions(), commands: ["sh", "rm"] };
await app.cubby.settings.update({ ...settings, signup: true, defaults });

function signUp(username: string, more: object = {}): Promise<Response> {
  return app.call("POST", "/api/signup", { json: { username, password: userPassword, ...more } });
}

const homes = () => [...Deno.readDirSync(join(app.root, "users"))].map(({ name }) => name).sort();

Deno.test("signup: rich defaults and a rich request make no administrator and run nothing", async () => {
  const more = { perm: allPermissions(), admin: true, scope: "/", commands: ["sh"], id: 1 };
  await assertStatus(await signUp("rich", more), 200);
  const user = await app.cubby.users.byName("rich");
  assert.deepEqual(
    [user?.perm.admin, user?.perm.execute, user?.commands, user?.scope],
    [false, false, [], "/users/rich"],
  );
  const token = await app.tokenOf("rich");
  await assertRefused(await app.call("GET", "/api/raw/root.txt", { token }), 404, "not_found");
  for (const path of ["/api/users", "/api/settings"]) {
    await assertRefused(await app.call("GET", path, { token }), 403, "forbidden");
  }
});

Deno.test("signup: two names to one home, by case, at once: one comes in", async () => {
  const names = ["Zoë Q", "zoë q", "ZOË-Q", "zoë/q", "Zoe\u0308 Q", "zoë\\q", "-zoë q."];
  const answers = await Promise.all(names.map((name) => signUp(name)));
  const statuses = answers.map(({ status }) => status).sort();
  for (const answer of answers) await answer.body?.cancel();
  assert.deepEqual(statuses, [200, ...names.slice(1).map(() => 409)]);
  assert.equal(homes().filter((name) => /^zo/i.test(name)).length, 1);
});

Deno.test("signup: a name leads to nobody's folder and out of none", async () => {
  const before = homes();
  for (const name of ["anna", "ANNA", "An\u0000na", "anna/", "/anna", "./anna", "anna."]) {
    const answer = await signUp(name);
    await answer.body?.cancel();
    assert.ok([400, 409].includes(answer.status), `${name}: ${answer.status}`);
  }
  for (const name of ["..", ".", "../..", "/", "\\", "a\nb", "\u202eadmin"]) {
    await assertRefused(await signUp(name), 400, "invalid_name", JSON.stringify(name));
  }
  await assertStatus(await signUp("../../etc/cron"), 200);
  assert.deepEqual(homes(), [...before, "etc-cron"].sort());
  assert.deepEqual([...Deno.readDirSync(app.root)].map(({ name }) => name).sort(), [
    "root.txt",
    "users",
  ]);
  assert.equal(Deno.readTextFileSync(join(app.root, "users/Anna/a.txt")), "hers");
});
