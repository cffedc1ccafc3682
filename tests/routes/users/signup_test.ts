import assert from "node:assert/strict";
import type { Settings } from "../../../lib/shared/schemas/settings.ts";
import { allPermissions } from "../../../lib/server/core/access/viewer.ts";
import { startApp, type TestApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

async function opened(change: Partial<Settings> = {}): Promise<TestApp> {
  const app = await startApp({ tree: { users: { Taken: { "a.txt": "hers" } } } });
  await app.cubby.settings.update({ ...await app.cubby.settings.get(), signup: true, ...change });
  return app;
}

function signUp(app: TestApp, username: string, more: object = {}): Promise<Response> {
  return app.call("POST", "/api/signup", { json: { username, password: userPassword, ...more } });
}

Deno.test("nobody signs up while it is off, or where the server knows its users otherwise", async () => {
  await using closed = await startApp();
  await assertRefused(await signUp(closed, "anna"), 403, "forbidden");
  await using open = await startApp({ config: { authMethod: "noauth" } });
  await open.cubby.settings.update({ ...await open.cubby.settings.get(), signup: true });
  const json = { username: "anna", password: userPassword };
  const answer = await open.call("POST", "/api/signup", { json, origin: "http://127.0.0.1" });
  await assertRefused(answer, 403, "forbidden");
});

Deno.test("who signs up needs a sound name and password, and a home that is nobody's", async () => {
  await using app = await opened();
  const invalid = { json: { username: "anna" } };
  await assertRefused(await app.call("POST", "/api/signup", invalid), 400, "invalid_json");
  await assertRefused(await signUp(app, "anna", { password: "short" }), 400, "invalid_password");
  await assertRefused(await signUp(app, "../.."), 400, "invalid_name");
  await assertRefused(await signUp(app, "admin"), 409, "exists");
  await assertRefused(await signUp(app, "tAKEN"), 409, "exists");
  assert.equal(await app.cubby.users.byName("tAKEN"), null);
  assert.equal(Deno.readTextFileSync(`${app.root}/users/Taken/a.txt`), "hers");
});

Deno.test("rich defaults make no newcomer an administrator, nor one who runs programs", async () => {
  await using app = await opened();
  const settings = await app.cubby.settings.get();
  const defaults = { ...settings.defaults, perm: allPermissions(), commands: ["sh"] };
  await app.cubby.settings.update({ ...settings, defaults });
  const more = { perm: { admin: true }, scope: "/", commands: ["sh"], admin: true };
  await assertStatus(await signUp(app, "anna", more), 200);
  const anna = await app.cubby.users.byName("anna");
  assert.deepEqual([anna?.perm.admin, anna?.perm.execute, anna?.commands], [false, false, []]);
  assert.equal(anna?.scope, "/users/anna");

  const login = { json: { username: "anna", password: userPassword } };
  const token = await (await app.call("POST", "/api/login", login)).text();
  const answer = await app.call("GET", "/api/resources/", { token });
  assert.deepEqual((await answer.json()).items, []);
});

Deno.test("two names for one home, at once, let one in", async () => {
  await using app = await opened();
  const names = ["Zoë Q", "zoë q", "ZOË-Q", "zoë/q", "Zoe\u0308 Q"];
  const answers = await Promise.all(names.map((name) => signUp(app, name)));
  const statuses = answers.map(({ status }) => status).sort();
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  assert.deepEqual(statuses, [200, 409, 409, 409, 409]);
  assert.equal([...Deno.readDirSync(`${app.root}/users`)].length, 2);
});
