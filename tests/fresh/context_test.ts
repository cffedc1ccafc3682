import assert from "node:assert/strict";
import { App, type Context } from "fresh";
import { sender } from "./support/project.ts";

async function answer(reply: (ctx: Context<unknown>) => Response): Promise<Response> {
  return await sender(new App().get("/", reply))("/");
}

Deno.test("redirect() cannot be led to another site by a path (CWE-601)", async () => {
  const table: [target: string, location: string][] = [
    ["//evil.example/x", "/evil.example/x"],
    ["///evil.example", "/evil.example"],
    ["/\\evil.example", "/evil.example"],
    ["/\t/evil.example", "/evil.example"],
    ["/a\\b", "/a\\b"],
    ["/a//b", "/a/b"],
    ["/a?next=//b#//c", "/a?next=//b#//c"],
    ["/a#//b?c", "/a#//b?c"],
    ["/", "/"],
    ["https://other.example//x", "https://other.example//x"],
  ];
  for (const [target, location] of table) {
    const response = await answer((ctx) => ctx.redirect(target));
    assert.equal(response.headers.get("location"), location);
    assert.equal(response.status, 302);
  }
});

Deno.test("redirect() takes another status", async () => {
  assert.equal((await answer((ctx) => ctx.redirect("/a", 303))).status, 303);
});

Deno.test("text(), html() and json() set their content types and keep the given init", async () => {
  const init = { status: 201, headers: { "x-own": "1" } };
  const table: [reply: (ctx: Context<unknown>) => Response, type: string, body: string][] = [
    [(ctx) => ctx.text("a", init), "text/plain;charset=UTF-8", "a"],
    [(ctx) => ctx.html("<p>", init), "text/html; charset=utf-8", "<p>"],
    [(ctx) => ctx.json({ a: 1 }, init), "application/json", '{"a":1}'],
  ];
  for (const [reply, type, body] of table) {
    const response = await answer(reply);
    assert.equal(response.headers.get("content-type"), type);
    assert.equal(response.headers.get("x-own"), "1");
    assert.equal(response.status, 201);
    assert.equal(await response.text(), body);
  }
});

Deno.test("stream() sends the pieces of an iterable, an async one, or a function's", async () => {
  async function* slow() {
    yield "ä";
    await Promise.resolve();
    yield new Uint8Array([66]);
  }
  assert.equal(await (await answer((ctx) => ctx.stream(slow()))).text(), "äB");
  assert.equal(await (await answer((ctx) => ctx.stream(slow))).text(), "äB");
  assert.equal(await (await answer((ctx) => ctx.stream(["a", "b"]))).text(), "ab");
});

Deno.test("upgrade() refuses a request that asks for no upgrade", async () => {
  const response = await sender(new App().ws("/", {}))("/");
  assert.equal(response.status, 400);
});

Deno.test("ws() wires handlers to the socket", async () => {
  const closed = Promise.withResolvers<[number, string]>();
  const app = new App().ws("/echo", {
    open: (socket) => socket.send("hello"),
    message: (socket, event) => socket.send(`echo ${event.data}`),
    close: (_socket, code, reason) => closed.resolve([code, reason]),
  });
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    app.handler(),
  );
  const socket = new WebSocket(`ws://127.0.0.1:${server.addr.port}/echo`);
  const received: string[] = [];
  const ended = Promise.withResolvers<void>();
  socket.addEventListener("message", ({ data }) => {
    received.push(data);
    if (received.length === 1) socket.send("one");
    else socket.close(4000, "done");
  });
  socket.addEventListener("close", () => ended.resolve());
  await ended.promise;
  assert.deepEqual(received, ["hello", "echo one"]);
  assert.deepEqual(await closed.promise, [4000, "done"]);
});

Deno.test("upgrade() without handlers gives the socket and the response", async () => {
  const app = new App().get("/", (ctx) => {
    const { socket, response } = ctx.upgrade({ idleTimeout: 10 });
    socket.addEventListener("open", () => socket.send("bare"));
    return response;
  });
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    app.handler(),
  );
  const socket = new WebSocket(`ws://127.0.0.1:${server.addr.port}/`);
  const message = await new Promise((resolve) => {
    socket.addEventListener("message", ({ data }) => resolve(data));
  });
  assert.equal(message, "bare");
  const ended = new Promise((resolve) => socket.addEventListener("close", resolve));
  socket.close();
  await ended;
});
