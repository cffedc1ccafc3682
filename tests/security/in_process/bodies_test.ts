import assert from "node:assert/strict";
import { startApp } from "../../support/server/app.ts";
import { assertRefused } from "../../support/server/refused.ts";
import { requestHead } from "../../support/clients/raw_http.ts";

const app = await startApp({ inProcess: true });
const listener = app.listen();
Deno.test.afterAll(app.close);
const token = await app.tokenOf("admin");

Deno.test("an upload that is not as long as it was said to be makes no file", async () => {
  for (const length of ["3", "9"]) {
    const headers = { "content-length": length };
    const path = "/api/resources/wrong_length.txt";
    const answer = await app.call("POST", path, { token, headers, body: "12345" });
    await assertRefused(answer, 400, "invalid_body", length);
  }
  assert.deepEqual([...Deno.readDirSync(app.root)], []);
});

/** Clients that send the head of a request, the first byte of its body, and no more. */
async function sendSlowly(count: number, headers: Record<string, string | number>, path: string) {
  const head = new TextEncoder().encode(`${requestHead("POST", path, headers)}{`);
  const sockets = await Promise.all(Array.from({ length: count }, () => Deno.connect(listener)));
  for (const socket of sockets) await socket.write(head);
  return {
    [Symbol.dispose]() {
      for (const socket of sockets) socket.close();
    },
  };
}

/** Asks until the server has taken the slow bodies, and refuses one more. */
async function untilRefused(ask: () => Promise<Response>): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const answer = await ask();
    if (answer.status !== 503) {
      await answer.body?.cancel();
      continue;
    }
    await assertRefused(answer, 503, "busy");
    return assert.equal(answer.headers.get("retry-after"), "5");
  }
  throw new Error("No request was refused");
}

Deno.test("slow bodies of one user take half of the memory for bodies, and keep no other waiting", async () => {
  const other = await app.addUser("patient");
  const length = 1024 * 1024;
  const ask = (token: string, length: number) => {
    const body = JSON.stringify({ padding: "x".repeat(length - 100) });
    const headers = { "x-auth": token, accept: "application/json" };
    return fetch(`${listener.url}/api/thumbhashes`, { method: "POST", headers, body });
  };
  using _slow = await sendSlowly(100, { "x-auth": token, "content-length": length }, "/api/ticket");
  await untilRefused(() => ask(token, length));
  await assertRefused(await ask(other.token, length), 400, "invalid_body");
  await assertRefused(await ask(token, 200), 400, "invalid_body");
});

Deno.test("short slow bodies of one address are limited in number, and keep no other address waiting", async () => {
  using _slow = await sendSlowly(260, { "content-length": 1000 }, "/api/login");
  const json = { username: "nobody", password: "none" };
  await untilRefused(() => app.call("POST", "/api/login", { json }));
  const elsewhere = await app.call("POST", "/api/login", { json, from: "192.0.2.7" });
  await assertRefused(elsewhere, 403, "wrong_credentials");
});

Deno.test("the memory of bodies is free again after their answers", async () => {
  const padding = "x".repeat(1024 * 1024 - 20);
  for (let round = 0; round < 300; round++) {
    const answer = await app.call("POST", "/api/thumbhashes", { token, json: { padding } });
    await assertRefused(answer, 400, "invalid_body");
  }
});
