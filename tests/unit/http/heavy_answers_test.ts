import assert from "node:assert/strict";
import { jsonAnswer } from "../../../lib/server/http/response/answers.ts";
import {
  HeavyAnswers,
  heavyAnswers,
  type HeavyLimits,
  reserveMemory,
} from "../../../lib/server/http/middleware/heavy_answers.ts";

const MiB = 2 ** 20;
const patient: HeavyLimits = {
  maxBytes: 12 * MiB,
  maxWaiting: 2,
  maxBodies: 3,
  timeoutMs: 60_000,
  stallMs: 60_000,
};

type Context = Parameters<typeof reserveMemory>[0];

/** Requests to a server with these limits, and what becomes of them. */
function setUp(limits: Partial<HeavyLimits> = {}) {
  const heavy = new HeavyAnswers({ ...patient, ...limits });
  /** @param who a user's id, or an address */
  function ask(
    who: number | string,
    bytes: number,
    answer: () => Response = () => new Response(endless()),
    signal?: AbortSignal,
  ): Promise<Response> {
    const state = {
      cubby: { heavy },
      address: typeof who === "string" ? who : "192.0.2.1",
      ...(typeof who === "number" ? { signedIn: { user: { id: who } } } : {}),
    };
    const ctx = {
      state,
      req: new Request("http://cubby.test", { signal }),
      async next() {
        await reserveMemory(ctx, bytes);
        return answer();
      },
    } as unknown as Context;
    return heavyAnswers(ctx);
  }
  return { ask };
}

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
  }, { highWaterMark: 0 });
}

/** Whether a request still waits. */
async function waits(answer: Promise<Response>): Promise<boolean> {
  let isThere = false;
  answer.then(() => isThere = true, () => {});
  await new Promise((resolve) => setTimeout(resolve, 10));
  return !isThere;
}

async function hangUp(...answers: Promise<Response>[]): Promise<void> {
  for (const answer of answers) await (await answer).body?.cancel();
}

Deno.test("who waits too long is refused, and told when to ask again", async () => {
  const { ask } = setUp({ timeoutMs: 20 });
  const held = [ask(1, 3 * MiB), ask(1, 3 * MiB)];
  await Promise.all(held);
  await assert.rejects(ask(1, 3 * MiB), { code: "busy", retryAfter: 5 });
  await hangUp(...held, ask(2, MiB));
});

Deno.test("of one owner only so many may wait", async () => {
  const { ask } = setUp();
  const held = [ask(1, 3 * MiB), ask(1, 3 * MiB)];
  const waiting = [ask(1, 3 * MiB), ask(1, 3 * MiB)];
  await assert.rejects(ask(1, 3 * MiB), { code: "busy" });
  await hangUp(...held, ...waiting);
});

Deno.test("one owner gets half of the room, and others are not kept waiting by it", async () => {
  const { ask } = setUp();
  const first = [ask(1, 3 * MiB), ask(1, 3 * MiB)];
  const late = ask(1, MiB);
  assert(await waits(late));
  const second = ask(2, 3 * MiB);
  assert(!await waits(second));
  assert(!await waits(hangUpLater(ask(3, MiB))), "there is always room for one more owner");
  await hangUp(...first, second, late);
});

Deno.test("visitors share the part of one user, and each address gets a part of that", async () => {
  const { ask } = setUp();
  const first = [ask("192.0.2.7", 2 * MiB), ask("192.0.2.7", 2 * MiB)];
  const late = ask("192.0.2.7", MiB);
  assert(await waits(late));
  const second = ask("2001:db8::1", MiB);
  assert(!await waits(second));
  assert(!await waits(hangUpLater(ask(1, 6 * MiB))), "users have theirs to themselves");
  const neighbour = ask("2001:db8::2", 2 * MiB);
  assert(await waits(neighbour), "it is the same household");
  await hangUp(...first, second, late, neighbour);
});

Deno.test("room comes back when the answer is sent, fails, is none, or has no body", async () => {
  const broken = () =>
    new Response(new ReadableStream({ pull: () => Promise.reject(new Error("broken")) }));
  const { ask } = setUp({ maxBytes: 4 * MiB, timeoutMs: 1_000 });
  for (let round = 0; round < 3; round++) {
    assert.equal(await (await ask(1, MiB, () => new Response("whole"))).text(), "whole");
    await assert.rejects(async () => await (await ask(1, MiB, broken)).text(), /broken/);
    await ask(1, MiB, () => new Response("no", { status: 404 }));
    await ask(1, MiB, () => new Response(null, { status: 304 }));
    await assert.rejects(
      ask(1, MiB, () => {
        throw new Error("failed");
      }),
      /failed/,
    );
  }
  await hangUp(ask(1, MiB));
});

Deno.test("who leaves while waiting takes no room", async () => {
  const { ask } = setUp();
  const held = [ask(1, 3 * MiB), ask(1, 3 * MiB)];
  const controller = new AbortController();
  const left = ask(1, 3 * MiB, undefined, controller.signal);
  const next = ask(1, 3 * MiB);
  controller.abort();
  await assert.rejects(left, { name: "AbortError" });
  assert(await waits(next));
  await hangUp(...held.slice(1), next, ...held.slice(0, 1));
});

Deno.test("a reader that takes nothing for long loses its place; a slow source does not", async () => {
  const { ask } = setUp({ stallMs: 50 });
  const first = (await ask(1, 3 * MiB)).body?.getReader();
  const second = (await ask(1, 3 * MiB)).body?.getReader();
  await Promise.all([first?.read(), second?.read()]);
  await hangUp(ask(1, 3 * MiB));
  await new Promise((resolve) => setTimeout(resolve, 150));
  await assert.rejects(async () => await first?.read(), /stopped reading/);
  await assert.rejects(async () => await second?.read(), /stopped reading/);

  const slow = () =>
    new Response(
      new ReadableStream({
        async start(controller) {
          await new Promise((resolve) => setTimeout(resolve, 250));
          controller.enqueue(new TextEncoder().encode("late"));
          controller.close();
        },
      }),
    );
  assert.equal(await (await ask(1, MiB, slow)).text(), "late");
});

Deno.test("an answer that is larger than all room is served alone", async () => {
  const { ask } = setUp();
  const huge = ask(1, 1_000 * MiB);
  assert(!await waits(huge));
  await hangUp(huge);
});

Deno.test("light answers need no room", async () => {
  const { ask } = setUp();
  const held = [ask(1, 3 * MiB), ask(1, 3 * MiB)];
  assert.equal(await (await ask(1, 1_000, () => new Response("small"))).text(), "small");
  await hangUp(...held);
});

Deno.test("an answer for which nothing was reserved counts with its length", async () => {
  const { ask } = setUp();
  const long = () => jsonAnswer("x".repeat(3 * MiB - 2));
  const held = [ask(1, 0, long), ask(1, 0, long)];
  await Promise.all(held);
  const late = ask(1, 0, long);
  assert(await waits(late));
  await hangUp(...held, late);
  assert.equal((await (await ask(1, 0, long)).text()).length, 3 * MiB);
});

/** Lets go of an answer as soon as it is there. */
async function hangUpLater(answer: Promise<Response>): Promise<Response> {
  await hangUp(answer);
  return await answer;
}

Deno.test("whatever comes of answers, room is neither lost nor made", async () => {
  const { ask } = setUp({ timeoutMs: 100, maxWaiting: 3 });
  const rest = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 8));

  async function one(index: number): Promise<void> {
    await rest();
    const leaving = new AbortController();
    const who = index % 3 === 0 ? `192.0.2.${index % 4}` : index % 4;
    const answer = ask(who, MiB * (1 + index % 3), undefined, leaving.signal);
    if (index % 5 === 0) rest().then(() => leaving.abort());
    const { body } = await answer.catch(() => new Response(null));
    const reader = body?.getReader();
    if (index % 2 === 0) await reader?.read();
    await rest();
    await reader?.cancel();
  }

  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 40 }, (_, index) => one(index)));
  }
  const held = [ask(1, 3 * MiB), ask(1, 3 * MiB)];
  await Promise.all(held);
  await assert.rejects(ask(1, MiB), { code: "busy" });
  await hangUp(...held);
});
