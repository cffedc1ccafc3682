import assert from "node:assert/strict";
import { processorTime, threadTime } from "../../support/probes/processes.ts";
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

const urlEncoded = "application/x-www-form-urlencoded";

/** Bodies of 4 MB and their types, and what they cost another thread than the one that serves. */
const large: [name: string, path: string, type: string, body: string][] = [
  ["100,000 names", "/api/size/", "application/json", JSON.stringify({ names: names(100_000) })],
  [
    "100,000 members",
    "/api/size/",
    "application/json",
    `{${Array.from({ length: 100_000 }, (_, index) => `"${String(index).padEnd(35, "x")}":0`)}}`,
  ],
  ["a form of names", "/api/raw/", urlEncoded, `files=${names(80_000).join("%2C")}`],
  ["a form of fields", "/api/raw/", urlEncoded, "a&".repeat(2_000_000)],
  [
    "a form of parts",
    "/api/raw/",
    "multipart/form-data; boundary=x",
    `${'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(70_000)}--x--\r\n`,
  ],
];

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index).padEnd(38, "x"));
}

for (const [name, path, type, body] of large) {
  Deno.test(`a body of ${name} to ${path} is not parsed by the thread that serves`, async () => {
    const send = async (body: string) => {
      const headers = { "x-auth": token, "content-type": type };
      const before = threadTime(server.pid);
      for (let count = 0; count < 5; count++) {
        const answer = await fetch(server.url + path, { method: "POST", headers, body });
        await answer.body?.cancel();
      }
      return threadTime(server.pid) - before;
    };
    // A text as long as the body, which costs hardly more than to receive it.
    const text = JSON.stringify("x".repeat(body.length - 2));
    for (const warm of [text, body]) await send(warm);
    const plain = await send(text);
    const cost = await send(body);
    assert.ok(cost <= 2 * plain + 200, `${cost} ms, a text ${plain} ms`);
  });
}
