/** What jobs may take: memory, the time of their thread, and room in the store. */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import process from "node:process";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { assertRefused, assertStatus } from "../../support/server/refused.ts";
import type { JobInfo } from "../../../lib/shared/schemas/job.ts";

const app = await startApp({ inProcess: true, tree: { home: {} } });
Deno.test.afterAll(app.close);
const { url } = app.listen();
const mebibyte = 1024 * 1024;

/** What a user's thread is kept from others for at most, in milliseconds of its processor. */
const maxTurnMs = 100;

const long = (index: number) => `/${`${"n".repeat(200)}/`.repeat(24)}${index}`;

/** Entries whose paths have some fifteen megabytes together. */
const longEntries = Array.from({ length: 3_000 }, (_, index) => ({ path: long(index) }));

function listOf<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

async function userOf(name: string) {
  const { user, token } = await app.addUser(name, { scope: "/home" });
  const post = (json: unknown, headers = {}) =>
    app.call("POST", "/api/jobs", { token, json, headers });
  const change = async (id: string, state: string) => {
    const answer = await app.call("PATCH", `/api/jobs/${id}`, { token, json: { state } });
    await answer.body?.cancel();
    const headers = { prefer: "wait=30" };
    return await (await app.call("GET", `/api/jobs/${id}`, { token, headers })).json();
  };
  return { user, token, post, change };
}

/** The longest time for which the thread works without a turn for others, while something runs. */
async function longestTurn<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  let isOver = false;
  let ms = 0;
  const measured = (async () => {
    while (!isOver) {
      const before = process.threadCpuUsage();
      await setImmediate();
      const { user, system } = process.threadCpuUsage(before);
      ms = Math.max(ms, (user + system) / 1000);
    }
  })();
  const result = await work().finally(() => isOver = true);
  await measured;
  return { ms, result };
}

/** The bytes of records of a job besides the job itself, about. */
async function partsOf({ cubby }: TestApp, userId: number): Promise<number> {
  const parts = await cubby.store.list(["job_parts", userId]);
  return parts.reduce((sum, { value }) => sum + JSON.stringify(value).length, 0);
}

Deno.test("a body over 16 MiB is refused, in whatever it is long", async () => {
  const { post } = await userOf("large");
  const many = Array.from({ length: 4_000 }, (_, index) => ({ path: long(index) }));
  await assertRefused(await post({ action: "trash", entries: many }), 413, "body_too_large");
  const names = Array.from({ length: 4_000 }, (_, index) => long(index));
  const archive = { path: "/", destination: "/a.zip", names };
  await assertRefused(await post({ action: "archive", entries: [archive] }), 413, "body_too_large");
  const padded = { action: "trash", entries: [], more: "x".repeat(mebibyte) };
  await assertRefused(await post(padded), 400, "invalid_body");
});

const large: Record<string, [action: string, entries: object[]]> = {
  "100,000 entries": ["trash", listOf(100_000, (index) => ({ path: `/none/${index}` }))],
  "paths of 300 folders": [
    "checksum",
    listOf(20_000, (index) => ({
      path: `${"/d".repeat(300)}/${index}`,
    })),
  ],
  "paths of sixteen megabytes": ["checksum", longEntries],
  "100,000 names in an archive": ["extract", [{
    path: "/none.zip",
    destination: "/to",
    names: listOf(100_000, (index) => `folder/file ${index}.txt`),
  }]],
};

for (const [what, [action, entries]] of Object.entries(large)) {
  Deno.test(`others are answered while a job with ${what} is read, begun and worked on`, async () => {
    const { user, post, change, token } = await userOf(`at once ${what}`.slice(0, 20));
    const warm = await post({ action, entries: entries.slice(0, 1_000) }, { prefer: "wait=30" });
    await warm.body?.cancel();
    const body = JSON.stringify({ action, entries });
    const turns: number[] = [];
    // What takes too long takes so each time; a busy machine does not.
    while (turns.length < 3 && !((turns.at(-1) ?? maxTurnMs) < maxTurnMs)) {
      const { ms, result } = await longestTurn(async () => {
        const answer = await app.call("POST", "/api/jobs", { token, body });
        await assertStatus(answer.clone(), 202);
        const job: JobInfo = await answer.json();
        return await change(job.id, "cancelled");
      });
      assert.ok(["cancelled", "done"].includes(result.state));
      const left = await app.cubby.store.list(["job_parts", user.id, result.id, "entries"]);
      assert.equal(left.length, 0, "a job that is over keeps its entries");
      turns.push(ms);
    }
    assert.ok((turns.at(-1) ?? 0) < maxTurnMs, `nobody was answered for ${turns} ms`);
  });
}

/** Asks again and again, and tells of each answer. */
const asking = `onmessage = async ({ data: url }) => {
  while (true) {
    await (await fetch(url)).text();
    postMessage(Date.now());
  }
};`;

Deno.test("connections are served between the slices of a body", async () => {
  const { token, change } = await userOf("sharing");
  const client = new Worker(URL.createObjectURL(new Blob([asking])), { type: "module" });
  const answers: number[] = [];
  const next = () =>
    new Promise<void>((resolve) =>
      client.onmessage = ({ data }) => {
        answers.push(data);
        resolve();
      }
    );
  client.postMessage(`${url}/health`);
  await next();
  client.onmessage = ({ data }) => answers.push(data);
  const [action, entries] = large["100,000 entries"] ?? [];
  const begin = Date.now();
  const json = { action, entries };
  const answer = await app.call("POST", "/api/jobs", { token, json });
  const end = Date.now();
  await assertStatus(answer.clone(), 202);
  await next();
  client.terminate();
  await change((await answer.json()).id, "cancelled");
  const between = answers.filter((at) => at > begin && at < end).length;
  // All of it takes more than a dozen slices.
  assert.ok(between >= 5, `${between} were answered in ${end - begin} ms`);
});

Deno.test("bodies under way take no more memory than one user may, and others none of theirs", async () => {
  const { token, change } = await userOf("slow");
  const { post } = await userOf("quick");
  const ends: (() => void)[] = [];
  const begun = Array.from({ length: 6 }, () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(mebibyte).fill(0x20));
        ends.push(() => controller.close());
      },
    });
    return app.call("POST", "/api/jobs", { token, body });
  });
  // Half of the budget holds two bodies of unknown length; the others are refused.
  const refused: number[] = [];
  const isRefused = Promise.withResolvers<void>();
  for (const answer of begun) {
    void answer.then(({ status }) => refused.push(status) === 4 && isRefused.resolve());
  }
  await isRefused.promise;
  assert.deepEqual(refused, [503, 503, 503, 503]);
  const entries = [{ path: "/none" }];
  const answer = await post({ action: "trash", entries }, { prefer: "wait=30" });
  await assertStatus(answer, 200);
  for (const end of ends) {
    try {
      end();
    } catch {
      // That of a refused one is cancelled.
    }
  }
  for (const answer of await Promise.all(begun)) await answer.body?.cancel();
  // Nothing stays reserved: as much as before is begun at once.
  const large = { token, json: { action: "checksum", entries: longEntries } };
  const later = await Promise.all([1, 2].map(() => app.call("POST", "/api/jobs", large)));
  for (const answer of later) {
    await assertStatus(answer.clone(), 202);
    await change((await answer.json()).id, "cancelled");
  }
});

Deno.test("unfinished jobs of a user hold so much in the store, and nothing once cancelled", async () => {
  const { user, post, change } = await userOf("filling");
  const ids: string[] = [];
  for (;;) {
    const answer = await post({ action: "checksum", entries: longEntries });
    if (answer.status === 429) {
      await assertRefused(answer, 429, "throttled");
      break;
    }
    const { id } = await answer.json();
    assert.equal((await change(id, "paused")).state, "paused");
    ids.push(id);
    assert.ok(ids.length < 10, "nothing bounds them");
  }
  assert.equal(ids.length, 2);
  assert.ok(await partsOf(app, user.id) < 96 * mebibyte);
  for (const id of ids) assert.equal((await change(id, "cancelled")).state, "cancelled");
  const { records } = app.cubby.jobs;
  for (const job of await records.list(user.id)) assert.equal(job.size?.entries, 0);
  const left = await app.cubby.store.list<unknown>(["job_parts", user.id]);
  assert.deepEqual(left.filter(({ key }) => key.includes("entries")), []);
  const answer = await post({ action: "checksum", entries: longEntries.slice(0, 1) }, {
    prefer: "wait=30",
  });
  await assertStatus(answer, 200);
});

Deno.test("ended jobs make room for others, the oldest first", async () => {
  const { user, post } = await userOf("ending");
  const { records } = app.cubby.jobs;
  const one = { action: "trash", entries: [{ path: "/none" }] };
  const headers = { prefer: "wait=30" };
  const ids: string[] = [];
  for (let round = 0; round < 4; round++) {
    const job: JobInfo = await (await post(one, headers)).json();
    assert.deepEqual([job.state, job.failed], ["done", 1]);
    // As if its failures had long paths.
    const size = { entries: 0, outcomes: 40 * mebibyte };
    await records.update(user.id, job.id, () => ({ size }));
    ids.unshift(job.id);
  }
  const kept = (await records.list(user.id)).map(({ id }) => id);
  assert.deepEqual(kept, ids.slice(0, 3));
  const parts = await app.cubby.store.list(["job_parts", user.id]);
  assert.deepEqual([...new Set(parts.map(({ key }) => key[2]))].sort(), kept.toSorted());
});

Deno.test("the size of a job is that of what it has in the store", async () => {
  const { user, post } = await userOf("counting");
  const entries = longEntries.slice(0, 200);
  const answer = await post({ action: "trash", entries }, { prefer: "wait=30" });
  const { id }: JobInfo = await answer.json();
  const { size } = await app.cubby.jobs.records.get(user.id, id);
  assert.equal(size?.outcomes, await partsOf(app, user.id));
});

Deno.test("what a kill has left of jobs is removed at the next start", async () => {
  const { user, post, change } = await userOf("killed");
  const { records } = app.cubby.jobs;
  const begun = await post({ action: "checksum", entries: longEntries.slice(0, 50) });
  const { id } = await begun.json();
  await change(id, "cancelled");
  const job = await records.get(user.id, id);
  const key = (id: string) => ["job_parts", user.id, id, "entries", 0];
  const lost = crypto.randomUUID();
  for (const each of [id, lost]) {
    await app.cubby.store.atomic((operation) =>
      operation.set(key(each), [{ path: "/x", to: null }])
    );
  }
  await records.sweep();
  for (const each of [id, lost]) {
    assert.equal((await app.cubby.store.get(key(each))).value, null);
  }
  assert.equal((await records.get(user.id, id)).state, job.state);
});

Deno.test("an unknown member of one of very many entries is named by its number", async () => {
  const { post } = await userOf("typist");
  const entries: object[] = listOf(9_000, (index) => ({ path: `/${index}` }));
  entries[8_765] = { path: "/a", overide: true };
  const answer = await post({ action: "trash", entries });
  const text = await assertRefused(answer, 400, "invalid_body");
  assert.match(text, /entries\[8765\]\.overide/);
});
