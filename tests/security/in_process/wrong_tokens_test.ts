import assert from "node:assert/strict";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ tree: { "a.txt": "one" }, inProcess: true });
Deno.test.afterAll(app.close);

const from = "192.0.2.50";

Deno.test("made-up API tokens close the door to others of that address, and to no one else", async () => {
  const { user } = await app.addUser("anna");
  const draft = { name: "x", write: false, share: false, expires: null };
  const { secret } = await app.cubby.apiTokens.create(user.id, draft, null);
  const ask = (token: string) => app.call("GET", "/api/raw/a.txt", { token, from });
  for (let time = 0; time < 20; time++) {
    const made = `cubby_${String(time).padStart(43, "0")}`;
    await assertRefused(await ask(made), 401, "not_signed_in");
  }
  const closed = await ask(`cubby_${"x".repeat(43)}`);
  assert.ok(Number(closed.headers.get("retry-after")) > 0);
  await assertRefused(closed, 429, "throttled");
  await assertStatus(await ask(secret), 200, "a right one");
  const json = { username: "anna", password: userPassword };
  await assertStatus(await app.call("POST", "/api/login", { json, from }), 200, "a password");
});
