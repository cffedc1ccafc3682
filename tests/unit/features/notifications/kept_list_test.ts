import assert from "node:assert/strict";
import { maxRecordLength } from "../../../../lib/server/core/kv/size.ts";
import {
  keptMs,
  trimmed,
  visitMs,
  withNotices,
} from "../../../../lib/server/features/notifications/kept_list.ts";
import type {
  Notice,
  StoredNotification,
} from "../../../../lib/server/features/notifications/notification.ts";
import { maxNotifications } from "../../../../lib/shared/schemas/choices/notification_choices.ts";

const now = Date.UTC(2026, 10, 25);

type Given = Omit<Notice, "userId">;

function arrived(visit: string, at: number, count = 1): Given {
  return { kind: "received", visit, at, count, bytes: 10 * count, who: visit };
}

function shown(list: readonly StoredNotification[]) {
  return list.map(({ kind, visit, count, bytes }) => ({ kind, visit, count, bytes }));
}

Deno.test("withNotices() has the latest first, each with an id of its own, not read", () => {
  const list = withNotices([], [
    { kind: "quota_near", at: now - 5 },
    { kind: "job_done", at: now },
    { kind: "new_device", at: now - 9 },
  ], now);
  assert.deepEqual(list.map(({ kind }) => kind), ["job_done", "quota_near", "new_device"]);
  assert.equal(new Set(list.map(({ id }) => id)).size, 3);
  assert.ok(list.every(({ read }) => read === false));
});

Deno.test("withNotices() keeps the order of what comes in one millisecond, the latest first", () => {
  const visits = Array.from({ length: 20 }, (_, index) => `visitor ${index}`);
  const list = visits.reduce<StoredNotification[]>(
    (all, visit) => withNotices(all, [arrived(visit, now)], now),
    [],
  );
  assert.deepEqual(list.map(({ visit }) => visit), visits.toReversed());
  assert.equal(withNotices(list, [arrived("visitor 3", now)], now)[0]?.visit, "visitor 3");
});

Deno.test("withNotices() lets files of one visit grow one notification", () => {
  const first = withNotices([], [arrived("anna", now), arrived("berta", now + 1)], now);
  const grown = withNotices(first, [arrived("anna", now + 2, 3)], now + 2);
  assert.deepEqual(shown(grown), [
    { kind: "received", visit: "anna", count: 4, bytes: 40 },
    { kind: "received", visit: "berta", count: 1, bytes: 10 },
  ]);
  assert.equal(grown[0]?.id, first[1]?.id);
});

Deno.test("withNotices() begins anew what was read, and what came long ago", () => {
  const first = withNotices([], [arrived("anna", now)], now);
  const read = first.map((each) => ({ ...each, read: true }));
  assert.equal(withNotices(read, [arrived("anna", now + 1)], now).length, 2);
  assert.equal(withNotices(first, [arrived("anna", now + visitMs - 1)], now).length, 1);
  assert.equal(withNotices(first, [arrived("anna", now + visitMs)], now).length, 2);
});

Deno.test("trimmed() leaves out what is too old", () => {
  const list = withNotices([], [
    { kind: "job_done", at: now },
    { kind: "quota_near", at: now - keptMs + 1 },
    { kind: "new_device", at: now - keptMs },
  ], now + 0);
  assert.deepEqual(list.map(({ kind }) => kind), ["job_done", "quota_near"]);
  assert.deepEqual(trimmed(list, now + 1).map(({ kind }) => kind), ["job_done"]);
});

Deno.test("a flood of one kind displaces nothing of the others", () => {
  const others: Given[] = [
    { kind: "new_device", at: now - 1_000 },
    { kind: "shared_with_me", at: now - 2_000 },
  ];
  const flood = Array.from(
    { length: 5 * maxNotifications },
    (_, index) => arrived(`visitor ${index}`, now + index),
  );
  const list = flood.reduce<StoredNotification[]>(
    (all, each) => withNotices(all, [each], now),
    withNotices([], others, now),
  );
  assert.equal(list.length, maxNotifications);
  assert.equal(list[0]?.visit, `visitor ${flood.length - 1}`);
  assert.deepEqual(list.slice(-2).map(({ kind }) => kind), ["new_device", "shared_with_me"]);
});

Deno.test("a list of long names fits into a record of the store", () => {
  const name = "日".repeat(2_000);
  const list = Array.from({ length: 50 }, (_, at) => ({ ...arrived(`${at}`, now + at), name }));
  const kept = withNotices([], [{ kind: "new_device", at: now - 1 }, ...list], now);
  assert.ok(JSON.stringify(kept).length <= maxRecordLength);
  assert.ok(kept.length > 5);
  assert.equal(kept.at(-1)?.kind, "new_device");
});
