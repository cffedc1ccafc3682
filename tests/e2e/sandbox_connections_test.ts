import assert from "node:assert/strict";
import { flood, hold, shortLimits, silences, startBounded } from "../support/connecting.ts";
import { requestHead } from "../support/raw_http.ts";
import type { RunningServer } from "../support/server.ts";
import { follow } from "../support/watching.ts";

/** With these, the server holds some 220 connections; the tests open more than there are at all. */
const descriptors = 512;
const tooMany = 600;

const tlsFolder = new URL("../support/tls/", import.meta.url).pathname;
const certificate = `${tlsFolder}certificate.pem`;
const secure = ["--cert", certificate, "--key", `${tlsFolder}key.pem`];

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What a promise comes to; undefined when it takes longer. */
async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>();
  const limit = setTimeout(late.resolve, ms);
  return await Promise.race([promise, late.promise]).finally(() => clearTimeout(limit));
}

/** Asks on a connection of its own; an answer must come soon. */
async function ask(url: string, caCerts?: string[]): Promise<string> {
  using client = Deno.createHttpClient({ caCerts, poolMaxIdlePerHost: 0 });
  const init = { client, signal: AbortSignal.timeout(5000) };
  return await (await fetch(url, init)).text();
}

async function assertCloses(server: RunningServer, text: string, afterMs: number): Promise<void> {
  using held = await hold(server.url, text);
  const ms = await within(afterMs + 5000, held.closed);
  assert(ms !== undefined, "the connection stays open");
  assert(ms >= afterMs - 50, `closed after ${ms} ms`);
}

for (const workers of [1, 2]) {
  Deno.test(`connection flood: more connections than descriptors end nothing, with ${workers} threads`, async () => {
    await using server = await startBounded({ descriptors, isProbe: true }, { workers });
    for (const [name, text] of Object.entries(silences)) {
      const download = await fetch(`${server.url}/slow?30`);
      using _flood = await flood(server.url, tooMany, text);
      assert.equal(await ask(server.url), "here", name);
      assert.equal((await download.bytes()).length, 30_000, name);
      assert.equal(await ask(server.url), "here", name);
    }
    assert.equal(await server.stop(), 0);
  });
}

Deno.test("connection flood: TLS handshakes that are never made end nothing", async () => {
  const options = { flags: secure };
  await using server = await startBounded({ descriptors, isProbe: true }, options);
  const caCerts = [await Deno.readTextFile(certificate)];
  for (const text of ["", "\x16\x03\x01\x02\x00\x01"]) {
    using _flood = await flood(server.url, tooMany, text);
    assert.equal(await ask(server.url, caCerts), "here");
  }
});

Deno.test("connection flood: descriptors that run out all the same stop accepting for a while", async () => {
  const bounds = { descriptors: 128, limits: { connections: 10_000 }, isProbe: true };
  await using server = await startBounded(bounds);
  using _flood = await flood(server.url, 200);
  assert.equal(await ask(server.url), "here");
  assert.match(server.output(), /Cannot accept connections for now: .*Too many open files/);
});

Deno.test("connection flood: the product answers, and its store stays open", async () => {
  await using server = await startBounded({ descriptors });
  using _flood = await flood(server.url, tooMany, requestHead("GET", "/health"));
  assert.equal(await ask(`${server.url}/health`), '{"status":"OK"}');
  const { username, password } = server;
  const body = JSON.stringify({ username, password });
  const login = await fetch(`${server.url}/api/login`, { method: "POST", body });
  assert.equal(login.status, 200, await login.text());
});

Deno.test("slow requests: a connection that brings no whole request head is closed in its time", async (test) => {
  await using server = await startBounded({ limits: shortLimits, isProbe: true });
  await test.step("that brings nothing", () => assertCloses(server, "", shortLimits.headersMs));
  await test.step("that stops half-way", async () => {
    await assertCloses(server, silences["half a request"], shortLimits.headersMs);
  });
  await test.step("that brings a letter now and then", async () => {
    using held = await hold(server.url, "GET / HTTP/1.1\r\nx-slow: ");
    const start = performance.now();
    while (!held.isClosed() && performance.now() - start < 5000) {
      await held.send("a").catch(() => {});
      await pause(100);
    }
    const ms = await within(1000, held.closed);
    assert(ms !== undefined && ms >= shortLimits.headersMs - 50, `closed after ${ms} ms`);
  });
});

Deno.test("slow requests: a TLS handshake that is not made is ended in its time", async () => {
  const options = { flags: secure };
  await using server = await startBounded({ limits: shortLimits, isProbe: true }, options);
  await assertCloses(server, "", shortLimits.headersMs);
  await assertCloses(server, "\x16\x03\x01\x02\x00\x01", shortLimits.headersMs);
});

Deno.test("idle connections: each is closed when no request came for its time", async (test) => {
  await using server = await startBounded({ limits: shortLimits, isProbe: true });
  for (const [name, text] of Object.entries(silences)) {
    if (!name.startsWith("a request")) continue;
    await test.step(`one that sends ${name}`, () => assertCloses(server, text, shortLimits.idleMs));
  }
  await test.step("the time begins anew with every request", async () => {
    using held = await hold(server.url, requestHead("GET", "/"));
    for (let count = 0; count < 3; count++) {
      await pause(shortLimits.idleMs * 0.7);
      assert(!held.isClosed());
      await held.send(requestHead("GET", "/"));
    }
    const ms = await within(5000, held.closed);
    assert(ms !== undefined && ms >= shortLimits.idleMs * 3, `closed after ${ms} ms`);
  });
});

Deno.test("what takes long is not closed for it", async (test) => {
  await using server = await startBounded({ limits: shortLimits, isProbe: true });
  const pieces = 40; // 2 s

  await test.step("a slow download", async () => {
    const answer = await fetch(`${server.url}/slow?${pieces}`);
    assert.equal((await answer.bytes()).length, pieces * 1000);
  });

  await test.step("a slow upload", async () => {
    let left = pieces;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (left-- === 0) return controller.close();
        await pause(50);
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const answer = await fetch(`${server.url}/length`, { method: "POST", body });
    assert.equal(await answer.text(), String(pieces * 1000));
  });

  await test.step("the reader of an answer that was made at once", async () => {
    const size = 20_000_000;
    const answer = await fetch(`${server.url}/large?${size}`);
    await pause(2500);
    assert.equal((await answer.bytes()).length, size);
  });

  await test.step("a silent WebSocket", async () => {
    const socket = new WebSocket(server.url.replace("http", "ws") + "/echo");
    const ended = new Promise((resolve) => socket.addEventListener("close", resolve));
    await Promise.race([ended, pause(2000)]);
    const message = new Promise((resolve) => {
      socket.addEventListener("message", ({ data }) => resolve(data), { once: true });
    });
    assert.equal(socket.readyState, WebSocket.OPEN);
    socket.send("still here");
    assert.equal(await Promise.race([ended, message]), "still here");
    socket.close();
    await ended;
  });
});

Deno.test("whoever watches a folder is told of changes long after the times of connections", async () => {
  await using server = await startBounded({ limits: shortLimits });
  const { username, password, url } = server;
  const body = JSON.stringify({ username, password });
  const token = await (await fetch(`${url}/api/login`, { method: "POST", body })).text();
  const headers = { "x-auth": token, accept: "application/json" };
  await using watching = follow(await fetch(`${url}/api/watch/`, { headers }));
  assert.equal(await watching.next(), "ready");
  await pause(2000);
  await Deno.writeTextFile(`${server.root}/new.txt`, "new");
  assert.equal(await watching.next(), "changed");
});

Deno.test("SIGTERM waits for no connection without a request, and closes WebSockets", async () => {
  await using server = await startBounded({ isProbe: true });
  using _flood = await flood(server.url, 10);
  using _idle = await flood(server.url, 10, requestHead("GET", "/"));
  const socket = new WebSocket(server.url.replace("http", "ws") + "/echo");
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener("close", resolve));
  const start = performance.now();
  assert.equal(await server.stop(), 0);
  assert(performance.now() - start < 3000);
  assert.equal((await closed).code, 1001);
});

for (const workers of [1, 2]) {
  Deno.test(`a listener that ends takes the process along, with status 1 and ${workers} threads`, async () => {
    await using server = await startBounded({ isProbe: true }, { workers });
    assert.equal(await ask(`${server.url}/end-listener`), "ended");
    assert.equal(await within(10_000, server.ended), 1);
    assert.match(server.output(), /The listener has ended/);
  });
}
