import assert from "node:assert/strict";
import {
  ask,
  flood,
  hold,
  secure,
  shortLimits,
  silences,
  startBounded,
  within,
} from "../../support/clients/connecting.ts";
import { requestHead } from "../../support/clients/raw_http.ts";
import { type RunningServer, startServer } from "../../support/server/server.ts";
import { follow } from "../../support/clients/watching.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs checks that mostly wait, all at the same time; an error says whose it is. */
async function together(checks: Record<string, () => Promise<void>>): Promise<void> {
  const results = await Promise.allSettled(
    Object.entries(checks).map(([name, check]) =>
      check().catch((error) => {
        throw new Error(name, { cause: error });
      })
    ),
  );
  const failed = results.filter((result) => result.status === "rejected");
  if (failed.length > 0) throw new AggregateError(failed.map(({ reason }) => reason));
}

async function assertCloses(server: RunningServer, text: string, afterMs: number): Promise<void> {
  using held = await hold(server.url, text);
  const ms = await within(afterMs + 20_000, held.closed);
  assert(ms !== undefined, "the connection stays open");
  assert(ms >= afterMs - 50, `closed after ${ms} ms`);
}

/** Whether a request now and then keeps a connection open for longer than it may be idle. */
async function keepsOpen(to: string): Promise<boolean> {
  const { idleMs } = shortLimits;
  using held = await hold(to, requestHead("GET", "/"));
  for (let count = 0; count < 3; count++) {
    await pause(idleMs * 0.7);
    if (held.isClosed()) return false;
    await held.send(requestHead("GET", "/")).catch(() => {});
  }
  const ms = await within(idleMs + 20_000, held.closed);
  assert(ms !== undefined, "the connection stays open");
  return ms >= idleMs * 3;
}

Deno.test("slow requests: a connection that brings no whole request head is closed in its time", async () => {
  await using server = await startBounded({ limits: shortLimits, isProbe: true });
  await together({
    "that brings nothing": () => assertCloses(server, "", shortLimits.headersMs),
    "that stops half-way": () =>
      assertCloses(server, silences["half a request"], shortLimits.headersMs),
    async "that brings a letter now and then"() {
      using held = await hold(server.url, "GET / HTTP/1.1\r\nx-slow: ");
      const start = performance.now();
      while (!held.isClosed() && performance.now() - start < 20_000) {
        await held.send("a").catch(() => {});
        await pause(100);
      }
      const ms = await within(1000, held.closed);
      assert(ms !== undefined && ms >= shortLimits.headersMs - 50, `closed after ${ms} ms`);
    },
  });
});

Deno.test("slow requests: a TLS handshake that is not made is ended in its time", async () => {
  const options = { flags: secure };
  await using server = await startBounded({ limits: shortLimits, isProbe: true }, options);
  await assertCloses(server, "", shortLimits.headersMs);
  await assertCloses(server, "\x16\x03\x01\x02\x00\x01", shortLimits.headersMs);
});

Deno.test("idle connections: each is closed when no request came for its time", async () => {
  await using server = await startBounded({ limits: shortLimits, isProbe: true });
  const idle = Object.entries(silences).filter(([name]) => name.startsWith("a request"));
  await together({
    ...Object.fromEntries(idle.map(([name, text]) => [
      `one that sends ${name}`,
      () => assertCloses(server, text, shortLimits.idleMs),
    ])),
    async "the time begins anew with every request"() {
      let isKept = false;
      // On a busy machine a request may come too late.
      for (let tries = 0; !isKept && tries < 5; tries++) isKept = await keepsOpen(server.url);
      assert(isKept, "closed before its time");
    },
  });
});

Deno.test("what takes long is not closed for it", async () => {
  await using server = await startBounded({ limits: shortLimits, isProbe: true });
  const pieces = 40; // 2 s

  await together({
    async "a slow download"() {
      const answer = await fetch(`${server.url}/slow?${pieces}`);
      assert.equal((await answer.bytes()).length, pieces * 1000);
    },

    async "a slow upload"() {
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
    },

    async "the reader of an answer that was made at once"() {
      const size = 20_000_000;
      const answer = await fetch(`${server.url}/large?${size}`);
      await pause(2500);
      assert.equal((await answer.bytes()).length, size);
    },

    async "a silent WebSocket"() {
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
    },
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
  // Less than it waits for requests under way.
  assert(performance.now() - start < 9000);
  assert.equal((await closed).code, 1001);
});

for (const workers of [1, 2]) {
  Deno.test(`a listener that ends takes the process along, with status 1 and ${workers} threads`, async () => {
    await using server = await startBounded({ isProbe: true }, { workers });
    assert.equal(await ask(`${server.url}/end-listener`), "ended");
    assert.equal(await within(30_000, server.ended), 1);
    assert.match(server.output(), /The listener has ended/);
  });
}

Deno.test("a provider is asked at each host that its description names", async () => {
  const asked: string[] = [];
  const quiet = { hostname: "127.0.0.1", port: 0, onListen() {} };
  await using tokens = Deno.serve(quiet, (request) => {
    asked.push(new URL(request.url).pathname);
    return Response.json({ error: "invalid_grant" }, { status: 400 });
  });
  const others = `http://127.0.0.1:${tokens.addr.port}`;
  await using provider = Deno.serve(quiet, (request) => {
    const issuer = new URL(request.url).origin;
    const endpoints = { token_endpoint: `${others}/token`, jwks_uri: `${others}/jwks` };
    return Response.json({ issuer, authorization_endpoint: `${issuer}/auth`, ...endpoints });
  });
  const issuer = `http://127.0.0.1:${provider.addr.port}`;
  const flags = ["--oidc-issuer", issuer, "--oidc-client-id", "a", "--oidc-client-secret", "b"];
  await using server = await startServer({ flags });
  const begun = await fetch(`${server.url}/login/oidc`, { redirect: "manual" });
  await begun.body?.cancel();
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
  const cookie = begun.headers.getSetCookie().map((text) => text.split(";")[0]).join("; ");
  const callback = `${server.url}/login/oidc/callback?${new URLSearchParams({
    code: "c",
    state: state ?? "",
    iss: issuer,
  })}`;
  const ended = await fetch(callback, { headers: { cookie }, redirect: "manual" });
  await ended.body?.cancel();
  assert.deepEqual(asked, ["/token"]);
});
