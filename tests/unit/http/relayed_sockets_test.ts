import assert from "node:assert/strict";
import { relayedSocket } from "../../../lib/server/http/request/relayed_sockets.ts";

Deno.test("a message that is lost on its way to the thread of a disk closes the connection", async () => {
  const relay = crypto.randomUUID();
  const relayed = relayedSocket({ info: { relay } as never });
  assert.ok(relayed);
  const { socket, response } = relayed;
  const channel = new BroadcastChannel(`cubby-relay ${relay}`);
  const taken: string[] = [];
  const ended = Promise.withResolvers<void>();
  socket.addEventListener("message", ({ data }) => void taken.push(data));
  socket.addEventListener("close", () => ended.resolve());
  channel.postMessage({ kind: "open" });
  for (const part of [0, 1, 3, 4]) {
    channel.postMessage({ kind: "message", data: `message ${part}`, part });
  }
  const reader = response.body?.getReader();
  /** The kinds of what is sent to the connection: 2 for a message that was taken, 1 for its close. */
  const kinds: (number | undefined)[] = [];
  while (kinds.at(-1) !== 1) kinds.push((await reader?.read())?.value?.[0]);
  assert.deepEqual(kinds, [2, 2, 1]);
  assert.deepEqual(taken, ["message 0", "message 1"]);
  channel.postMessage({ kind: "close" });
  await ended.promise;
  channel.close();
});
