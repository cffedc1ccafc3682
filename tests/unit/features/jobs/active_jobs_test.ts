import assert from "node:assert/strict";
import { parsePath } from "../../../../lib/shared/path.ts";
import { newJob } from "../../../../lib/server/features/jobs/job.ts";
import { JobRecords } from "../../../../lib/server/features/jobs/job_records.ts";
import { openStore } from "../../../../lib/server/core/kv/store.ts";

const store = await openStore(":memory:");
Deno.test.afterAll(() => store.close());
const records = new JobRecords(store);

Deno.test("a job that ends or goes while the unfinished ones are listed is none of them", async () => {
  const entries = [{ path: parsePath("/a").path, to: null }];
  const [waiting, cancelled, removed] = Array.from(
    { length: 3 },
    () => newJob({ userId: 1, address: "::1", action: "trash" }, entries),
  );
  for (const job of [waiting, cancelled, removed]) if (job) await records.add(job, entries);
  const racing = new JobRecords({
    ...store,
    async list(prefix) {
      const found = await store.list<never>(prefix);
      if (cancelled) assert.ok(await records.transition(cancelled, "cancel"));
      if (removed) await records.remove(removed);
      return found;
    },
  });
  assert.deepEqual((await racing.active(1)).map(({ id }) => id), [waiting?.id]);
});
