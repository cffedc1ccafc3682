import assert from "node:assert/strict";
import {
  type ConnectionHandler,
  serveConnection,
} from "../../../lib/server/boot/serve_connection.ts";
import { requestHead } from "../../support/clients/raw_http.ts";

/** A connection whose one end is served, and what has become of it. */
async function connect(handler: ConnectionHandler) {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const [client, accepted] = await Promise.all([
    Deno.connect({ hostname: "127.0.0.1", port }),
    listener.accept(),
  ]);
  const served = serveConnection(accepted, handler, () => new Response("", { status: 500 }));
  const send = (text: string) => client.write(new TextEncoder().encode(text));
  return { client, served, send };
}

async function readToEnd(client: Deno.Conn): Promise<string> {
  return await new Response(client.readable).text();
}

/** A body that goes on when it is let. */
function heldBody() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  return { readable, writer: writable.getWriter() };
}

Deno.test("serveConnection() answers, tells who asks, and when an answer is complete", async () => {
  const peers: Deno.Addr[] = [];
  const completed: Promise<void>[] = [];
  const { client, served, send } = await connect((req, info) => {
    peers.push(info.remoteAddr);
    completed.push(info.completed);
    return new Response(new URL(req.url).pathname);
  });
  await send(requestHead("GET", "/a") + requestHead("GET", "/b", { connection: "close" }));
  const text = await readToEnd(client);
  assert.match(text, /^HTTP\/1\.1 200 OK[^]*\/aHTTP\/1\.1 200 OK[^]*\/b$/);
  await served.finished;
  await Promise.all(completed);
  const peer = { ...client.localAddr };
  assert.deepEqual(peers.map((found) => ({ ...found })), [peer, peer]);
});

Deno.test("drain() ends an idle connection at once, and a busy one with its answer", async () => {
  const idle = await connect(() => new Response(""));
  idle.served.drain();
  idle.served.drain();
  assert.equal(await readToEnd(idle.client), "");
  await idle.served.finished;

  const { readable, writer } = heldBody();
  const busy = await connect(() => new Response(readable));
  await busy.send(requestHead("GET", "/"));
  await writer.write(new TextEncoder().encode("first "));
  busy.served.drain();
  await writer.write(new TextEncoder().encode("last"));
  await writer.close();
  assert.match(await readToEnd(busy.client), /first [^]*last/);
  await busy.served.finished;
});

Deno.test("cut() ends a connection at once, and is harmless after its end and after drain()", async () => {
  const { client, served, send } = await connect(() => new Response("unread"));
  await send(requestHead("POST", "/", { "content-length": 1000 }));
  const chunk = new Uint8Array(1000);
  await client.read(chunk);
  served.cut();
  await served.finished;
  served.cut();
  client.close();

  const drained = await connect(() => new Response(""));
  drained.served.drain();
  drained.served.cut();
  await drained.served.finished;
  drained.served.cut();
  drained.client.close();
});

Deno.test("keepSocket() finds no socket in an answer that opens none", async () => {
  const { client, served } = await connect(() => new Response(""));
  assert.equal(served.keepSocket(new Response("")), undefined);
  served.cut();
  await served.finished;
  client.close();
});

Deno.test("keepSocket() keeps WebSockets open beyond the end of their connections", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const count = 50;
  const finished: Promise<void>[] = [];
  const accepting = (async () => {
    for (let done = 0; done < count; done++) {
      const served = serveConnection(await listener.accept(), (req) => {
        const { socket, response } = Deno.upgradeWebSocket(req);
        socket.addEventListener("message", ({ data }) => socket.send(data));
        assert.equal(served.keepSocket(response), socket);
        return response;
      }, () => new Response("", { status: 500 }));
      finished.push(served.finished);
    }
  })();
  const echoes = await Promise.all(Array.from({ length: count }, (_, number) => {
    return echoOf(`ws://127.0.0.1:${port}/`, String(number));
  }));
  assert.deepEqual(echoes, Array.from({ length: count }, (_, number) => String(number)));
  await accepting;
  await Promise.all(finished);
});

/** What comes back some time after the socket was opened. */
async function echoOf(url: string, text: string): Promise<string> {
  const socket = new WebSocket(url);
  const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const echo = new Promise<string>((resolve) => {
    socket.addEventListener("message", ({ data }) => resolve(data));
    socket.addEventListener("close", () => resolve("closed"));
  });
  socket.send(text);
  const back = await echo;
  socket.close();
  await closed;
  return back;
}
