import assert from "node:assert/strict";
import { forgetPeak, peakBytes } from "../../support/probes/processes.ts";
import { requestHead } from "../../support/clients/raw_http.ts";
import { startServer } from "../../support/server/server.ts";

/** Clients that send the body of a call at a time, all but its last byte. */
const senders = 40;

/** Most memory of the server, in bytes, whatever is sent. */
const maxMemoryBytes = 400 * 2 ** 20;

/**
 * Most processor time of the serving thread from a question about its health to the answer, in
 * milliseconds. Not the time that passes, which on a machine with other work says nothing about the
 * server; what the thread does until the watcher runs again counts as well. Beside other work
 * the same requests take two to three times as much, so these tests run alone.
 */
const maxBlockedMs = 100;

/** A server is at rest when so many answers in a row took less than this, in milliseconds. */
const restMs = 10;
const answersAtRest = 5;

/** What is sent to calls that take a body of any length, and write it to the disk. */
const uploadBytes = 4 * 2 ** 20;

const unit = { KiB: 2 ** 10, MiB: 2 ** 20 };

const server = await startServer({ flags: ["--webdav"] });
const watcher = new Worker(
  new URL("../../support/probes/health_watcher.ts", import.meta.url),
  { type: "module" },
);
Deno.test.afterAll(async () => {
  watcher.terminate();
  await server.stop();
});
const { hostname, port } = new URL(server.url);
const login = JSON.stringify({ username: server.username, password: server.password });
const signedIn = await fetch(`${server.url}/api/login`, { method: "POST", body: login });
const token = await signedIn.text();
const authorization = `Basic ${btoa(`${server.username}:${server.password}`)}`;

/** A call with a body. */
interface Call {
  method: string;
  path: string;
  /** The longest body. */
  bytes: number;
}

/** An operation of the API document. */
interface Operation {
  requestBody?: { description: string; content: Record<string, unknown> };
  security: unknown[];
}

/** All calls of the API document that have a body, and the longest of each. */
async function callsOf(): Promise<Call[]> {
  const document = await (await fetch(`${server.url}/api/openapi.json`)).json();
  return Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody, security }]): Call[] => {
      if (!requestBody) return [];
      const isOpen = security.length === 0;
      const bytes = limitOf(requestBody, isOpen);
      return [{ method: method.toUpperCase(), path: path.replace(/\{[^}]+\}/g, "1"), bytes }];
    })
  );
}

function limitOf({ description, content }: Required<Operation>["requestBody"], isOpen: boolean) {
  if (!Object.keys(content).some((type) => /json|form/.test(type))) return uploadBytes;
  const own = isOpen ? /(\d+) (KiB) without a session/.exec(description) : null;
  const [, count, name] = own ?? /^(?:At most|Up to) (\d+) ([KM]iB)/.exec(description) ?? [];
  assert.ok(name === "KiB" || name === "MiB", `the document tells no limit: ${description}`);
  return Number(count) * unit[name];
}

const dav = ["PROPFIND", "PROPPATCH", "LOCK"].map((method): Call => {
  return { method, path: "/dav/1", bytes: 256 * unit.KiB };
});

/** Sends a body without its last byte. Resolves when all is sent, or something is answered. */
async function sendAlmost(socket: Deno.Conn, { method, path, bytes }: Call): Promise<void> {
  const isDav = path.startsWith("/dav/");
  const head = requestHead(method, path, {
    ...{ "content-length": bytes, "content-type": "application/json" },
    ...isDav ? { authorization } : { "x-auth": token },
  });
  const answered = socket.read(new Uint8Array(1)).catch(() => null);
  const part = new TextEncoder().encode(`"${"x".repeat(64 * 1024 - 1)}`);
  async function send(): Promise<void> {
    await socket.write(new TextEncoder().encode(head));
    for (let left = bytes - 1; left > 0;) left -= await socket.write(part.subarray(0, left));
  }
  await Promise.race([send().catch(() => {}), answered]);
}

/** Most processor time of the serving thread between two answers on its health since the last call. */
async function maxBlockMs(): Promise<number> {
  watcher.postMessage({ url: server.url, pid: server.pid });
  const { promise, resolve } = Promise.withResolvers<number>();
  watcher.onmessage = ({ data }) => resolve(data);
  return await promise;
}

/** The same until the server has taken in what was sent: most of it is in buffers of the kernel then. */
async function longestBlockUntilRest(): Promise<number> {
  let worst = 0;
  for (let answers = 0; answers < answersAtRest;) {
    const latest = await maxBlockMs();
    worst = Math.max(worst, latest);
    answers = latest < restMs ? answers + 1 : 0;
  }
  return worst;
}

/** The largest last: what they leave to the garbage collector counts for those after them. */
const calls = [...await callsOf(), ...dav].sort((a, b) => a.bytes - b.bytes);

for (const call of calls) {
  const { method, path, bytes } = call;
  Deno.test(`${senders} unfinished bodies of ${bytes} bytes to ${method} ${path} take bounded memory`, async () => {
    forgetPeak(server.pid);
    const to = { hostname, port: Number(port) };
    const sockets = await Promise.all(Array.from({ length: senders }, () => Deno.connect(to)));
    try {
      await maxBlockMs();
      await Promise.all(sockets.map((socket) => sendAlmost(socket, call)));
      const blocked = await longestBlockUntilRest();
      assert.ok(blocked < maxBlockedMs, `the thread was busy for ${Math.round(blocked)} ms`);
    } finally {
      for (const socket of sockets) socket.close();
    }
    await maxBlockMs();
    const peak = peakBytes(server.pid);
    assert.ok(peak < maxMemoryBytes, `${Math.round(peak / 2 ** 20)} MiB`);
  });
}
