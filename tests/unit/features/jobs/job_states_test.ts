/** The life of a job, as two threads and its user change it, against a model of a few lines. */
import assert from "node:assert/strict";
import { parsePath } from "../../../../lib/shared/path.ts";
import type { JobState } from "../../../../lib/shared/schemas/job.ts";
import { type Job, newJob } from "../../../../lib/server/features/jobs/job.ts";
import { claimed, JobRecords } from "../../../../lib/server/features/jobs/job_records.ts";
import {
  after,
  endedStates,
  type JobEvent,
  transitions,
} from "../../../../lib/server/features/jobs/job_states.ts";
import { openStore } from "../../../../lib/server/core/kv/store.ts";
import { fc } from "../../../support/run/property.ts";

/** Sequences of events, and the longest. */
const sequences = 10_000;
const longest = 16;

const total = 3;
const entries = Array.from({ length: total }, (_, index) => ({
  path: parsePath(`/${index}`).path,
  to: null,
}));

const store = await openStore(":memory:");
Deno.test.afterAll(() => store.close());
const records = new JobRecords(store);

/** Those who act, each on the job as it was when they last looked: two threads and a user. */
type Actor = 0 | 1 | 2;
const user = 2;

/** What a job should be like. */
interface Model {
  state: JobState;
  /** Which thread works on it; `lost` after that was killed. */
  runner: Actor | "lost" | null;
  wish: Job["wish"];
  next: number;
  steps: number;
  /** How often it was changed: what an actor has seen is out of date when it differs. */
  version: number;
}

/** The job in the store, what each thread works on, and what each actor has seen of it. */
interface Real {
  id: string;
  held: (Job | null)[];
  seen: (Job | null)[];
  seenVersions: number[];
}

type Command = fc.AsyncCommand<Model, Real>;

async function current({ id }: Real): Promise<Job> {
  return await records.get(1, id);
}

/** The store has what the model says, and no job that is over is listed as unfinished. */
async function assertSame(model: Model, real: Real): Promise<void> {
  const { state, wish, next, steps, runner, ended } = await current(real);
  assert.deepEqual([state, wish, next, steps], [model.state, model.wish, model.next, model.steps]);
  assert.equal(runner === null, model.runner === null);
  const isOver = endedStates.includes(state);
  assert.equal(ended !== null, isOver);
  assert.equal((await records.active(1)).some(({ id }) => id === real.id), !isOver);
}

/** Something that may be refused: `isAllowed` says when it must not be, and when it must. */
function command(
  name: string,
  actor: Actor,
  run: (model: Model, real: Real) => Promise<void>,
): Command {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real);
      await assertSame(model, real);
    },
    toString: () => `${name}(${actor})`,
  };
}

/** An event by which a thread gives up its job, or that happens while no thread has it. */
function event(name: Exclude<JobEvent, "claim" | "undo">, actor: Actor): Command {
  return command(name, actor, async (model, real) => {
    // A thread acts on what it works on, a user on what no thread does.
    const seen = actor === user ? real.seen[user] : real.held[actor];
    if (!seen || (seen.runner === null) !== (actor === user)) return;
    const isCurrent = (await current(real)).runner === seen.runner;
    const state = transitions[name][model.state];
    const isPreceded = model.wish === "cancel" && (name === "pause" || name === "release");
    const isAllowed = isCurrent && state !== undefined && !isPreceded;
    const changed = await records.transition(seen, name);
    assert.equal(changed !== null, isAllowed);
    if (!isAllowed) return;
    model.state = state;
    model.runner = null;
    if (name !== "release") model.wish = null;
    model.version++;
  });
}

const look = (actor: Actor) =>
  command("look", actor, async (model, real) => {
    real.seen[actor] = await current(real);
    real.seenVersions[actor] = model.version;
  });

const claim = (actor: Actor) =>
  command("claim", actor, async (model, real) => {
    const seen = real.seen[actor];
    // A thread takes over what is lost, or waits.
    if (!seen || (seen.runner !== null && model.runner !== "lost")) return;
    const isCurrent = real.seenVersions[actor] === model.version;
    const state = transitions.claim[model.state];
    const taken = await records.claim(seen);
    if (taken) {
      assert.ok(state !== undefined, `it was ${model.state}`);
      assert.ok(model.runner === null || model.runner === "lost");
      model.state = state;
      model.runner = actor;
      model.version++;
      real.held[actor] = taken;
    } else {assert.ok(
        !isCurrent || state === undefined,
        `it was ${model.state}, and as it was seen`,
      );}
  });

/** A thread has dealt with an entry, or has undone one. */
const settle = (actor: Actor) =>
  command("settle", actor, async (model, real) => {
    const held = real.held[actor];
    if (!held) return;
    const isOwn = (await current(real)).runner === held.runner;
    const [step] = await records.steps(held);
    const isUndoing = held.state === "undoing";
    if (isUndoing && !step) return;
    const to = parsePath(`/copy${held.next}`).path;
    const changed = step && isUndoing
      ? await records.recordUndone(held, step.key, null)
      : await records.recordOutcome(held, { kind: "arrived", to, ino: 1 }, null);
    assert.equal(changed !== null, isOwn, "a thread that has lost the job has changed it, or not");
    if (!changed) return;
    model.next++;
    model.steps += isUndoing ? -1 : 1;
    model.version++;
    real.held[actor] = changed;
  });

/** A thread stops: it is killed, or hangs and acts on what it had when that is over. */
const stop = (name: "kill" | "hang", actor: Actor) =>
  command(name, actor, (model, real) => {
    if (model.runner === actor) model.runner = "lost";
    if (name === "kill") real.held[actor] = null;
    return Promise.resolve();
  });

/** The user's order to the thread at work. */
const order = (wish: "pause" | "cancel") =>
  command(wish, user, async (model, real) => {
    const changed = await records.update(1, real.id, (now) => {
      if (now.state !== "running") return null;
      return { wish: now.wish === "cancel" ? "cancel" : wish };
    });
    assert.equal(changed !== null, model.state === "running");
    if (!changed) return;
    if (model.wish !== "cancel") model.wish = wish;
    model.version++;
  });

const undo = command("undo", user, async (model, real) => {
  const seen = real.seen[user];
  if (!seen) return;
  const isCurrent = (await current(real)).runner === seen.runner;
  const isAllowed = isCurrent && endedStates.includes(model.state) && model.steps > 0;
  const changed = await records.transition(seen, "undo", (next) => {
    return next.steps === 0 ? null : claimed({ ...next, next: 0, total: next.steps });
  });
  assert.equal(changed !== null, isAllowed);
  if (!changed) return;
  const waiting = await records.transition(changed, "release");
  assert.equal(waiting?.state, "undoing");
  Object.assign(model, { state: "undoing", runner: null, wish: null, next: 0 });
  model.version++;
});

const commands: fc.Arbitrary<Command>[] = [
  ...([0, 1] as const).flatMap((thread) => [
    look(thread),
    claim(thread),
    settle(thread),
    stop("kill", thread),
    stop("hang", thread),
    ...(["release", "pause", "cancel", "finish", "abandon"] as const)
      .map((name) => event(name, thread)),
  ]),
  look(user),
  ...(["pause", "resume", "cancel"] as const).map((name) => event(name, user)),
  order("pause"),
  order("cancel"),
  undo,
].map((one) => fc.constant(one));

Deno.test("a job's state is what the table allows, whatever threads and users do in any order", async () => {
  const property = fc.asyncProperty(
    fc.commands(commands, { maxCommands: longest, size: "max" }),
    async (sequence) => {
      const job = newJob({ userId: 1, address: "::1", action: "copy" }, entries);
      await records.add(job, []);
      const setUp = (): { model: Model; real: Real } => ({
        model: { state: "queued", runner: null, wish: null, next: 0, steps: 0, version: 0 },
        real: { id: job.id, held: [null, null], seen: [job, job, job], seenVersions: [0, 0, 0] },
      });
      try {
        await fc.asyncModelRun(setUp, sequence);
      } finally {
        await records.remove(job);
      }
    },
  );
  await fc.assert(property, { numRuns: sequences });
});

Deno.test("a state that is over is left by an undo alone, and no event goes anywhere else", () => {
  const job = newJob({ userId: 1, address: "::1", action: "copy" }, entries);
  for (const state of endedStates) {
    for (const name of Object.keys(transitions) as JobEvent[]) {
      const next = after({ ...job, state }, name);
      assert.equal(next?.state, name === "undo" ? "undoing" : undefined, `${name} of ${state}`);
    }
  }
});
