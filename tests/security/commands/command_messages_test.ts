import assert from "node:assert/strict";
import { maxMessageBytes } from "../../../lib/server/features/commands/message_limit.ts";
import { startApp } from "../../support/server/app.ts";
import { residentBytes, uniqueSleep, untilSleepers } from "../../support/probes/processes.ts";
import { frame, opcode, openRaw, type RawWebSocket } from "../../support/clients/raw_websocket.ts";

const app = await startApp({ config: { disableExec: false } });
Deno.test.afterAll(app.close);
const commands = ["echo", "sleep"];
const { token } = await app.addUser("anna", { perm: { execute: true }, commands });
const { url: _, ...listener } = app.listen();
const open = () => openRaw(listener, "/api/command/", { "x-auth": token });

const MiB = 1024 ** 2;
const { more, text, binary, close, ping, pong } = opcode;
const chunk = new Uint8Array(maxMessageBytes).fill(97);

/** Sends fragments of a message that never ends, 200 MiB of them; answers how much went out. */
async function flood(socket: RawWebSocket, kind = text): Promise<number> {
  const bytes = frame(more, chunk, false);
  await socket.send(frame(kind, chunk, false));
  let sent = chunk.length;
  while (sent < 200 * MiB && await socket.send(bytes)) sent += chunk.length;
  return sent;
}

/** How much more memory the server takes meanwhile, at its highest. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = residentBytes(app.pid);
  let highest = before;
  const look = setInterval(() => highest = Math.max(highest, residentBytes(app.pid)), 5);
  try {
    await work();
  } finally {
    clearInterval(look);
  }
  return highest - before;
}

for (const [kind, name] of [[text, "text"], [binary, "binary"]] as const) {
  Deno.test(`a ${name} message in fragments that never ends is cut short, and the memory stays flat`, async () => {
    using warm = await open();
    await flood(warm, kind);
    using socket = await open();
    let sent = 0;
    const grown = await growth(async () => sent = await flood(socket, kind));
    assert.ok(sent < 64 * MiB, `${sent / MiB} MiB were taken`);
    assert.ok(grown < 64 * MiB, `${grown / MiB} MiB more memory`);
    assert.equal(await socket.closeCode(), 1009);
  });
}

Deno.test("endless messages on thirty sockets at once are cut short, and the memory stays flat", async () => {
  const sockets = await Promise.all(Array.from({ length: 30 }, open));
  const sent: number[] = [];
  const grown = await growth(async () => {
    sent.push(...await Promise.all(sockets.map((socket) => flood(socket))));
  });
  for (const socket of sockets) socket[Symbol.dispose]();
  const total = sent.reduce((sum, each) => sum + each, 0);
  assert.ok(total < 400 * MiB && grown < 150 * MiB, `${total / MiB} MiB, ${grown / MiB} MiB`);
});

Deno.test("a frame that announces 60 MiB is refused long before it is whole", async () => {
  using socket = await open();
  await socket.send(frame(text, chunk, true, 60 * MiB));
  let sent = chunk.length;
  while (sent < 60 * MiB && await socket.send(chunk)) sent += chunk.length;
  assert.ok(sent < 40 * MiB, `${sent / MiB} MiB were taken`);
  assert.equal(await socket.closeCode(), 1009);
});

Deno.test("fragments that are no longer sent leave the socket closed with 1009 as well", async () => {
  using socket = await open();
  const fragments = Array.from({ length: 8 }, () => frame(more, chunk, false));
  await socket.send(frame(text, chunk, false), ...fragments);
  assert.equal(await socket.closeCode(), 1009);
});

Deno.test("a message of one byte over 64 KiB is closed with 1009, whole or in fragments", async () => {
  using whole = await open();
  await whole.send(frame(text, new Uint8Array(maxMessageBytes + 1).fill(97)));
  assert.equal(await whole.closeCode(), 1009);
  using parts = await open();
  await parts.send(frame(text, chunk.subarray(1), false), frame(more, "bb"));
  assert.equal(await parts.closeCode(), 1009);
  using wide = await open();
  await wide.send(frame(text, "ä".repeat(maxMessageBytes / 2 + 1)));
  assert.equal(await wide.closeCode(), 1009, "bytes count, not characters");
});

Deno.test("a message of 64 KiB is read, in fragments as well, and is no line that can run", async () => {
  using whole = await open();
  await whole.send(frame(text, chunk));
  assert.equal(await whole.closeCode(), 1008);
  using parts = await open();
  await parts.send(frame(text, chunk.subarray(5), false), frame(more, "bbbbb"));
  assert.equal(await parts.closeCode(), 1008);
});

Deno.test("a line in fragments runs, with a ping between them", async () => {
  using socket = await open();
  await socket.send(frame(text, "echo ", false), frame(ping, "still there?"));
  const answered = await socket.next(pong);
  assert.equal(new TextDecoder().decode(answered ?? undefined), "still there?");
  await socket.send(frame(more, "o", false), frame(more, "ne"));
  assert.equal(new TextDecoder().decode(await socket.next(text) ?? undefined), "one");
  assert.equal(await socket.closeCode(), 1000);
  await socket.send(frame(close, ""));
});

Deno.test("an endless message while a command runs ends the command", async () => {
  using socket = await open();
  const seconds = uniqueSleep();
  await socket.send(frame(text, `sleep ${seconds}`));
  await untilSleepers(seconds, 1);
  assert.ok(await flood(socket) < 64 * MiB);
  await untilSleepers(seconds, 0);
});

Deno.test("an endless message after the server has closed the socket is cut short", async () => {
  using socket = await open();
  await socket.send(frame(text, "echo one"));
  assert.equal(await socket.closeCode(), 1000);
  assert.ok(await flood(socket) < 64 * MiB);
});

Deno.test("short messages without end are read, and cost no socket", async () => {
  using socket = await open();
  const blanks = Array.from({ length: 1000 }, () => frame(text, " ".repeat(500)));
  assert.ok(await socket.send(...blanks, frame(text, "echo one")));
  assert.equal(new TextDecoder().decode(await socket.next(text) ?? undefined), "one");
  assert.equal(await socket.closeCode(), 1000);
  await socket.send(frame(close, ""));
});
