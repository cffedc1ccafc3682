import assert from "node:assert/strict";
import { Connections } from "../../../lib/server/boot/connections.ts";
import { openPeerSockets } from "../../../lib/server/boot/sockets.ts";
import { libcPath } from "../../../lib/server/core/disk/libc.ts";
import { readAnswer, requestHead, writeWhole } from "../../support/clients/raw_http.ts";

/** Longer than a request takes, and shorter than the kernel's delay of 40 ms. */
const muchMs = 20;
const rounds = 15;

// As in a server, it stays loaded.
const sockets = openPeerSockets(libcPath ?? undefined);

Deno.test({
  name: "a body that a client holds back until its head is acknowledged comes at once",
  ignore: Deno.build.os !== "linux",
}, async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections = new Connections(listener, {
    limits: { connections: 10, headersMs: 60_000, idleMs: 60_000 },
    handler: async (req) => new Response(await req.text()),
    onError: () => new Response("", { status: 500 }),
    onListenerEnd: (error) => assert.fail(String(error)),
    sockets,
    isSecure: false,
  });
  const client = await Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port });
  client.setNoDelay(false);
  const head = requestHead("PUT", "/", { "content-length": 4 });
  const took = async (...pieces: string[]) => {
    const begun = performance.now();
    for (const piece of pieces) await writeWhole(client, piece);
    assert.equal((await readAnswer(client)).body, "body");
    return performance.now() - begun;
  };
  const [whole, parted]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    whole.push(await took(`${head}body`));
    parted.push(await took(head, "body"));
  }
  client.close();
  await connections.shutdown();
  const middle = (times: number[]) => times.sort((a, b) => a - b)[rounds >> 1] ?? NaN;
  const [usual, late] = [middle(whole), middle(parted)];
  assert.ok(late < Math.max(muchMs, 5 * usual), `${late} ms, in one write ${usual} ms`);
});
