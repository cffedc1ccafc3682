import assert from "node:assert/strict";
import { forgetPeak, peakBytes, threadTime } from "../../support/probes/processes.ts";
import { requestHead } from "../../support/clients/raw_http.ts";
import { startServer } from "../../support/server/server.ts";

/** Clients that send the body of a call at a time, all but its last byte. */
const senders = 40;

/** Most memory of the server, in bytes, whatever is sent. */
const mostMemory = 400 * 2 ** 20;

/**
 * Most processor time of the serving thread from a question about its health to the answer. Alone
 * that is under 100 ms; what the thread does until this process runs again counts as well.
 */
const mostBlockedMs = 400;

/** What is sent to calls that take a body of any length, and write it to the disk. */
const uploadBytes = 4 * 2 ** 20;

const unit = { KiB: 2 ** 10, MiB: 2 ** 20 };

const server = await startServer({ flags: ["--webdav"] });
Deno.test.afterAll(async () => void await server.stop());
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
  const [, count, name] = own ?? /^Up to (\d+) ([KM]iB)/.exec(description) ?? [];
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

/** Asks for the health of the server until something is over. The most that the answers took. */
async function watchHealth(end: Promise<unknown>): Promise<number> {
  let [isOver, worst] = [false, 0];
  end.finally(() => isOver = true);
  while (!isOver) {
    const before = threadTime(server.pid);
    const answer = await fetch(`${server.url}/health`);
    await answer.body?.cancel();
    assert.equal(answer.status, 200);
    worst = Math.max(worst, threadTime(server.pid) - before);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return worst;
}

for (const call of [...await callsOf(), ...dav]) {
  const { method, path, bytes } = call;
  Deno.test(`${senders} unfinished bodies of ${bytes} bytes to ${method} ${path} take bounded memory`, async () => {
    forgetPeak(server.pid);
    const to = { hostname, port: Number(port) };
    const sockets = await Promise.all(Array.from({ length: senders }, () => Deno.connect(to)));
    try {
      const sent = Promise.all(sockets.map((socket) => sendAlmost(socket, call)));
      const blocked = await watchHealth(sent);
      assert.ok(blocked < mostBlockedMs, `the thread was busy for ${blocked} ms`);
    } finally {
      for (const socket of sockets) socket.close();
    }
    await watchHealth(Promise.resolve());
    const peak = peakBytes(server.pid);
    assert.ok(peak < mostMemory, `${Math.round(peak / 2 ** 20)} MiB`);
  });
}
