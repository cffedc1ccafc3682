/** Jobs of several machines on one store: one machine takes over what another has lost. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DomainError } from "../../../lib/shared/errors.ts";
import { parsePath } from "../../../lib/shared/path.ts";
import { newJob } from "../../../lib/server/features/jobs/job.ts";
import { JobRecords } from "../../../lib/server/features/jobs/job_records.ts";
import { Jobs } from "../../../lib/server/features/jobs/jobs.ts";
import type { Store } from "../../../lib/server/core/kv/store.ts";
import { startApp } from "../../support/server/app.ts";

const app = await startApp({ tree: { "a.txt": "A" } });
Deno.test.afterAll(app.close);
const { user } = await app.addUser("anna");
const records = new JobRecords(app.cubby.store);

/** The application's store as one on the network, which may be away. */
function networkStore() {
  const { store } = app.cubby;
  let calls = 0;
  let isAway = false;
  async function call<T>(work: () => Promise<T>): Promise<T> {
    calls++;
    try {
      if (isAway) throw new DomainError("busy", "Cannot reach the store: it does not answer");
      return await work();
    } finally {
      calls--;
    }
  }
  const remote: Store = {
    ...store,
    network: { follow: () => ({ [Symbol.dispose]() {} }) },
    get: (key) => call(() => store.get(key)),
    list: (prefix) => call(() => store.list(prefix)),
    atomic: (build) => call(() => store.atomic(build)),
  };
  return {
    store: remote,
    setAway: (away: boolean) => void (isAway = away),
    /** Until nothing is asked any more. */
    async settle(): Promise<void> {
      do await new Promise((resolve) => setTimeout(resolve)); while (calls > 0);
    },
  };
}

/** A machine's jobs, which look for lost ones when the test lets time pass. */
function machine() {
  const { store, setAway, settle } = networkStore();
  const jobs = new Jobs({ ...app.cubby, store }, new JobRecords(store));
  const { setInterval } = globalThis;
  const now = performance.now.bind(performance);
  let passed = 0;
  let look = () => {};
  performance.now = () => now() + passed;
  globalThis.setInterval = ((action: () => void, ms: number) => {
    look = action;
    return setInterval(() => {}, ms);
  }) as typeof setInterval;
  jobs.adopt();
  globalThis.setInterval = setInterval;
  return {
    jobs,
    setAway,
    /** Lets time pass, in milliseconds, and looks for lost jobs. */
    async pass(ms: number): Promise<void> {
      passed += ms;
      look();
      await settle();
    },
    [Symbol.dispose]() {
      jobs.close();
      performance.now = now;
    },
  };
}

/** A job that another machine works on. Its clock is an hour slow. */
async function elsewhere(to: string) {
  const entries = [{ path: parsePath("/a.txt").path, to: parsePath(to).path }];
  const job = newJob({ userId: user.id, address: "::1", action: "copy" }, entries);
  await records.add(job, entries);
  const runner = (await records.claim(job))?.runner;
  let beat = Date.now() - 3_600_000;
  async function show(): Promise<void> {
    await records.update(user.id, job.id, () => ({ beat: ++beat }));
  }
  await show();
  return {
    show,
    id: job.id,
    isThere: async () => (await records.get(user.id, job.id)).runner === runner,
  };
}

Deno.test("a job whose machine shows no work is taken over, by the clock of the one that looks", async () => {
  using here = machine();
  const job = await elsewhere("/lost.txt");
  for (const ms of [0, 4_000, 4_000, 4_000]) {
    await job.show();
    await here.pass(ms);
    assert.ok(await job.isThere(), "it shows work every four seconds");
  }
  await here.pass(4_500);
  assert.ok(await job.isThere());
  await here.pass(1_000);
  assert.ok(!await job.isThere());
  assert.equal((await here.jobs.wait(user.id, job.id, 30_000)).state, "done");
  assert.equal(Deno.readTextFileSync(join(app.root, "lost.txt")), "A");
});

Deno.test("a store that was away makes no job look lost: no machine could show work in it", async () => {
  using here = machine();
  const job = await elsewhere("/away.txt");
  await here.pass(0);
  here.setAway(true);
  await here.pass(3_000);
  here.setAway(false);
  await here.pass(3_000);
  assert.ok(await job.isThere());
  await job.show();
  await here.pass(4_000);
  await here.pass(4_000);
  assert.ok(await job.isThere(), "it has shown work since");
  await here.pass(2_000);
  assert.ok(!await job.isThere());
  assert.equal((await here.jobs.wait(user.id, job.id, 30_000)).state, "done");
});
