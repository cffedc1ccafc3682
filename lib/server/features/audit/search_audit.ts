import { maxPageText } from "../../../shared/list_page.ts";
import type { AuditPage, AuditRecord } from "../../../shared/schemas/audit.ts";
import type { AuditAction } from "../../../shared/schemas/choices/audit_choices.ts";
import type { Store } from "../../core/kv/store.ts";
import { recordOf } from "./record.ts";
import { auditHead, type ReadSegment, readSegments } from "./segments.ts";

/** Which records are wanted. */
export interface AuditFilter {
  /** The name of the user, as a whole. */
  user?: string;
  /** Any of these; absent for all. */
  actions?: readonly AuditAction[];
  /** From a slash on, an entry with all below it; otherwise what the path contains, in any case. */
  path?: string;
  /** In milliseconds since 1970: from this moment on, and before that one. */
  since?: number;
  until?: number;
}

/** How much of the log is wanted at once. */
export interface AuditQuery extends AuditFilter {
  /** Only records with a smaller number. */
  before?: number;
  limit: number;
  /** After this time the search stops where it is, in milliseconds. */
  timeoutMs?: number;
}

/** How far the clocks of servers on one store may differ, in milliseconds. */
const skewMs = 60_000;

/** Segments that are looked at one by one, where halving the log makes no sense any more. */
const fewRecords = 200;

/**
 * A part of the log, the latest first. A search for what is rare stops after a while: it says how
 * far it has come, and goes on from there.
 */
export async function searchAudit(store: Store, query: AuditQuery): Promise<AuditPage> {
  const { before, limit, since, until, timeoutMs = 400 } = query;
  const isWanted = testOf(query);
  const isOwn = prefilterOf(query);
  const deadline = performance.now() + timeoutMs;
  const bound = await boundOf(store, before, until);
  const records: AuditRecord[] = [];
  let length = 0;
  for await (const { lines } of readSegments(store, "newest", bound)) {
    let oldest: AuditRecord | null = null;
    for (const line of lines.reverse()) {
      // The oldest line says how far the search has come, whatever it is about.
      const isLast = line === lines.at(-1);
      if (!isLast && !isOwn(line)) continue;
      const record = recordOf(line);
      if (record === null || (before !== undefined && record.seq >= before)) continue;
      oldest = record;
      if (!isWanted(record)) continue;
      records.push(record);
      length += line.length;
      if (records.length === limit || length >= maxPageText) {
        return { records, next: nextOf(record), reached: null };
      }
    }
    if (oldest === null) continue;
    if (since !== undefined && Date.parse(oldest.time) < since - skewMs) break;
    if (performance.now() > deadline) {
      return { records, next: nextOf(oldest), reached: oldest.time };
    }
  }
  return { records, next: null, reached: null };
}

/** All records from the oldest on. */
export async function* allAudit(store: Store, filter: AuditFilter): AsyncGenerator<AuditRecord> {
  const isWanted = testOf(filter);
  const isOwn = prefilterOf(filter);
  for await (const { lines } of readSegments(store, "oldest")) {
    for (const line of lines) {
      const record = isOwn(line) ? recordOf(line) : null;
      if (record && isWanted(record)) yield record;
    }
  }
}

/** One record by its number; null when it was cut off. */
export async function auditRecord(store: Store, seq: number): Promise<AuditRecord | null> {
  const segment = await segmentOf(store, seq);
  return segment ? recordOf(segment.lines[seq - segment.first] ?? "") : null;
}

async function segmentOf(store: Store, seq: number): Promise<ReadSegment | null> {
  for await (const segment of readSegments(store, "newest", seq + 1, 1)) return segment;
  return null;
}

function nextOf({ seq }: AuditRecord): number | null {
  return seq > 1 ? seq : null;
}

/** Skips what is later than wanted, by halving the log. */
async function boundOf(
  store: Store,
  before: number | undefined,
  until: number | undefined,
): Promise<number | undefined> {
  if (until === undefined) return before;
  const head = await auditHead.get(store);
  let [low, high] = [1, Math.min(before ?? Infinity, (head?.seq ?? 0) + 1)];
  while (high - low > fewRecords) {
    const middle = Math.floor((low + high) / 2);
    const segment = await segmentOf(store, middle);
    const first = segment && recordOf(segment.lines[0] ?? "");
    if (!segment || !first) low = middle;
    else if (Date.parse(first.time) <= until + skewMs) low = middle;
    else high = Math.max(segment.first, low + 1);
  }
  return high;
}

/** A quick look at the text of a line, before it is parsed: most lines of a large log are not wanted. */
function prefilterOf({ user, actions }: AuditFilter): (line: string) => boolean {
  const name = user === undefined ? "" : `"user":${JSON.stringify(user)}`;
  const needles = actions?.map((action) => `"action":"${action}"`) ?? [""];
  return (line) => line.includes(name) && needles.some((needle) => line.includes(needle));
}

function testOf({ user, actions, path, since, until }: AuditFilter): (r: AuditRecord) => boolean {
  const isThere = path === undefined || path === "" ? () => true : pathTest(path);
  return (record) => {
    if (user !== undefined && record.user !== user) return false;
    if (actions !== undefined && !actions.includes(record.action)) return false;
    const at = Date.parse(record.time);
    if (since !== undefined && at < since) return false;
    if (until !== undefined && at >= until) return false;
    return isThere(record);
  };
}

function pathTest(wanted: string): ({ path, to }: AuditRecord) => boolean {
  const isIn = wanted.startsWith("/") ? belowTest(wanted) : containsTest(wanted);
  return ({ path, to }) => isIn(path ?? "") || isIn(to ?? "");
}

function belowTest(wanted: string): (path: string) => boolean {
  const top = wanted.replace(/\/+$/, "");
  return (path) => path !== "" && (path === top || path.startsWith(`${top}/`));
}

function containsTest(wanted: string): (path: string) => boolean {
  const part = wanted.toLowerCase();
  return (path) => path.toLowerCase().includes(part);
}
