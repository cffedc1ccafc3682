/** Counts of the areas of many users. */
import assert from "node:assert/strict";
import { IncomingStream } from "../../../../lib/server/core/concurrency/remote.ts";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import { openStore } from "../../../../lib/server/core/kv/store.ts";
import { areaOf } from "../../../../lib/server/features/quotas/area_usage.ts";
import { Quotas } from "../../../../lib/server/features/quotas/quotas.ts";
import { TrashRecords } from "../../../../lib/server/files/trash/trash_records.ts";
import { blankUser, type User } from "../../../../lib/server/features/accounts/users/user.ts";
import { parsePath } from "../../../../lib/shared/path.ts";

const count = 30;

function measured() {
  const stream = new IncomingStream(() => {}, () => {});
  stream.add(new TextEncoder().encode('{"bytes": 1, "files": 1, "folders": 0}'));
  stream.close();
  return { head: null, stream };
}

Deno.test("a sweep reads the users once, not again for each area that it counts", async () => {
  const store = await openStore(":memory:");
  const all = Array.from({ length: count }, (_, at): User => ({
    ...{ ...blankUser(), id: at + 1, username: `user ${at}`, passwordHash: "", home: "" },
    ...{ version: 1, epoch: 1, scope: parsePath(`/${at}`).path },
    quota: { bytes: 1000, files: 0 },
  }));
  let reads = 0;
  const quotas = new Quotas({
    store,
    gate: new Gate({ root: Deno.cwd(), reserved: [] }),
    trash: new TrashRecords(store),
    isAlone: true,
    report: (error) => assert.fail(String(error)),
    users: {
      async *actingParts() {
        reads++;
        yield all;
      },
    },
    listingWorker: {
      measure: () => Promise.resolve(measured()),
      measureTrashed: () => Promise.resolve(null),
    },
  });
  try {
    for (const user of all) {
      await quotas.recount(user);
      await quotas.ledger.markStale(areaOf(user), false);
    }
    reads = 0;
    await quotas.verify();
    assert.ok(reads <= 2, `${reads} readings for ${count} counts`);
    const areas = await quotas.ledger.list();
    assert.deepEqual(areas.map(({ isStale }) => isStale), all.map(() => false), "all are counted");
  } finally {
    quotas.close();
    store.close();
  }
});
