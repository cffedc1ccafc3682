// With two threads, too: sessions that are renewed or end.
import assert from "node:assert/strict";
import { join } from "node:path";
import { decodeJwt, SignJWT, UnsecuredJWT } from "jose";
import { halfSent } from "../../support/clients/half_sent.ts";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import { deny } from "../../support/data/rules.ts";

const app = await startApp({ tree: { "a.txt": "one" } });
Deno.test.afterAll(app.close);

const use = (token: string) => app.call("GET", "/api/resources/", { token });
const refused = async (token: string, told?: string) =>
  await assertRefused(await use(token), 401, "not_signed_in", told);

let count = 0;
const someone = () => app.addUser(`user ${++count}`);

Deno.test("a session token in the query is worth nothing", async () => {
  const { token } = await someone();
  for (const path of ["/api/raw/a.txt", "/api/resources/a.txt", "/api/sessions"]) {
    await assertStatus(await app.call("GET", `${path}?auth=${token}`), 401, path);
    await assertStatus(await app.call("GET", `${path}?token=${token}`), 401, path);
  }
});

Deno.test("a token in another header is worth nothing", async () => {
  const { token } = await someone();
  const headers = { authorization: `Bearer ${token}`, "x-auth-token": token };
  await assertStatus(await app.call("GET", "/api/resources/", { headers }), 401);
});

Deno.test("the cookie signs nobody in for what changes something", async () => {
  const { token } = await someone();
  const headers = { cookie: `auth=${token}` };
  for (
    const [method, path] of [
      ["POST", "/api/resources/new.txt"],
      ["PUT", "/api/resources/a.txt"],
      ["DELETE", "/api/resources/a.txt"],
      ["POST", "/api/ticket"],
      ["POST", "/api/logout"],
      ["POST", "/api/renew"],
      ["DELETE", "/api/sessions"],
    ] as const
  ) {
    await assertRefused(
      await app.call(method, path, { headers }),
      401,
      "not_signed_in",
      `${method} ${path}`,
    );
  }
  await assertStatus(await app.call("GET", "/api/raw/a.txt", { headers }), 200);
  assert.equal((await app.call("HEAD", "/api/raw/a.txt", { headers })).status, 200);
});

Deno.test("a wrong token is not made good by a right cookie", async () => {
  const { token } = await someone();
  const headers = { cookie: `auth=${token}` };
  const answer = await app.call("GET", "/api/resources/", { token: "a.b.c", headers });
  await assertRefused(answer, 401, "not_signed_in");
});

Deno.test("a token is dead after logout", async () => {
  const { token } = await someone();
  await assertStatus(await app.call("POST", "/api/logout", { token }), 200);
  await refused(token);
});

Deno.test("every token is dead after a change of password, permissions, scope or rules", async () => {
  const changes = [
    { password: "weasels hold 9 hands" },
    { scope: "/elsewhere" },
    { rules: [deny("/x")] },
    { commands: ["ls"] },
  ];
  for (const change of changes) {
    const { user, token } = await someone();
    await app.cubby.users.update(user.id, change);
    await refused(token, JSON.stringify(change));
  }
  const { user, token } = await someone();
  await app.cubby.users.update(user.id, { perm: { ...user.perm, download: false } });
  await refused(token, "perm");
});

Deno.test("a token is dead after its user is removed, also for the next one of that name", async () => {
  const { user, token } = await app.addUser("gone");
  await app.cubby.users.remove(user.id);
  await refused(token);
  await app.addUser("gone");
  await refused(token);
});

Deno.test("a body that is still coming when the sign-in ends changes nothing", async () => {
  const tus = { "upload-length": "9", "content-type": "application/offset+octet-stream" };
  const calls: [method: string, path: string, headers?: Record<string, string>][] = [
    ["PUT", "resources/f.txt"],
    ["PUT", "resources/f.txt?encoding=utf-8"],
    ["POST", "resources/f.txt?override=true"],
    ["POST", "resources/new.txt"],
    ["POST", "tus/new.txt", tus],
    ["POST", "tus/f.txt?override=true", tus],
  ];
  for (const [index, [method, path, headers]] of calls.entries()) {
    for (const isProgram of [false, true]) {
      const scope = `/late-${index}-${isProgram}`;
      const home = join(app.root, scope);
      await Deno.mkdir(home);
      await Deno.writeTextFile(join(home, "f.txt"), "former");
      const { user, token } = await app.addUser(`late ${index} ${isProgram}`, { scope });
      const { apiTokens, users } = app.cubby;
      const options = { name: "p", write: true, share: false, expires: null };
      const program = isProgram && await apiTokens.create(user.id, options, null);
      const end = program
        ? () => apiTokens.get(program.token.id).then((found) => apiTokens.remove(found))
        : () => users.update(user.id, { password: "weasels hold 9 hands" });
      const answer = await app.call(method, `/api/${path}`, {
        token: program ? program.secret : token,
        headers,
        body: halfSent(home, end),
      });
      await assertRefused(answer, 401, "not_signed_in", `${method} ${path}`);
      const shown = [...Deno.readDirSync(home)].map(({ name }) => name)
        .filter((name) => !name.startsWith("."));
      assert.deepEqual(shown, ["f.txt"], path);
      assert.equal(await Deno.readTextFile(join(home, "f.txt")), "former", path);
    }
  }
  const { token } = await someone();
  const body = halfSent(app.root, () => Promise.resolve());
  await assertStatus(await app.call("POST", "/api/resources/whole.txt", { token, body }), 200);
  assert.equal(await Deno.readTextFile(join(app.root, "whole.txt")), "half done");
});

Deno.test("a token dies with its time", async () => {
  const { token } = await someone();
  const lifeMs = app.cubby.config.tokenLifeMs;
  await app.later(lifeMs - 60_000, async () => await assertStatus(await use(token), 200));
  await app.later(lifeMs + 1_000, async () => await refused(token));
});

Deno.test("a token spelled in another way is not taken", async () => {
  const { token } = await someone();
  const [head = "", claims = "", mark = ""] = token.split(".");
  const bits = (text: string) => text.replace(/.$/, (last) => last === "A" ? "B" : "A");
  const spellings = [
    `${token}.`,
    `.${token}`,
    `${token}=`,
    `${head}=.${claims}.${mark}`,
    `${token}.x`,
    `${head}.${claims}`,
    `${head}.${claims}.`,
    `${head}..${mark}`,
    `${head}.${claims}.${bits(mark)}`,
    `${bits(head)}.${claims}.${mark}`,
    `${head}.${bits(claims)}.${mark}`,
    token.toUpperCase(),
    token.replaceAll(".", "%2e"),
    `Bearer ${token}`,
    `${token},${token}`,
    "",
    "null",
    "undefined",
    "...",
    "a".repeat(10_000),
  ];
  for (const spelling of spellings) {
    if (spelling === token) continue;
    const answer = await app.call("GET", "/api/resources/", { headers: { "x-auth": spelling } });
    await assertRefused(answer, 401, "not_signed_in", spelling.slice(0, 80));
  }
  await assertStatus(await use(token), 200);
});

Deno.test("a token without a signature, of another algorithm or key is not taken", async () => {
  const claims = decodeJwt(await app.tokenOf("admin"));
  await refused(new UnsecuredJWT(claims).encode(), "none");

  const key = crypto.getRandomValues(new Uint8Array(64));
  for (const alg of ["HS256", "HS384", "HS512"]) {
    await refused(await new SignJWT(claims).setProtectedHeader({ alg }).sign(key), alg);
  }
  const empty = new Uint8Array(32);
  await refused(await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(empty), "0");

  const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new Error("no pair");
  const signed = new SignJWT(claims).setProtectedHeader({ alg: "EdDSA" });
  await refused(await signed.sign(pair.privateKey), "EdDSA");
});

Deno.test("claims of one token do not fit under the signature of another", async () => {
  const [weak, strong] = [(await someone()).token, await app.tokenOf("admin")];
  const [head, , mark] = weak.split(".");
  await refused(`${head}.${strong.split(".")[1]}.${mark}`);
});

function renewByCookie(token: string): Promise<Response> {
  return app.call("POST", "/api/renew", { token: "cookie", headers: { cookie: `auth=${token}` } });
}

Deno.test("a former token lives for half a minute, and whoever uses it later ends the session", async () => {
  const { token: first } = await someone();
  const second = await (await renewByCookie(first)).text();
  await assertStatus(await use(first), 200);
  await app.later(31_000, async () => {
    await assertStatus(await use(second), 200);
    await refused(first);
    await refused(second, "the session has ended");
  });
});

Deno.test("renewing with a former token after its time ends the session", async () => {
  const { token: first } = await someone();
  const second = await (await renewByCookie(first)).text();
  await app.later(31_000, async () => {
    await assertStatus(await renewByCookie(first), 401);
    await refused(second);
  });
});

Deno.test("no token, password or ticket is written to the log", async () => {
  const { username, password } = app.admin;
  const login = await app.call("POST", "/api/login", { json: { username, password } });
  const token = await login.text();
  const json = { path: "/a.txt", use: "raw" };
  const ticket = await (await app.call("POST", "/api/ticket", { token, json })).text();
  await assertStatus(await app.call("GET", `/api/raw/a.txt?auth=${ticket}`), 200);

  const isLogged = () => app.log.requests.some(({ path }) => path === "/api/raw/a.txt");
  while (!isLogged()) await new Promise((resolve) => setTimeout(resolve, 10));
  const logged = JSON.stringify([app.log.lines, app.log.requests]);
  for (const secret of [token, ticket, password]) assert.ok(!logged.includes(secret));
});
