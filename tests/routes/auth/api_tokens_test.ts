import assert from "node:assert/strict";
import type { ApiTokenInfo, NewApiToken } from "../../../lib/shared/schemas/api_token.ts";
import { startApp, userPassword } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({
  tree: { "a.txt": "one", docs: { "b.txt": "two", deep: { "c.txt": "three" } } },
});
Deno.test.afterAll(app.close);

async function make(token: string, draft: Record<string, unknown> = {}): Promise<NewApiToken> {
  const json = { name: "backup", current_password: userPassword, ...draft };
  const answer = await app.call("POST", "/api/tokens", { token, json });
  assert.equal(answer.status, 201, await answer.clone().text());
  return await answer.json();
}

async function list(token: string, query = ""): Promise<ApiTokenInfo[]> {
  const answer = await app.call("GET", `/api/tokens${query}`, { token });
  assert.equal(answer.status, 200);
  return await answer.json();
}

Deno.test("making a token wants the present password", async () => {
  const { token } = await app.addUser("ada");
  const ask = (json: unknown) => app.call("POST", "/api/tokens", { token, json });
  await assertRefused(await ask({ name: "x" }), 403, "wrong_credentials");
  const wrong = { name: "x", current_password: "not the right one" };
  await assertRefused(await ask(wrong), 403, "wrong_credentials");
  assert.deepEqual(await list(token), []);
});

Deno.test("making a token refuses a name, an end or a folder that cannot be", async () => {
  const { token } = await app.addUser("bo");
  const ask = (draft: Record<string, unknown>) => {
    const json = { name: "x", current_password: userPassword, ...draft };
    return app.call("POST", "/api/tokens", { token, json });
  };
  for (
    const draft of [
      { name: "" },
      { name: "  " },
      { name: "a\nb" },
      { name: "a".repeat(101) },
      { name: 7 },
      { write: "yes" },
      { expires: "tomorrow" },
      { expires: new Date(Date.now() - 1000).toISOString() },
    ]
  ) await assertRefused(await ask(draft), 400, "invalid_body");
  await assertRefused(await ask({ folder: "/../docs" }), 400, "invalid_path");
  await assertRefused(await ask({ folder: "/none" }), 404, "not_found");
  await assertRefused(await ask({ folder: "/a.txt" }), 404, "not_found");
  assert.deepEqual(await list(token), []);
});

Deno.test("a user has at most a hundred tokens", async () => {
  const { user, token } = await app.addUser("cleo");
  const draft = { name: "x", write: false, share: false, expires: null };
  for (let count = 0; count < 100; count++) await app.cubby.apiTokens.create(user.id, draft, null);
  const json = { name: "x", current_password: userPassword };
  await assertRefused(await app.call("POST", "/api/tokens", { token, json }), 400, "invalid_body");
});

Deno.test("a new token is told once, and the store holds no more than its digest", async () => {
  const { token } = await app.addUser("dan");
  const { token: secret, ...info } = await make(token, { name: " Backup  " });
  assert.match(secret, /^cubby_[\w-]{43}$/);
  assert.equal(info.name, "Backup");
  assert.deepEqual([info.write, info.share, info.folder, info.expires], [false, false, null, null]);
  assert.deepEqual(await list(token), [info]);
  const records = await app.cubby.store.list<unknown>([]);
  assert.ok(!JSON.stringify(records.map(({ key, value }) => [key, value])).includes(secret));
});

Deno.test("a token counts in X-Auth, as a bearer, and as the password of any name", async () => {
  const { token } = await app.addUser("eve");
  const { token: secret } = await make(token);
  const ways: Record<string, string>[] = [
    { "x-auth": secret },
    { authorization: `Bearer ${secret}` },
    { authorization: `bearer ${secret}` },
    { authorization: `Basic ${btoa(`eve:${secret}`)}` },
    { authorization: `Basic ${btoa(`:${secret}`)}` },
    { authorization: `Basic ${btoa(`somebody else:${secret}`)}` },
  ];
  for (const headers of ways) {
    const answer = await app.call("GET", "/api/raw/a.txt", { headers });
    assert.equal(await answer.text(), "one", JSON.stringify(headers));
  }
});

Deno.test("a session's token in X-Auth decides, whatever a proxy's password is", async () => {
  const { token } = await app.addUser("finn");
  const { token: secret } = await make(token);
  const headers = { authorization: `Basic ${btoa(`proxy:${secret}`)}` };
  await assertStatus(await app.call("GET", "/api/sessions", { token, headers }), 200);
  const other = { authorization: `Basic ${btoa("proxy:its password")}` };
  await assertStatus(await app.call("GET", "/api/sessions", { token, headers: other }), 200);
});

Deno.test("the list says when a token was used last, a minute behind at most", async () => {
  const { token } = await app.addUser("gus");
  const { token: secret } = await make(token);
  const before = (await list(token))[0];
  assert.equal(before?.lastUsed, null);
  const use = () => app.call("GET", "/api/raw/a.txt", { token: secret });
  await (await use()).text();
  const used = (await list(token))[0]?.lastUsed;
  assert.ok(used && Math.abs(Date.parse(used) - Date.now()) < 60_000);
  await (await use()).text();
  assert.equal((await list(token))[0]?.lastUsed, used, "one note a minute");
});

Deno.test("a revoked token is dead at once", async () => {
  const { token } = await app.addUser("hal");
  const made = await make(token);
  const use = () => app.call("GET", "/api/raw/a.txt", { token: made.token });
  assert.equal(await (await use()).text(), "one");
  await assertStatus(await app.call("DELETE", `/api/tokens/${made.id}`, { token }), 200);
  await assertRefused(await use(), 401, "not_signed_in");
  assert.deepEqual(await list(token), []);
  const again = await app.call("DELETE", `/api/tokens/${made.id}`, { token });
  await assertRefused(again, 404, "not_found");
});

Deno.test("administrators list and revoke the tokens of others, and nobody else does", async () => {
  const { user, token } = await app.addUser("ida");
  const { token: strange } = await app.addUser("jim");
  const { id } = await make(token);
  const path = `/api/tokens?user=${user.id}`;
  await assertRefused(await app.call("GET", path, { token: strange }), 403, "forbidden");
  const end = (by: string) => app.call("DELETE", `/api/tokens/${id}`, { token: by });
  await assertRefused(await end(strange), 404, "not_found");
  const admin = await app.tokenOf("admin");
  assert.deepEqual((await list(admin, `?user=${user.id}`)).map((each) => each.id), [id]);
  await assertRefused(
    await app.call("GET", "/api/tokens?user=none", { token: admin }),
    400,
    "invalid_option",
  );
  await assertStatus(await end(admin), 200);
  assert.deepEqual(await list(token), []);
});

Deno.test("a token of a user who is removed is dead, and leaves no record", async () => {
  const { user, token } = await app.addUser("kim");
  const { token: secret, id } = await make(token);
  await app.cubby.users.remove(user.id);
  await assertRefused(
    await app.call("GET", "/api/raw/a.txt", { token: secret }),
    401,
    "not_signed_in",
  );
  await assert.rejects(app.cubby.apiTokens.get(id), { code: "not_found" });
});

Deno.test("a token may do no more than its user may at the moment", async () => {
  const { user, token } = await app.addUser("leo");
  const { token: secret } = await make(token, { write: true });
  const put = (path: string) => app.call("POST", path, { token: secret, body: "new" });
  await assertStatus(await put("/api/resources/leo.txt"), 200);
  await app.cubby.users.update(user.id, { perm: { ...user.perm, create: false } });
  await assertRefused(await put("/api/resources/leo2.txt"), 403, "forbidden");
  await app.cubby.users.update(user.id, {
    rules: [{ allow: false, regex: false, path: "/docs", regexp: { raw: "" } }],
  });
  const hidden = await app.call("GET", "/api/raw/docs/b.txt", { token: secret });
  await assertRefused(hidden, 403, "forbidden");
  await app.cubby.users.update(user.id, { scope: "/docs" });
  const gone = await app.call("GET", "/api/raw/a.txt", { token: secret });
  await assertRefused(gone, 404, "not_found");
});

Deno.test("a bound token works below its folder, by the paths of its user", async () => {
  const { token } = await app.addUser("max");
  const { token: secret, folder } = await make(token, { folder: "/docs", write: true });
  assert.equal(folder, "/docs");
  const get = (path: string) => app.call("GET", `/api/raw${path}`, { token: secret });
  assert.equal(await (await get("/docs/b.txt")).text(), "two");
  assert.equal(await (await get("/docs/deep/c.txt")).text(), "three");
  await assertRefused(await get("/a.txt"), 403, "forbidden");
  const folders = await app.call("GET", "/api/resources/docs/", { token: secret });
  assert.equal((await folders.json()).numFiles, 1);
  await assertRefused(
    await app.call("GET", "/api/resources/", { token: secret }),
    403,
    "forbidden",
  );
});

Deno.test("a bound token stays with the place of its folder when its user's scope changes", async () => {
  const { user, token } = await app.addUser("ned");
  const { token: secret } = await make(token, { folder: "/docs/deep" });
  const get = (path: string) => app.call("GET", `/api/raw${path}`, { token: secret });
  assert.equal(await (await get("/docs/deep/c.txt")).text(), "three");
  await app.cubby.users.update(user.id, { scope: "/docs" });
  assert.equal(await (await get("/deep/c.txt")).text(), "three");
  await app.cubby.users.update(user.id, { scope: "/docs/deep/none" });
  await assertRefused(await get("/deep/c.txt"), 401, "not_signed_in");
});

Deno.test("a token ends at its time, and is listed for a month more", async () => {
  const { token } = await app.addUser("oda");
  const expires = new Date(Date.now() + 60_000).toISOString();
  const { token: secret } = await make(token, { expires });
  const use = () => app.call("GET", "/api/raw/a.txt", { token: secret });
  assert.equal(await (await use()).text(), "one");
  if (Deno.env.get("WORKERS")) return;
  await app.later(61_000, async () => {
    await assertRefused(await use(), 401, "not_signed_in");
    await app.cubby.apiTokens.removeExpired();
  });
  assert.equal((await list(token)).length, 1);
  await app.later(31 * 24 * 60 * 60 * 1000, () => app.cubby.apiTokens.removeExpired());
  assert.deepEqual(await list(token), []);
});
