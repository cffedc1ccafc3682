import assert from "node:assert/strict";
import { DomainError } from "../../../../lib/shared/errors.ts";
import {
  Concurrency,
  CostPerOwner,
  FairQueue,
} from "../../../../lib/server/core/concurrency/fair_queue.ts";

function queueOf({ limit = 1, cost = 100, waiting = 10 }): FairQueue {
  const refuse = () => new DomainError("throttled", "too many", 2);
  return new FairQueue({
    capacity: new Concurrency(limit, cost),
    waiting: { max: waiting, refuse },
  });
}

/** Tasks that run until they are let go, and what is known of them. */
function setUp(limits: Parameters<typeof queueOf>[0] = {}) {
  const queue = queueOf(limits);
  const started: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  function add(name: string, owner = "ann", cost = 1, signal?: AbortSignal): Promise<string> {
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    return queue.run(owner, cost, async () => {
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
  const { add, finish } = setUp({ waiting: 1 });
  const tasks = [add("a"), add("b")];
  await assert.rejects(add("c"), { code: "throttled", retryAfter: 2 });
  const other = add("d", "bob");
  for (const name of ["a", "b", "d"]) await finish(name);
  assert.deepEqual(await Promise.all([...tasks, other]), ["a", "b", "d"]);
});

Deno.test("a task that was given up never starts, and leaves its place", async () => {
  const { add, finish, started } = setUp();
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
  const { add, finish, started } = setUp();
  const tasks = ["a1", "a2", "a3"].map((name) => add(name, "ann"));
  tasks.push(add("b1", "bob"), add("c1", "cy"), add("b2", "bob"));
  for (const name of ["a1", "a2", "b1", "c1", "a3", "b2"]) await finish(name);
  await Promise.all(tasks);
  assert.deepEqual(started, ["a1", "a2", "b1", "c1", "a3", "b2"]);
});

Deno.test("no more run than the limit, and not too costly ones together", async () => {
  const { add, finish, started } = setUp({ limit: 3 });
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
  const queue = queueOf({ cost: 10 });
  const failing = queue.run("ann", 10, () => Promise.reject(new Error("broken")));
  const next = queue.run("ann", 10, () => Promise.resolve("done"));
  await assert.rejects(failing, /broken/);
  assert.equal(await next, "done");
});

Deno.test("a few tasks run at a time, in order, and go on after one that fails", async () => {
  const queue = new FairQueue({ capacity: new Concurrency(2) });
  let running = 0;
  let max = 0;
  const order: number[] = [];
  const tasks = [0, 1, 2, 3, 4, 5].map((number) =>
    queue.run("", 0, async () => {
      max = Math.max(max, ++running);
      order.push(number);
      await Promise.resolve();
      running--;
      if (number === 2) throw new Error("fails");
    })
  );
  const results = await Promise.allSettled(tasks);
  assert.equal(max, 2);
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5]);
  assert.equal(results.filter(({ status }) => status === "rejected").length, 1);
});

Deno.test("with a limit for each owner none waits for another, and each in its own order", async () => {
  const queue = new FairQueue({ capacity: new CostPerOwner(2) });
  const log: string[] = [];
  await queue.acquire("a", 1);
  await queue.acquire("a", 1);
  const waiting = ["first", "second", "third"].map((name) =>
    queue.run("a", 1, async () => {
      log.push(name);
      await new Promise((resolve) => setTimeout(resolve));
    })
  );
  await queue.acquire("b", 1);
  assert.deepEqual(log, []);

  queue.release("a", 1);
  await Promise.all(waiting);
  assert.deepEqual(log, ["first", "second", "third"]);
  queue.release("a", 1);
  await queue.acquire("a", 1);
});

Deno.test("a turn is taken at once where there is room, but not before those that wait", async () => {
  const queue = new FairQueue({ capacity: new CostPerOwner(2) });
  assert.ok(queue.tryAcquire("a", 2));
  assert.ok(!queue.tryAcquire("a", 1));
  const waiting = queue.acquire("a", 2);
  assert.ok(!queue.tryAcquire("b", 1));
  queue.release("a", 2);
  await waiting;
  assert.ok(queue.tryAcquire("b", 2));
});
