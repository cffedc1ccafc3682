import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";

const app = await startApp();
const https = await startApp({
  config: { baseUrl: "/files", trustedProxies: ["10.0.0.1"], tokenLifeMs: 60_000 },
});
Deno.test.afterAll(app.close);
Deno.test.afterAll(https.close);
await app.addUser("bea");

Deno.test("login refuses what is not a name and a password", async () => {
  for (const json of [{}, { username: "bea" }, { username: 1, password: "x" }, [], null]) {
    await assertRefused(await app.call("POST", "/api/login", { json }), 400, "invalid_json");
  }
  for (const body of ["", "{", "username=bea"]) {
    await assertRefused(await app.call("POST", "/api/login", { body }), 400, "invalid_json");
  }
});

Deno.test("login refuses a wrong password and an unknown name in the same words", async () => {
  const wrong = { username: "bea", password: "badgers hold 9 hands" };
  const unknown = { username: "cleo", password: userPassword };
  const messages = [];
  for (const json of [wrong, unknown]) {
    const answer = await app.call("POST", "/api/login", { json, from: "192.0.2.1" });
    assert.equal(answer.headers.get("set-cookie"), null);
    messages.push(await assertRefused(answer, 403, "wrong_credentials"));
  }
  assert.equal(messages[0]?.replace("bea", "cleo"), messages[1]);
});

Deno.test("login gives a token as text and in a cookie that no script can read", async () => {
  const json = { username: "bea", password: userPassword, recaptcha: "" };
  const answer = await app.call("POST", "/api/login", { json });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  const token = await answer.text();
  assert.equal(
    answer.headers.get("set-cookie"),
    `auth=${token}; Path=/; Max-Age=7200; HttpOnly; SameSite=Lax`,
  );

  const { user, exp = 0, iat = 0, gen, sid } = decodeJwt<Record<string, unknown>>(token);
  // The session begins before the token is signed: a second may have begun in between.
  assert.ok(exp - iat === 7200 || exp - iat === 7199);
  assert.equal(typeof sid, "string");
  assert.equal(typeof gen, "number");
  assert.deepEqual(Object.keys(user as object).sort(), [
    "aceEditorTheme",
    "commands",
    "dateFormat",
    "density",
    "groupBy",
    "hideDotfiles",
    "hideReadme",
    "id",
    "keepModified",
    "keepRecent",
    "locale",
    "lockPassword",
    "perm",
    "picturesAsPhotos",
    "redirectAfterCopyMove",
    "singleClick",
    "theme",
    "tileSize",
    "trashWithoutAsking",
    "typeColumn",
    "username",
    "viewMode",
  ]);
  const used = await app.call("GET", "/api/resources/", { token });
  assert.equal(used.status, 200);
  await used.body?.cancel();
});

Deno.test("the cookie is secure under https and stays below the base URL", async () => {
  const json = https.admin;
  const headers = { "x-forwarded-proto": "https" };
  const secure = await https.call("POST", "/files/api/login", { json, headers, from: "10.0.0.1" });
  assert.match(
    secure.headers.get("set-cookie") ?? "",
    /; Path=\/files; Max-Age=60; HttpOnly; SameSite=Lax; Secure$/,
  );
  await secure.body?.cancel();
  const plain = await https.call("POST", "/files/api/login", { json, headers, from: "10.0.0.2" });
  assert.doesNotMatch(plain.headers.get("set-cookie") ?? "", /Secure/);
  await plain.body?.cancel();
});
