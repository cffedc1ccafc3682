/** How much of a long activity log is read for a part of it. */
import assert from "node:assert/strict";
import { openStore } from "../../../../lib/server/core/kv/store.ts";
import { openSigningKey } from "../../../../lib/server/features/accounts/auth/signing_key.ts";
import { append } from "../../../../lib/server/features/audit/audit.ts";
import { auditRecord, searchAudit } from "../../../../lib/server/features/audit/search_audit.ts";
import { auditSegments } from "../../../../lib/server/features/audit/segments.ts";
import { countReads } from "../../../support/records/count_reads.ts";

/** Activities a second apart. */
const count = 12_000;
const begin = Date.UTC(2026, 0, 1);

const { store, takeCount } = countReads(await openStore(":memory:"));
Deno.test.afterAll(() => store.close());
const key = await openSigningKey(store);
for (let start = 0; start < count;) {
  const activities = Array.from({ length: Math.min(200, count - start) }, (_, at) => ({
    ...{ action: "save" as const, user: { id: 1, name: "anna" }, address: "192.0.2.1" },
    ...{ path: `/folder/file-${start + at}.txt`, at: begin + (start + at) * 1_000 },
  }));
  start += (await append({ store, key }, activities)).count;
}
const segments = (await auditSegments.list(store)).length;
assert.ok(segments > 150, `${segments} segments`);

Deno.test("one record of a long log is read with those beside it, and no others", async () => {
  for (const seq of [1, 5_000, count]) {
    takeCount();
    const record = await auditRecord(store, seq);
    assert.equal(takeCount(), 1);
    assert.equal(record?.path, `/folder/file-${seq - 1}.txt`);
  }
});

Deno.test("a page of a long log is read without what is before and behind it", async () => {
  const until = begin + 4_000 * 1_000;
  for (const part of [{}, { before: 6_000 }, { until }]) {
    takeCount();
    const { records } = await searchAudit(store, { limit: 50, ...part });
    const read = takeCount();
    assert.equal(records.length, 50);
    assert.ok(read <= 30, `${read} of ${segments} segments for ${JSON.stringify(part)}`);
  }
});
