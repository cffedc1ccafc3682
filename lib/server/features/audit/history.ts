import { pathIn } from "../../../shared/named_roots.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import {
  type EntryPath,
  isInside,
  joinPaths,
  parentOf,
  relativePath,
  ROOT,
} from "../../../shared/path.ts";
import type { AuditRecord, EntryHistory } from "../../../shared/schemas/audit.ts";
import type { AuditAction } from "../../../shared/schemas/choices/audit_choices.ts";
import type { Access } from "../../core/access/access.ts";
import type { Store } from "../../core/kv/store.ts";
import { serverPath } from "./server_path.ts";
import { placeDigest } from "./record.ts";
import { auditRecord } from "./search_audit.ts";
import { auditPlaces } from "./segments.ts";

/** Most events in an answer, and most that are read of one place. */
const maxEvents = 50;
const maxRead = 500;

/** How an entry comes to a place, together with all that is in it. */
const arrivals: ReadonlySet<AuditAction> = new Set<AuditAction>([
  "copy",
  "move",
  "extract",
  "archive",
  "restore",
]);

/** The actions that end the history of a place: the entry that was there before is another one. */
const ends: ReadonlySet<AuditAction> = new Set<AuditAction>(["mkdir", "copy", "extract"]);

/**
 * The history of an entry, the latest first, also in the places in which it was before, as far as
 * the log goes back. It follows moves, also those of the folders above it.
 *
 * Only paths that the viewer may see are listed: the history ends where the entry was out of the
 * viewer's reach, and no path outside of the scope, or denied by a rule, is listed.
 *
 * @throws DomainError `not_found`, `forbidden` as `Access.stat()` does
 */
export async function historyOf(
  store: Store,
  access: Access,
  path: EntryPath,
): Promise<EntryHistory> {
  access.stat(path);
  const events: EntryHistory["events"] = [];
  let place = serverPath(access, path);
  let before = Infinity;
  while (shownPath(access, place) !== null) {
    const step = await readPlace(store, access, place, before, maxEvents - events.length);
    events.push(...step.events);
    if (step.more) return { events, more: true };
    if (step.from === null) break;
    [place, before] = [step.from, step.before];
  }
  return { events, more: false };
}

interface PlaceStep {
  events: EntryHistory["events"];
  /** Where the entry was before; null where its history begins. */
  from: EntryPath | null;
  before: number;
  more: boolean;
}

/** Reads what happened at one place, back to the moment at which the entry came to it. */
async function readPlace(
  store: Store,
  access: Access,
  place: EntryPath,
  before: number,
  max: number,
): Promise<PlaceStep> {
  const events: EntryHistory["events"] = [];
  // A deleted entry came back by a later restore.
  let restored = 0;
  for (const seq of await marksOf(store, place, before)) {
    const record = await auditRecord(store, seq);
    const found = record && relationOf(record, place);
    if (!record || !found) continue;
    const { action } = record;
    const isGone = found.side === "source" && ["move", "trash", "delete"].includes(action);
    if (isGone && action === "trash" && restored > 0) restored--;
    else if (isGone) break;
    if (events.length === max) return { events, from: null, before, more: true };
    events.push({ ...eventOf(access, record, found.side), above: found.at !== place });
    if (action === "restore") restored++;
    if (action === "move" && found.side === "target" && record.path !== null) {
      const from = joinPaths(record.path as EntryPath, relativePath(place, found.at));
      return { events, from, before: seq, more: false };
    }
    if (found.side === "target" && ends.has(action)) break;
  }
  return { events, from: null, before, more: false };
}

/** How a record is related to a place: by the entry itself, or by a folder above it. */
interface Relation {
  side: "source" | "target";
  /** The entry of the record: the place, or a folder above. */
  at: EntryPath;
}

function relationOf({ action, path, to }: AuditRecord, place: EntryPath): Relation | null {
  const isOf = (text: string | null) => text !== null && isInside(place, text as EntryPath);
  if (to !== null && isOf(to)) return { side: "target", at: to as EntryPath };
  if (!isOf(path)) return null;
  const at = path as EntryPath;
  if (action === "mkdir" || action === "restore") {
    return at === place || action === "restore" ? { side: "target", at } : null;
  }
  // An archive, an extraction and a copy leave their source as it is; above it they are no news.
  const isRelevant = at === place || ["move", "trash", "delete"].includes(action);
  return isRelevant ? { side: "source", at } : null;
}

/** The numbers of the records about a place and the folders above it, the latest first. */
async function marksOf(store: Store, place: EntryPath, before: number): Promise<number[]> {
  const marks = new Set<number>();
  for (let at = place; at !== ROOT; at = parentOf(at)) {
    const isOwn = at === place;
    const prefix = auditPlaces.prefix(placeDigest(at));
    const selector = Number.isFinite(before) ? { prefix, end: [...prefix, before] } : { prefix };
    const entries = await store.read((kv) =>
      Array.fromAsync(kv.list<AuditAction>(selector, { reverse: true, limit: maxRead }))
    );
    for (const { key, value } of entries) {
      const isRelevant = isOwn || arrivals.has(value) || value === "trash" || value === "delete";
      if (isRelevant) marks.add(Number(key.at(-1)));
    }
  }
  return [...marks].sort((a, b) => b - a);
}

function eventOf(
  access: Access,
  { time, action, user, path, to }: AuditRecord,
  side: Relation["side"],
): Omit<EntryHistory["events"][number], "above"> {
  const isTransfer = action === "move" || action === "copy" || action === "archive" ||
    action === "extract";
  const shown = (text: string | null) =>
    text === null ? null : shownPath(access, text as EntryPath);
  return {
    time,
    action,
    user,
    from: isTransfer && side === "target" ? shown(path) : null,
    to: isTransfer && side === "source" ? shown(to) : null,
  };
}

/**
 * A path from the root of the server as the viewer has it; null for what the viewer may not see.
 */
function shownPath(access: Access, place: EntryPath): EntryPath | null {
  const own = pathIn(access.viewer, place);
  const { base = ROOT } = access.viewer;
  if (own === null || !isInside(own, base)) return null;
  const path = relativePath(own, base);
  return unlessRefused(() => {
    access.check(path, `Cannot read "${path}"`);
    return path;
  });
}
