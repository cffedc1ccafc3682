// With two threads, too: tickets that count once or end.
import assert from "node:assert/strict";
import { decodeJwt } from "jose";
import { startApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";

const app = await startApp({ tree: { "a.txt": "one", "b.txt": "two", folder: { "c.txt": "3" } } });
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

async function ticketFor(path: string, use = "raw", as = token): Promise<string> {
  const answer = await app.call("POST", "/api/ticket", { token: as, json: { path, use } });
  return await answer.text();
}

Deno.test("a ticket is good for its own path alone", async () => {
  const ticket = await ticketFor("/a.txt");
  for (const path of ["b.txt", "folder/c.txt", "a.txt/x", "", "%61.txt.bak", "folder/../b.txt"]) {
    await assertStatus(await app.call("GET", `/api/raw/${path}?auth=${ticket}`), 401, path);
  }
  const ofFolder = await ticketFor("/folder");
  await assertStatus(await app.call("GET", `/api/raw/folder/c.txt?auth=${ofFolder}`), 401);
});

Deno.test("a ticket is good for its own use alone", async () => {
  const command = await ticketFor("/a.txt", "command");
  await assertStatus(await app.call("GET", `/api/raw/a.txt?auth=${command}`), 401);

  const raw = await ticketFor("/a.txt");
  for (const call of ["resources/a.txt", "usage/a.txt", "sessions"]) {
    const answer = await app.call("GET", `/api/${call}?auth=${raw}`);
    await assertStatus(answer, 401, call);
  }
});

Deno.test("a ticket is no session token, in no place", async () => {
  const ticket = await ticketFor("/a.txt");
  const headers = { cookie: `auth=${ticket}` };
  await assertStatus(await app.call("GET", "/api/raw/a.txt", { token: ticket }), 401);
  await assertStatus(await app.call("GET", "/api/raw/a.txt", { headers }), 401);
  await assertStatus(await app.call("POST", "/api/renew", { token: ticket }), 401);
});

Deno.test("a ticket writes and deletes nothing", async () => {
  const ticket = await ticketFor("/a.txt");
  for (const method of ["PUT", "DELETE", "POST"]) {
    const answer = await app.call(method, `/api/resources/a.txt?auth=${ticket}`);
    await assertRefused(answer, 401, "not_signed_in", method);
  }
});

Deno.test("what a form chooses is not handed out to the cookie, nor to another ticket", async () => {
  const form = (files: string) => {
    const body = new FormData();
    body.append("files", files);
    return body;
  };
  const ask = (rest: string, headers: Record<string, string> = {}) =>
    app.call("POST", `/api/raw/${rest}`, { headers, body: form("c.txt") });
  await assertStatus(await ask("folder", { cookie: `auth=${token}` }), 401);
  for (const ticket of [await ticketFor("/"), await ticketFor("/folder", "command"), token]) {
    await assertStatus(await ask(`folder?auth=${ticket}`), 401);
  }
  const own = await ticketFor("/folder");
  await assertStatus(await ask(`folder?auth=${own}`), 200);
  const climbing = { body: form("..%2Fa.txt") };
  const answer = await app.call("POST", `/api/raw/folder?auth=${own}`, climbing);
  await assertRefused(answer, 400, "invalid_path");
  const { token: weak } = await app.addUser("dina", { perm: { download: false } });
  await assertStatus(await ask(`folder?auth=${await ticketFor("/folder", "raw", weak)}`), 403);
});

Deno.test("a ticket of nobody, of an altered mark or a second one after it is refused", async () => {
  const ticket = await ticketFor("/a.txt");
  for (const wrong of ["", "x", `${ticket}x`, ticket.slice(0, -2), `x&auth=${ticket}`]) {
    await assertStatus(await app.call("GET", `/api/raw/a.txt?auth=${wrong}`), 401, wrong);
  }
});

Deno.test("a ticket lives for a minute and dies with its session", async () => {
  const { token: own } = await app.addUser("bea");
  const ticket = await ticketFor("/a.txt", "raw", own);
  const use = () => app.call("GET", `/api/raw/a.txt?auth=${ticket}`);
  const { exp = 0, iat = 0 } = decodeJwt(ticket);
  assert.equal(exp - iat, 60);

  await assertStatus(await use(), 200);
  await assertStatus(await app.call("POST", "/api/logout", { token: own }), 200);
  await assertStatus(await use(), 401);
});

Deno.test("a ticket gives no more than its user may", async () => {
  const { token: weak } = await app.addUser("cleo", { perm: { download: false } });
  const ticket = await ticketFor("/a.txt", "raw", weak);
  await assertStatus(await app.call("GET", `/api/raw/a.txt?auth=${ticket}`), 403);
});
