import {
  maxNotifications,
  type NotificationKind,
} from "../../../shared/schemas/choices/notification_choices.ts";
import { maxRecordLength } from "../../core/kv/size.ts";
import type { Notice, StoredNotification } from "./notification.ts";
import { dayMs } from "../../../shared/time.ts";

/** How long notifications are kept, in milliseconds. */
export const keptMs = 90 * dayMs;

/** A visit is another when nothing has arrived in it for so long, in milliseconds. */
export const visitMs = 30 * 60_000;

/**
 * Adds notices to a list, which has the latest first. Files that arrive in one visit make one
 * notification that grows, until it is read.
 *
 * @param now milliseconds since 1970
 */
export function withNotices(
  list: readonly StoredNotification[],
  notices: readonly Omit<Notice, "userId">[],
  now: number,
): StoredNotification[] {
  const added = notices.reduce<readonly StoredNotification[]>((all, notice) => {
    const grown = all.find((each) => isSameVisit(each, notice));
    const next = grown ? grownBy(grown, notice) : { ...notice, id: makeId(), read: false };
    return [{ ...next, at: freeTime(next.at, all) }, ...all.filter((each) => each !== grown)];
  }, list);
  return trimmed([...added].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)), now);
}

/** The first millisecond from a time on that no other has: what comes at one time keeps its order. */
function freeTime(at: number, list: readonly StoredNotification[]): number {
  const taken = new Set(list.map((each) => each.at));
  let free = at;
  while (taken.has(free)) free++;
  return free;
}

/**
 * A list without what is too old, and within its bounds. Those of the kind that has the most go
 * first, so that a visitor who floods a request displaces nothing besides its own notifications.
 */
export function trimmed(list: readonly StoredNotification[], now: number): StoredNotification[] {
  const kept = list.filter(({ at }) => at > now - keptMs);
  let length = kept.reduce((sum, each) => sum + lengthOf(each), 2);
  while (kept.length > maxNotifications || length > maxRecordLength) {
    const kind = commonest(kept);
    const index = kept.findLastIndex((each) => each.kind === kind);
    const [dropped] = kept.splice(index, 1);
    if (!dropped) break;
    length -= lengthOf(dropped);
  }
  return kept;
}

function isSameVisit(each: StoredNotification, { visit, at }: Omit<Notice, "userId">): boolean {
  return visit !== undefined && each.visit === visit && !each.read && at - each.at < visitMs;
}

function grownBy(
  grown: StoredNotification,
  { at, count = 0, bytes = 0, unmailed }: Omit<Notice, "userId">,
): StoredNotification {
  return {
    ...grown,
    at: Math.max(grown.at, at),
    count: (grown.count ?? 0) + count,
    bytes: (grown.bytes ?? 0) + bytes,
    ...unmailed && { unmailed },
  };
}

function commonest(list: readonly StoredNotification[]): NotificationKind | undefined {
  const counts = new Map<NotificationKind, number>();
  for (const { kind } of list) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].reduce<[NotificationKind, number] | undefined>(
    (best, each) => best && best[1] >= each[1] ? best : each,
    undefined,
  )?.[0];
}

function lengthOf(notification: StoredNotification): number {
  return JSON.stringify(notification).length + 1;
}

function makeId(): string {
  return crypto.randomUUID();
}
