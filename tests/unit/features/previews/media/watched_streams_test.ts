import assert from "node:assert/strict";
import { atLater } from "../../../../support/run/clock.ts";
import { fragmentBytes, headerBytes } from "../../../../support/data/fragments.ts";
import {
  otherFile,
  Stopped,
  type StopReason,
  streamOffset,
} from "../../../../../lib/server/features/previews/media/streams/segments.ts";
import {
  type Convert,
  WatchedStreams,
} from "../../../../../lib/server/features/previews/media/streams/watched_streams.ts";
import type { ProgramEnd } from "../../../../../lib/server/features/commands/protocol.ts";

/** A program that runs: it makes what a test has it make. */
interface Run {
  owner: string;
  start: number;
  signal: AbortSignal;
  /** Makes segments, each of two seconds, from where it is. */
  make(count: number): Promise<void>;
  /** The segments that it was able to make: others wait until somebody wants them. */
  made: number;
  finish(end?: Partial<ProgramEnd>): void;
}

const starts = Array.from({ length: 50 }, (_, at) => at * 2);
const films = { a: "a".repeat(64), b: "b".repeat(64), c: "c".repeat(64) };

/** Streams of films without ffmpeg. */
function setUp(max = 1) {
  const runs: Run[] = [];
  const convert: Convert = (call, { start }, receive, signal) => {
    const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
    let [at, isOpen] = [start, false];
    const run: Run = {
      ...{ owner: call.owner, start, signal, made: 0 },
      async make(count) {
        if (!isOpen) await receive(headerBytes());
        isOpen = true;
        for (; count >= 0; count--, at += 2) {
          // The segment before it is whole with the next one.
          await receive(fragmentBytes(at + streamOffset, `${call.stream[0]}${at / 2}`));
          run.made++;
        }
        at -= 2;
        run.made--;
      },
      finish: (end) => resolve({ status: 0, ...end }),
    };
    signal.addEventListener("abort", () => resolve({ status: 137, stopped: "gone" }));
    runs.push(run);
    return promise;
  };
  const streams = new WatchedStreams(convert, max);
  const leaving = new AbortController();
  const ask = (...asked: Parameters<typeof askFor>) => {
    const segment = askFor(...asked);
    // A test that fails leaves some.
    segment.catch(() => {});
    return segment;
  };
  const askFor = async (
    film: keyof typeof films,
    index: number,
    { owner = "ann", signal = leaving.signal, patienceMs = 30_000 } = {},
  ) => {
    const file = { recipe: "stream480", descriptor: 3 } as const;
    const bytes = await streams.segment({
      ...{ stream: films[film], owner, index, from: Math.max(0, index), starts, lead: 0 },
      ...{ patienceMs, file },
    }, signal);
    return new TextDecoder().decode(bytes).match(/[abc]\d+/)?.[0];
  };
  /** The error of a segment. */
  const refused = async (asked: Promise<unknown>): Promise<StopReason | "left" | null> =>
    await asked.then(
      () => null,
      (error) => error instanceof Stopped ? error.why : "left",
    );
  const run = async (index: number): Promise<Run> => {
    await until(() => runs[index] !== undefined);
    return runs[index] ?? assert.fail();
  };
  const place = (film: keyof typeof films, owner = "ann") =>
    streams.place({ stream: films[film], owner });
  return {
    ...{ ask, refused, run, runs, place },
    /** Everyone leaves: what runs ends. */
    async [Symbol.asyncDispose]() {
      leaving.abort();
      for (const { finish } of runs) finish();
      await atLater(60_000, () => until(() => streams.isIdle));
    },
  };
}

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Cannot wait any longer: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

Deno.test("twenty viewers of a film share one conversion, which makes a bit ahead", async () => {
  await using at = await setUp();
  const viewers = Array.from({ length: 20 }, (_, number) => at.ask("a", 0, { owner: `${number}` }));
  const run = await at.run(0);
  void run.make(30).catch(() => {});
  assert.deepEqual(new Set(await Promise.all(viewers)), new Set(["a0"]));
  assert.equal(await at.ask("a", 1), "a1");
  assert.equal(await at.ask("a", 3, { owner: "bob" }), "a3");
  assert.equal(at.runs.length, 1);
  await until(() => run.made >= 11);
  assert.ok(run.made < 14, "waits until more is wanted");
});

Deno.test("one conversion runs for each user, and a seek leaves the former place at once", async () => {
  await using at = await setUp(2);
  const first = at.ask("a", 0);
  const run = await at.run(0);
  void run.make(20).catch(() => {});
  await first;
  const far = at.ask("a", 40);
  const other = await at.run(1);
  assert.ok(run.signal.aborted, "the former place is left");
  assert.equal(other.start, 80);
  void other.make(5).catch(() => {});
  assert.equal(await far, "a40");
  assert.equal(await at.ask("a", 2), "a2", "what was made before is there");
});

Deno.test("a seek leaves the former place once the request for it is gone", async () => {
  await using at = await setUp(2);
  const gone = new AbortController();
  const former = at.refused(at.ask("a", 0, { signal: gone.signal }));
  const run = await at.run(0);
  const far = at.ask("a", 30);
  await until(() => at.place("a") === 1);
  gone.abort();
  assert.equal(await former, "left");
  void (await at.run(1)).make(2).catch(() => {});
  assert.equal(await far, "a30");
  assert.ok(run.signal.aborted);
});

Deno.test("two places that one user watches, in two tabs, take turns", async () => {
  await using at = await setUp(2);
  const near = at.ask("a", 0);
  const run = await at.run(0);
  const far = at.ask("a", 30);
  for (let index = 0; index < 8; index++) {
    void run.make(1).catch(() => {});
    assert.equal(await (index === 0 ? near : at.ask("a", index)), `a${index}`);
    assert.equal(run.signal.aborted, index === 7, `after segment ${index}`);
  }
  await until(() => run.signal.aborted);
  void (await at.run(1)).make(2).catch(() => {});
  assert.equal(await far, "a30");
});

Deno.test("a place that a user does not go on with is left half a second later", async () => {
  await using at = await setUp(2);
  const near = at.ask("a", 0);
  const run = await at.run(0);
  await run.make(1);
  await near;
  const far = at.ask("a", 30);
  await atLater(1_000, () => until(() => run.signal.aborted));
  void (await at.run(1)).make(2).catch(() => {});
  assert.equal(await far, "a30");
});

Deno.test("a user who seeks leaves the place to others that watch it", async () => {
  await using at = await setUp(2);
  const [own, others] = [at.ask("a", 0), at.ask("a", 1, { owner: "bob" })];
  const run = await at.run(0);
  void run.make(20).catch(() => {});
  await Promise.all([own, others]);
  const far = at.ask("a", 40);
  void (await at.run(1)).make(2).catch(() => {});
  assert.equal(await far, "a40");
  assert.equal(run.signal.aborted, false);
  assert.equal(await at.ask("a", 2, { owner: "bob" }), "a2");
});

Deno.test("users take turns, and are told their place", async () => {
  await using at = await setUp();
  const first = at.ask("a", 0);
  const run = await at.run(0);
  const [second, third] = [at.ask("b", 0, { owner: "bob" }), at.ask("c", 0, { owner: "cid" })];
  await until(() => at.place("c", "cid") === 2);
  assert.equal(at.place("b", "bob"), 1);
  assert.equal(at.place("a"), 0);
  void run.make(8).catch(() => {});
  await first;
  await until(() => run.signal.aborted);
  void (await at.run(1)).make(8).catch(() => {});
  assert.equal(await second, "b0");
  void (await at.run(2)).make(8).catch(() => {});
  assert.equal(await third, "c0");
  assert.equal(at.place("c", "cid"), 0);
  assert.equal(await at.ask("a", 3), "a3", "what was made ahead is there");
});

Deno.test("a client that always waits for something leaves its turn, too", async () => {
  await using at = await setUp();
  const greedy = [0, 1, 2, 3, 4].map((index) => at.ask("a", index).catch(() => null));
  const run = await at.run(0);
  await run.make(1);
  const other = at.ask("b", 0, { owner: "bob" });
  await atLater(20_000, async () => {
    await run.make(1).catch(() => {});
    assert.ok(run.signal.aborted);
  });
  void (await at.run(1)).make(8).catch(() => {});
  assert.equal(await other, "b0");
  // What it waits for is made in its next turn.
  void (await at.run(2)).make(8).catch(() => {});
  await Promise.all(greedy);
});

Deno.test("a fifth conversion of a user that would wait is refused, and so is one that waits too long", async () => {
  await using at = await setUp();
  const first = at.ask("a", 0, { owner: "bob" });
  const run = await at.run(0);
  const places = [0, 10, 20, 30];
  const waiting = places.map((index) => at.refused(at.ask("b", index)));
  assert.equal(await at.refused(at.ask("b", 40)), "full");
  assert.equal(await at.refused(at.ask("c", 0, { owner: "cid", patienceMs: 5 })), "busy");
  void run.make(1);
  await first;
  assert.ok(waiting.length === 4);
});

Deno.test("a film that takes too long is refused, and only once its turn has come", async () => {
  await using at = await setUp();
  const slow = at.refused(at.ask("a", 0, { patienceMs: 20 }));
  const run = await at.run(0);
  assert.equal(await slow, "slow");
  await until(() => run.signal.aborted);
});

for (
  const [why, end] of [
    ["ended", { status: 0 }],
    ["failed", { status: 1 }],
    ["slow", { status: 137, stopped: "time" }],
    ["changed", { status: 126, failure: otherFile }],
    ["unrunnable", { status: 126, failure: "no Landlock" }],
  ] as const
) {
  Deno.test(`the end of a program is told: ${why}`, async () => {
    await using at = await setUp();
    const asked = at.refused(at.ask("a", 0));
    (await at.run(0)).finish(end);
    assert.equal(await asked, why);
  });
}

Deno.test("the last segment is whole at the end, and none comes after it", async () => {
  await using at = await setUp();
  const [last, beyond] = [at.ask("a", 0), at.refused(at.ask("a", 1))];
  const run = await at.run(0);
  await run.make(0);
  run.finish();
  assert.equal(await last, "a0");
  assert.equal(await beyond, "ended");
});

Deno.test("bytes that are no MP4 end a conversion", async () => {
  await using at = await setUp();
  const asked = at.refused(at.ask("a", 0));
  const run = await at.run(0);
  assert.equal(run.signal.aborted, false);
  run.finish({ status: 1 });
  assert.equal(await asked, "failed");
});

Deno.test("conversions end soon after everyone has left, and later after the last answer", async () => {
  await using at = await setUp(2);
  const gone = new AbortController();
  const left = at.refused(at.ask("a", 0, { signal: gone.signal }));
  const answered = at.ask("b", 0, { owner: "bob" });
  const [run, other] = [await at.run(0), await at.run(1)];
  void other.make(4).catch(() => {});
  await answered;
  gone.abort();
  assert.equal(await left, "left");
  await atLater(4_000, async () => {
    await until(() => run.signal.aborted);
    assert.equal(other.signal.aborted, false);
  });
  await atLater(13_000, () => until(() => other.signal.aborted));
});
