import assert from "node:assert/strict";
import { processorTime } from "../../support/probes/processes.ts";
import { startServer } from "../../support/server/server.ts";

const server = await startServer();
Deno.test.afterAll(async () => void await server.stop());
const login = JSON.stringify({ username: server.username, password: server.password });
const token = await (await post("/api/login", "", login)).text();

async function post(path: string, token: string, body: string): Promise<Response> {
  return await fetch(server.url + path, { method: "POST", headers: { "x-auth": token }, body });
}

/** Bodies of a size that take a parser far longer than a text does. */
const costly: [name: string, body: (bytes: number) => string][] = [
  ["nested lists", (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2)],
  ["lists that do not end", (bytes) => "[".repeat(bytes)],
  ["many names", (bytes) => `{${repeat((index) => `"a${index}":0`, bytes)}}`],
  ["many objects", (bytes) => `[${repeat(() => "{}", bytes)}]`],
  ["many numbers", (bytes) => `{"paths":[${repeat(() => "1", bytes)}]}`],
  ["names that are numbers", (bytes) => `{${repeat((index) => `"${index * 4096}":0`, bytes)}}`],
];

function repeat(part: (index: number) => string, bytes: number): string {
  const parts: string[] = [];
  for (let length = 8, index = 0; length < bytes - 20; index++) {
    const next = part(index);
    parts.push(next);
    length += next.length + 1;
  }
  return parts.join();
}

/** Processor time of the server for a body that is sent some times, in milliseconds. */
async function costOf(path: string, token: string, body: string, times: number): Promise<number> {
  const before = processorTime(server.pid);
  for (let count = 0; count < times; count++) {
    const answer = await post(path, token, body);
    assert.ok([400, 413].includes(answer.status), `${path}: ${answer.status}`);
    await answer.body?.cancel();
  }
  return processorTime(server.pid) - before;
}

const calls: [path: string, token: string, bytes: number, times: number][] = [
  ["/api/login", "", 1_000_000, 10],
  ["/api/signup", "", 16_000, 200],
  ["/api/public/invite", "", 16_000, 200],
  ["/api/thumbhashes", token, 1_000_000, 30],
  ["/api/size/", token, 4_000_000, 5],
];

for (const [path, token, bytes, times] of calls) {
  Deno.test(`${bytes} bytes of small values cost ${path} not much more than a text`, async () => {
    const text = JSON.stringify("x".repeat(bytes - 2));
    await costOf(path, token, text, times);
    const plain = await costOf(path, token, text, times);
    for (const [name, body] of costly) {
      const cost = await costOf(path, token, body(bytes), times);
      assert.ok(cost <= 4 * plain + 300, `${name}: ${cost} ms, a text ${plain} ms`);
    }
  });
}
