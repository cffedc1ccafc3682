/** Refusals while other writes are under way, some of which give their room back. */
import assert from "node:assert/strict";
import type { Growth } from "../../../../lib/server/core/access/allowance.ts";
import { Gate } from "../../../../lib/server/core/access/gate.ts";
import { IncomingStream } from "../../../../lib/server/core/concurrency/remote.ts";
import { openStore, type Store } from "../../../../lib/server/core/kv/store.ts";
import { blankUser, type User } from "../../../../lib/server/features/accounts/users/user.ts";
import { areaOf } from "../../../../lib/server/features/quotas/area_usage.ts";
import { Quotas } from "../../../../lib/server/features/quotas/quotas.ts";
import { TrashRecords } from "../../../../lib/server/files/trash/trash_records.ts";
import type { Quota } from "../../../../lib/shared/schemas/quota.ts";
import { parsePath } from "../../../../lib/shared/path.ts";

const action = "Cannot write";

/** An empty area with a quota. @param onCount called during each count */
async function holder(quota: Quota, onCount: (quotas: Quotas) => Promise<void> = async () => {}) {
  const opened = await openStore(":memory:");
  let reads = 0;
  const waiting = new Map<number, () => void>();
  const store: Store = Object.assign(Object.create(opened), {
    get: <T>(key: Deno.KvKey) => {
      waiting.get(++reads)?.();
      return opened.get<T>(key);
    },
  });
  const user: User = {
    ...{ ...blankUser(), id: 1, username: "anna", passwordHash: "", home: "" },
    ...{ version: 1, epoch: 1, scope: parsePath("/home").path, quota },
  };
  const quotas: Quotas = new Quotas({
    store,
    gate: new Gate({ root: Deno.cwd(), reserved: [] }),
    trash: new TrashRecords(store),
    isAlone: true,
    report: (error) => assert.fail(String(error)),
    users: {
      async *actingParts() {
        yield [user];
      },
    },
    listingWorker: {
      async measure() {
        await onCount(quotas);
        const stream = new IncomingStream(() => {}, () => {});
        stream.add(new TextEncoder().encode('{"bytes": 0, "files": 0, "folders": 0}'));
        stream.close();
        return { head: null, stream };
      },
      measureTrashed: () => Promise.resolve(null),
    },
  });
  return {
    area: areaOf(user),
    quotas,
    allowance: quotas.allowanceOf({ ...user, quota, rules: [] }),
    reads: () => reads,
    /** Resolves when the usage was read so often from now on: a refusal waits, and polls it. */
    read(times: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(reads + times, resolve);
      return promise;
    },
    [Symbol.dispose]() {
      quotas.close();
      opened.close();
    },
  };
}

const files = (count: number): Growth => ({ bytes: 0, files: count });
const bytes = (count: number): Growth => ({ bytes: count, files: 0 });

Deno.test("a file waits for the room of another that fails", async () => {
  using home = await holder({ bytes: 0, files: 10 });
  const failing = await home.allowance.reserve(files(10), action);
  const polls = home.read(3);
  const waiting = home.allowance.reserve(files(10), action);
  await polls;
  await failing[Symbol.asyncDispose]();
  await (await waiting).settle(files(10));
  assert.equal((await home.allowance.usage()).usedFiles, 10);
});

Deno.test("a resumable upload waits for the room of another that fails", async () => {
  using home = await holder({ bytes: 100, files: 0 });
  await home.allowance.hold(bytes(100), action, "upload-a");
  const polls = home.read(3);
  const waiting = home.allowance.hold(bytes(50), action, "upload-b");
  await polls;
  await home.quotas.release({ area: home.area, ticket: "upload-a" }, false);
  assert.deepEqual(await waiting, bytes(50));
});

Deno.test("what does not fit beside the files that are there is refused at once", async () => {
  using home = await holder({ bytes: 0, files: 10 });
  await using _ = await home.allowance.reserve(files(5), action);
  const before = home.reads();
  await assert.rejects(home.allowance.reserve(files(11), action), { code: "over_quota" });
  assert.ok(home.reads() - before <= 1, "it does not wait");
});

Deno.test("after a wait in vain the next refusals do not wait", async () => {
  using home = await holder({ bytes: 0, files: 10 });
  const long = await home.allowance.reserve(files(10), action);
  await assert.rejects(home.allowance.reserve(files(1), action), { code: "over_quota" });
  const before = home.reads();
  for (let at = 0; at < 3; at++) {
    await assert.rejects(home.allowance.reserve(files(1), action), { code: "over_quota" });
  }
  assert.ok(home.reads() - before <= 3, "they do not wait");
  // Until some of it is given back.
  await long.settle(files(9));
  await using _ = await home.allowance.reserve(files(1), action);
});

Deno.test("of two uploads that grow into the same room one comes in", async () => {
  using home = await holder({ bytes: 100, files: 0 });
  const both = await Promise.all([1, 2].map(() => home.allowance.reserve(bytes(45), action)));
  const ends = await Promise.allSettled(both.map(async (reservation) => {
    await using _ = reservation;
    await reservation.cover(bytes(60));
    await reservation.settle(bytes(60));
  }));
  assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  assert.equal((await home.allowance.usage()).usedBytes, 60);
});

Deno.test("a count during which others write refuses nothing that fits", async () => {
  let changes = 0;
  using home = await holder({ bytes: 0, files: 10 }, async ({ ledger }) => {
    if (++changes > 5) return;
    // Made and deleted during the count, which may have seen them: they count until the next one.
    const name = String(changes);
    await ledger.settle(home.area, name, files(6));
    await ledger.settle(home.area, name, files(-6));
  });
  await using _ = await home.allowance.reserve(files(5), action);
  assert.equal(changes, 6);
});

Deno.test("what is reserved as spare keeps out nothing that fits", async () => {
  using home = await holder({ bytes: 100, files: 0 });
  await using copy = await home.allowance.reserve(bytes(1), action);
  await copy.cover(bytes(2), bytes(90));
  await using _ = await home.allowance.reserve(bytes(80), action);
  await copy.cover(bytes(20), bytes(90));
});
