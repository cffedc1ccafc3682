import assert from "node:assert/strict";
import { DomainError } from "../../../lib/shared/errors.ts";
import { LaneRoom } from "../../../lib/server/images/lane_room.ts";
import { Turns } from "../../../lib/server/images/turns.ts";

function turnsOf({ lanes = 1, weight = 100, waiting = 10 }): Turns {
  const refuse = () => new DomainError("throttled", "too many", 2);
  return new Turns({ room: new LaneRoom(lanes, weight), waiting: { most: waiting, refuse } });
}

/** Tasks that run until they are let go, and what is known of them. */
function stage(limits: Parameters<typeof turnsOf>[0] = {}) {
  const turns = turnsOf(limits);
  const started: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  function add(name: string, owner = "ann", weight = 1, signal?: AbortSignal): Promise<string> {
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    return turns.run(owner, weight, async () => {
      started.push(name);
      await gate.promise;
      return name;
    }, signal);
  }
  async function finish(name: string): Promise<void> {
    gates.get(name)?.resolve();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return { add, finish, started };
}

Deno.test("more tasks than may wait are refused", async () => {
  const { add, finish } = stage({ waiting: 1 });
  const tasks = [add("a"), add("b")];
  await assert.rejects(add("c"), { code: "throttled", retryAfter: 2 });
  const other = add("d", "bob");
  for (const name of ["a", "b", "d"]) await finish(name);
  assert.deepEqual(await Promise.all([...tasks, other]), ["a", "b", "d"]);
});

Deno.test("a task that was given up never starts, and leaves its place", async () => {
  const { add, finish, started } = stage();
  const controller = new AbortController();
  const first = add("a");
  const given = add("b", "ann", 1, controller.signal);
  const last = add("c");
  controller.abort();
  await assert.rejects(given, { name: "AbortError" });
  await assert.rejects(add("d", "ann", 1, controller.signal), { name: "AbortError" });
  await finish("a");
  await finish("c");
  await Promise.all([first, last]);
  assert.deepEqual(started, ["a", "c"]);
});

Deno.test("owners take turns, however much one of them wants", async () => {
  const { add, finish, started } = stage();
  const tasks = ["a1", "a2", "a3"].map((name) => add(name, "ann"));
  tasks.push(add("b1", "bob"), add("c1", "cy"), add("b2", "bob"));
  for (const name of ["a1", "a2", "b1", "c1", "a3", "b2"]) await finish(name);
  await Promise.all(tasks);
  assert.deepEqual(started, ["a1", "a2", "b1", "c1", "a3", "b2"]);
});

Deno.test("no more run than there are lanes, and not too heavy ones together", async () => {
  const { add, finish, started } = stage({ lanes: 3 });
  const tasks = [add("a", "ann", 60), add("b", "ann", 60), add("c", "ann", 1)];
  await finish("none");
  assert.deepEqual(started, ["a"]);
  await finish("a");
  assert.deepEqual(started, ["a", "b", "c"]);
  tasks.push(add("huge", "ann", 1_000));
  await finish("b");
  assert.equal(started.length, 3, "the heaviest waits until it is alone");
  await finish("c");
  assert.deepEqual(started, ["a", "b", "c", "huge"]);
  await finish("huge");
  await Promise.all(tasks);
});

Deno.test("a task that fails makes room for the next", async () => {
  const turns = turnsOf({ weight: 10 });
  const failing = turns.run("ann", 10, () => Promise.reject(new Error("broken")));
  const next = turns.run("ann", 10, () => Promise.resolve("done"));
  await assert.rejects(failing, /broken/);
  assert.equal(await next, "done");
});
