/** What a server that is killed has reserved in a quota does not stay reserved. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../support/disks/files.ts";
import { requestHead } from "../support/clients/raw_http.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";

const username = "anna";
const password = "four herons at dawn";
const quota = { bytes: 1_000_000, files: 0 };

async function send(
  { url }: RunningServer,
  method: string,
  path: string,
  { token, json, headers }: { token?: string; json?: unknown; headers?: Record<string, string> },
): Promise<string> {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const own = { ...headers, ...token && { "x-auth": token } };
  const answer = await fetch(url + path, { method, headers: own, body });
  const text = await answer.text();
  assert.ok(answer.ok, `${answer.status} ${text}`);
  return text;
}

async function usedBytes(server: RunningServer, token: string): Promise<number> {
  return JSON.parse(await send(server, "GET", "/api/usage/", { token })).used;
}

/** Waits until so many bytes are used or reserved. */
async function isUsed(server: RunningServer, token: string, bytes: number): Promise<void> {
  for (const end = Date.now() + 30_000; await usedBytes(server, token) !== bytes;) {
    assert.ok(Date.now() < end, `${bytes} bytes were never in use`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test("a killed server leaves no reservation for ever, and the next start ends it", async () => {
  await using folder = await temporaryFolder();
  const [root, data] = [join(folder.path, "root"), join(folder.path, "data")];
  await Deno.mkdir(join(root, "anna"), { recursive: true });
  {
    await using server = await startServer({ root, data });
    const signIn = (as: object) => send(server, "POST", "/api/login", { json: as });
    const admin = await signIn({ username: server.username, password: server.password });
    const user = { username, password, scope: "/anna", quota };
    const json = { what: "user", current_password: server.password, data: user };
    await send(server, "POST", "/api/users", { token: admin, json });
    const token = await signIn({ username, password });
    // One upload that goes on later, and one that is under way.
    const length = { "upload-length": "300000" };
    await send(server, "POST", "/api/tus/later", { token, headers: length });
    const { hostname, port } = new URL(server.url);
    using socket = await Deno.connect({ hostname, port: Number(port) });
    const head = requestHead("POST", "/api/resources/now", {
      ...{ "x-auth": token, "content-length": 600_000, host: hostname },
    });
    await socket.write(new TextEncoder().encode(head.replace("host: cubby.test\r\n", "")));
    await isUsed(server, token, 900_000);
    Deno.kill(server.pid, "SIGKILL");
    await server.ended;
  }
  await using server = await startServer({ root, data });
  const token = await send(server, "POST", "/api/login", { json: { username, password } });
  // The upload that goes on keeps its room. A start that is slow ends the other while it serves.
  await isUsed(server, token, 300_000);
  await send(server, "DELETE", "/api/tus/later", { token });
  assert.equal(await usedBytes(server, token), 0);
});

Deno.test("what a kill in the midst of a deletion has left is counted right after the start", async () => {
  await using folder = await temporaryFolder();
  const [root, data] = [join(folder.path, "root"), join(folder.path, "data")];
  const large = join(root, "anna", "large");
  const count = 20_000;
  await Deno.mkdir(large, { recursive: true });
  for (let index = 0; index < count; index++) Deno.writeTextFileSync(join(large, `${index}`), "x");
  const namesLeft = () => [...Deno.readDirSync(large)].length;
  {
    await using server = await startServer({ root, data });
    const signIn = (as: object) => send(server, "POST", "/api/login", { json: as });
    const admin = await signIn({ username: server.username, password: server.password });
    const user = { username, password, scope: "/anna", quota: { bytes: 0, files: 30_000 } };
    const json = { what: "user", current_password: server.password, data: user };
    await send(server, "POST", "/api/users", { token: admin, json });
    const token = await signIn({ username, password });
    assert.equal(await usedFiles(server, token), count + 1);
    const headers = { "x-auth": token };
    const deleting = fetch(`${server.url}/api/resources/large?trash=false`, {
      method: "DELETE",
      headers,
    }).then((answer) => answer.body?.cancel(), () => {});
    while (namesLeft() > count - 500) await new Promise((resolve) => setTimeout(resolve, 1));
    Deno.kill(server.pid, "SIGKILL");
    await server.ended;
    await deleting;
  }
  const left = namesLeft();
  assert.ok(left > 0 && left < count, `${left} are left`);
  await using server = await startServer({ root, data });
  const token = await send(server, "POST", "/api/login", { json: { username, password } });
  assert.equal(await usedFiles(server, token), left + 1);
});

async function usedFiles(server: RunningServer, token: string): Promise<number> {
  return JSON.parse(await send(server, "GET", "/api/usage/", { token })).quota.usedFiles;
}
