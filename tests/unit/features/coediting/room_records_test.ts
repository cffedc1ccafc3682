/** Who owns a text, when threads die, and when they or the store are slow. */
import assert from "node:assert/strict";
import { RoomRecords } from "../../../../lib/server/features/coediting/room_records.ts";
import { parsePath } from "../../../../lib/shared/path.ts";
import { sharedStore } from "./shared_store.ts";

const { path } = parsePath("/a.txt");

/** Runs with a clock that a test sets, in seconds. */
async function withClock(run: (set: (seconds: number) => void) => Promise<void>): Promise<void> {
  const { now } = performance;
  const start = now.call(performance);
  try {
    await run((seconds) => performance.now = () => start + seconds * 1_000);
  } finally {
    performance.now = now;
  }
}

Deno.test("a thread that died is found once, and all others know it at once", async () => {
  await using store = await sharedStore();
  const on = (thread: string) => new RoomRecords(store, { node: thread, thread });
  const [dead, one, two] = [on("dead"), on("one"), on("two")];
  await withClock(async (set) => {
    set(0);
    await dead.renewLease();
    const { id, owner } = await dead.claim(path);
    for (const seconds of [0, 2, 4]) {
      set(seconds);
      assert.equal(await one.isAlive(owner), true, String(seconds));
    }
    set(6);
    assert.equal(await one.isAlive(owner), false);
    assert.equal(await one.hasLeft(id, owner), true);
    // It has never looked at it before.
    await two.renewLease();
    assert.equal((await two.claim(path)).owner.thread, "two");
    assert.equal((await one.claim(path)).owner.thread, "two");
  });
});

Deno.test("a thread that died is found by looks that are far apart, as of pages that come again", async () => {
  await using store = await sharedStore();
  const on = (thread: string) => new RoomRecords(store, { node: thread, thread });
  const [dead, one, two] = [on("dead"), on("one"), on("two")];
  await withClock(async (set) => {
    set(0);
    await dead.renewLease();
    await dead.claim(path);
    const owners: string[] = [];
    // By turns, as the system hands connections to the threads of a server.
    for (let seconds = 0; seconds <= 60; seconds += 6) {
      set(seconds);
      owners.push((await (seconds % 12 === 0 ? one : two).claim(path)).owner.thread);
    }
    assert.deepEqual(owners.slice(0, 2), ["dead", "dead"]);
    assert.ok(owners.indexOf("dead", 5) < 0, owners.join());
  });
});

Deno.test("a store that was away makes no thread a dead one", async () => {
  await using store = await sharedStore();
  const on = (thread: string) => new RoomRecords(store, { node: thread, thread });
  const [owning, other] = [on("owning"), on("other")];
  await withClock(async (set) => {
    set(0);
    await owning.renewLease();
    const { owner } = await owning.claim(path);
    for (const seconds of [0, 60, 62]) {
      set(seconds);
      assert.equal(await other.isAlive(owner), true, String(seconds));
    }
    await owning.renewLease();
    for (const seconds of [64, 66, 68]) {
      set(seconds);
      assert.equal(await other.isAlive(owner), true, String(seconds));
    }
    set(70);
    assert.equal(await other.isAlive(owner), false);
  });
});

Deno.test("a thread that was only late is there again with its next sign", async () => {
  await using store = await sharedStore();
  const on = (thread: string) => new RoomRecords(store, { node: thread, thread });
  const [late, one, two] = [on("late"), on("one"), on("two")];
  await withClock(async (set) => {
    set(0);
    await late.renewLease();
    const { id, owner } = await late.claim(path);
    for (const seconds of [0, 2, 4, 6]) {
      set(seconds);
      await one.isAlive(owner);
    }
    await late.renewLease();
    assert.equal(await two.isAlive(owner), true);
    assert.deepEqual(await one.claim(path), { id, owner });
  });
});

Deno.test("a thread of a server whose clock is wrong is alive as long as it shows signs", async () => {
  await using store = await sharedStore();
  const own = (thread: string) => new RoomRecords(store, { node: thread, thread });
  const [late, other] = [own("late"), own("other")];
  const now = Date.now;
  try {
    Date.now = () => now() - 3_600_000;
    await late.renewLease();
    const { id, owner } = await late.claim(path);
    assert.equal(owner.thread, "late");
    Date.now = now;
    assert.deepEqual(await other.claim(path), { id, owner });
    await late.endLease();
    assert.equal((await other.claim(path)).owner.thread, "other");
  } finally {
    Date.now = now;
  }
});
