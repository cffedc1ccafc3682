/** Threads of one server, between which messages are lost, and which die. */
import assert from "node:assert/strict";
import type { Ended } from "../../../../lib/shared/coediting.ts";
import { DomainError } from "../../../../lib/shared/errors.ts";
import { delay } from "../../../../lib/shared/delay.ts";
import type { Joining, MemberLine } from "../../../../lib/server/features/coediting/room.ts";
import { RoomChannel } from "../../../../lib/server/features/coediting/room_channel.ts";

const root = crypto.randomUUID();
const joining: Joining = {
  grant: { address: "" },
  name: "",
  right: "edit",
  page: "",
  document: null,
};

/** Waits until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !isSo(); await delay(5)) {
    assert.ok(Date.now() < end, "not so in time");
  }
}

/** A member in one thread, and what its room, in another one, has of it. */
async function together() {
  const near = { node: "node", thread: crypto.randomUUID() };
  const far = { node: "node", thread: crypto.randomUUID() };
  const told: number[] = [];
  const taken: number[] = [];
  const ends: Omit<Ended, "closing">[] = [];
  let leaves = 0;
  let theirs: MemberLine | null = null;
  const owner = new RoomChannel(root, far, (_room, _joining, line) => {
    theirs = line;
    line.send(new Uint8Array([0]));
    return Promise.resolve({
      receive: (messages) => void taken.push(...messages.map(([first]) => first ?? -1)),
      setRight: () => {},
      leave: () => void leaves++,
    });
  }, null);
  const member = new RoomChannel(root, near, () => Promise.reject(new Error("none")), null);
  const line: MemberLine = {
    send: ([first]) => void told.push(first ?? -1),
    end: (ended) => void ends.push(ended),
  };
  const seat = await member.join(far, "room", joining, line);
  return {
    ...{ near, far, owner, member, seat, line, told, taken, ends },
    write: (number: number) => seat.receive([new Uint8Array([number])], "edit"),
    tell: (number: number) => theirs?.send(new Uint8Array([number])),
    get leaves() {
      return leaves;
    },
    [Symbol.dispose]() {
      owner.close();
      member.close();
    },
  };
}

/** Does something whose message to the other thread is lost. */
async function lost(act: () => void): Promise<void> {
  const { postMessage } = BroadcastChannel.prototype;
  const done = Promise.withResolvers<void>();
  BroadcastChannel.prototype.postMessage = () => done.resolve();
  act();
  await done.promise;
  BroadcastChannel.prototype.postMessage = postMessage;
}

Deno.test("messages between threads come in their order, those before the member is in, too", async () => {
  using pair = await together();
  assert.deepEqual(pair.told, [0]);
  for (const number of [1, 2, 3]) {
    pair.write(number);
    pair.tell(number);
  }
  await until(() => pair.told.length === 4 && pair.taken.length === 3);
  assert.deepEqual([pair.told, pair.taken], [[0, 1, 2, 3], [1, 2, 3]]);
  pair.seat.leave();
  await until(() => pair.leaves === 1);
  assert.deepEqual(pair.ends, []);
});

Deno.test("what a thread is told at once comes by one message, also before the end", async () => {
  using pair = await together();
  const { postMessage } = BroadcastChannel.prototype;
  let messages = 0;
  BroadcastChannel.prototype.postMessage = function (this: BroadcastChannel, message: unknown) {
    messages++;
    postMessage.call(this, message);
  };
  for (let number = 1; number <= 1_000; number++) pair.tell(number);
  pair.owner.close();
  BroadcastChannel.prototype.postMessage = postMessage;
  await until(() => pair.told.length === 1_001);
  assert.equal(messages, 1);
});

Deno.test("a change that is lost between threads ends the connection, whose page comes back", async () => {
  using pair = await together();
  pair.write(1);
  await until(() => pair.taken.length === 1);
  await lost(() => pair.write(2));
  pair.write(3);
  await until(() => pair.ends.length > 0);
  assert.equal(pair.ends[0]?.code, "busy");
  assert.deepEqual(pair.taken, [1]);
  assert.equal(pair.leaves, 1);
});

Deno.test("what is lost on its way to a member ends its connection", async () => {
  using pair = await together();
  await lost(() => pair.tell(1));
  pair.tell(2);
  await until(() => pair.ends.length > 0);
  assert.equal(pair.ends[0]?.code, "busy");
  assert.deepEqual(pair.told, [0]);
});

Deno.test("a member whose leaving is lost has no seat after the next message to it", async () => {
  using pair = await together();
  await lost(() => pair.seat.leave());
  pair.tell(1);
  await until(() => pair.leaves === 1);
});

Deno.test("a member whose end is lost is told so when it writes", async () => {
  using pair = await together();
  await lost(() => pair.owner.lose(pair.near.thread));
  pair.write(1);
  await until(() => pair.ends.length > 0);
  assert.equal(pair.ends[0]?.code, "busy");
  assert.deepEqual(pair.taken, []);
});

Deno.test("a thread of the same server that dies ends its members, and leaves no seats", async () => {
  using pair = await together();
  const asked: string[] = [];
  const isAlive = ({ thread }: { thread: string }) => {
    asked.push(thread);
    return Promise.resolve(false);
  };
  await pair.member.look(isAlive);
  assert.equal(pair.ends[0]?.code, "busy");
  await pair.owner.look(isAlive);
  await until(() => pair.leaves === 1);
  assert.deepEqual(asked, [pair.far.thread, pair.near.thread]);
});

Deno.test("who waits for a thread that has died need not wait for its answer", async () => {
  const own = { node: "node", thread: crypto.randomUUID() };
  const channel = new RoomChannel(root, own, () => Promise.reject(new Error("none")), null);
  const ends: unknown[] = [];
  const line: MemberLine = { send: () => {}, end: (ended) => void ends.push(ended) };
  const dead = { node: "node", thread: crypto.randomUUID() };
  const start = performance.now();
  const joined = channel.join(dead, "room", joining, line);
  const refused = assert.rejects(
    joined,
    (error) => error instanceof DomainError && error.code === "busy",
  );
  await channel.look(() => Promise.resolve(false));
  await refused;
  assert.ok(performance.now() - start < 5_000);
  // It may be led to the next thread on the same connection.
  assert.deepEqual(ends, []);
  channel.close();
});
