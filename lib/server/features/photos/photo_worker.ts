/** The Worker that keeps the index of photos, and answers from it. */
import { asRefusal } from "../../core/access/os_errors.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import { enterAgain, Gate, type SentAccess } from "../../core/access/gate.ts";
import { type GateSpec, INDEXER } from "../../core/access/viewer.ts";
import { note, serveWorker, type WorkerCall } from "../../core/concurrency/serve_worker.ts";
import { pathBelow } from "../../core/disk/real_path.ts";
import { entryOf } from "../../files/listing/entries.ts";
import { factsOf } from "../../files/listing/folder_resource.ts";
import { wallClock } from "../../files/listing/taken_order.ts";
import { isSameVersion, versionOf } from "../contents/file_text.ts";
import {
  faultOf,
  type IndexFile,
  lockFor,
  openForWriting,
  removeIndex,
} from "../contents/index_file.ts";
import { IndexWalk, type SpentCompanions } from "../contents/index_walk.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import { delay } from "../../../shared/delay.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { childOf, type EntryPath, ROOT } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { Memory, PhotoPlaces, Timeline } from "../../../shared/schemas/timeline.ts";
import { PhotoOrder, type PhotoQuery } from "./photo_order.ts";
import {
  isPhotoName,
  maxPhotos,
  photoLayout,
  PhotoRows,
  type ReadPhoto,
  type UnreadPhoto,
  versionIn,
} from "./photo_rows.ts";

/** How long an idle Worker keeps its memory, in milliseconds. */
const idleMs = 120_000;

/** The part of a processor that a walk takes, at most; and the work between two rests. */
const share = 0.5;
const sliceMs = 20;

/** While nothing but the background work has changed, an order stays this long, in milliseconds. */
const staleMs = 2_000;

/** The most photos of a day of a former year that are shown. */
const maxMemories = 8;

/** The most places of an answer: the map has no room for more. */
const maxPlaces = 20_000;

/** The name under which the index keeps when the last walk began that came to its end. */
const walkedName = "walked";

interface Place {
  /** The path of the index. */
  path: string;
}

/** A question about a viewer's photos. */
interface Question extends Place {
  access: SentAccess;
  query: PhotoQuery;
  /** A number that grows with the changes that were told of: none of them may be missing. */
  changes: number;
}

let open: { index: IndexFile; rows: PhotoRows } | null = null;

/** What this thread has written: the index itself tells of others. */
let written = 0;

interface KeptOrder {
  order: PhotoOrder;
  /** The state of the index that it was read from. */
  state: string;
  changes: number;
  readAt: number;
  tookMs: number;
}

/** The orders of the latest viewers. */
let orders = noOrders();

function noOrders(): LruCache<string, KeptOrder> {
  return new LruCache<string, KeptOrder>(maxPhotos, ({ order }) => order.size);
}

const work = {
  /**
   * Brings the index in line with the disk. Only one thread of all processes does at a time.
   *
   * @returns the entries that it has come by; null while another one walks
   */
  async walk(
    { path, spec }: Place & { spec: GateSpec },
    call: WorkerCall<never, void, SpentCompanions>,
  ) {
    const { signal } = call;
    using lock = lockFor(path);
    if (!lock) return null;
    const begun = Date.now();
    let sliceStart = performance.now();
    const rest = async () => {
      signal.throwIfAborted();
      const worked = performance.now() - sliceStart;
      if (worked < sliceMs) return;
      // Nothing stays open while others want to write.
      commit(path);
      await delay(worked * (1 / share - 1), signal);
      sliceStart = performance.now();
    };
    const onSpent = (spent: SpentCompanions) => {
      commit(path);
      return call.report(spent);
    };
    const walk = walkOf(path, spec, rest, onSpent);
    try {
      await walk.walk(ROOT);
      rowsOf(path);
      open?.index.keep(walkedName, String(begun));
    } finally {
      commit(path);
    }
    await call.report(null);
    return walk.seen;
  },

  /**
   * Takes entries that have come, changed or gone.
   *
   * @returns those of them that are to be read, the first ones if they are many
   */
  async touch(
    { path, spec, places, limit }: Place & {
      spec: GateSpec;
      places: EntryPath[];
      limit: number;
    },
  ): Promise<UnreadPhoto[]> {
    const before = lastId(path);
    const walk = walkOf(path, spec, () => {
      commit(path);
      return delay(0);
    });
    const access = new Gate(spec).enter(INDEXER);
    // What has come first: a moved file keeps its facts until then.
    const { came = [], gone = [] } = Object.groupBy(
      places,
      (place) => isThere(access, place) ? "came" : "gone",
    );
    for (const place of [...came, ...gone]) await walk.touch(place);
    commit(path);
    const wanted = new Set(came.flatMap((place) => rowsOf(path).knownAt(place)?.id ?? []));
    const some = rowsOf(path).unread(before, limit);
    const others = [...wanted].filter((id) => id <= before);
    return [
      ...some,
      ...others.flatMap((id) => rowsOf(path).unread(id - 1, 1))
        .filter(({ id }) => wanted.has(id)),
    ];
  },

  /** Files that are to be read, from an id on; after a rest. */
  async unread(
    { path, after, limit, restMs }: Place & { after: number; limit: number; restMs: number },
  ): Promise<UnreadPhoto[]> {
    if (restMs > 0) await delay(restMs);
    return rowsOf(path).unread(after, limit);
  },

  /** Takes over what was read of files. */
  tell({ path, read }: Place & { read: ReadPhoto[] }): void {
    const rows = begin(path);
    for (const photo of read) rows.tell(photo);
    commit(path);
  },

  /** When the last walk began that came to its end, in milliseconds since 1970; 0 for none. */
  walkedAt({ path }: Place): number {
    rowsOf(path);
    return Number(open?.index.read(walkedName) ?? 0);
  },

  /** A window of the timeline. @param around a photo that the window is to hold */
  window(
    question: Question & {
      offset: number;
      limit: number;
      groupBy: "month" | "day";
      around?: EntryPath | undefined;
    },
  ): Timeline {
    const { limit, groupBy, around } = question;
    const access = enterAgain(question.access);
    for (;;) {
      const order = orderOf(access, question);
      const at = around === undefined ? -1 : indexOf(access, question.path, order, around);
      const offset = at === -1
        ? question.offset
        : Math.floor(at / Math.max(1, limit)) * Math.max(1, limit);
      const items = entriesIn(access, question, order, offset, offset + limit);
      // Some were gone: the others have moved up.
      if (items === null) continue;
      const { total, unread } = order;
      const groups = order.groupsBy(groupBy);
      return { items, total, offset, stamp: stampOf(question, order), groups, unread };
    }
  },

  /** The ratios of some photos, in the order of the timeline. */
  ratios(question: Question & { offset: number; limit: number }): number[] {
    const { offset, limit } = question;
    return orderOf(enterAgain(question.access), question).ratios(offset, offset + limit);
  },

  /** The photos of this day in former years. @param now in milliseconds since 1970 */
  memories(question: Question & { now: number; maxYears: number }): Memory[] {
    const access = enterAgain(question.access);
    const now = wallClock(question.query.timeZone)(question.now);
    for (;;) {
      const order = orderOf(access, question);
      const years = order.onDayOf(now).slice(0, question.maxYears).map(({ year, from, to }) => {
        const items = entriesIn(access, question, order, from, Math.min(to, from + maxMemories));
        return items && { year, count: to - from, items };
      });
      if (!years.includes(null)) return years.filter((year) => year !== null);
    }
  },

  /** Where the photos were taken. */
  places(question: Question): PhotoPlaces {
    const order = orderOf(enterAgain(question.access), question);
    return open ? order.places(open.index, maxPlaces) : { places: [], days: [], total: 0 };
  },
};

/** The functions of this worker. */
export type PhotoWork = typeof work;

serveWorker(work, {
  asError: (thrown) => {
    // The next call makes another index.
    if (faultOf(thrown) === "damaged" && open) {
      const { path } = open.index;
      close();
      removeIndex(path);
    }
    return asRefusal(thrown, "Cannot read the timeline");
  },
  idleMs,
});

/** The rows of the index; of a new one where it is missing or damaged. */
function rowsOf(path: string): PhotoRows {
  if (open && (open.index.path !== path || open.index.isReplaced)) close();
  if (!open) {
    const index = openForWriting(path, note, photoLayout);
    open = { index, rows: new PhotoRows(index) };
  }
  return open.rows;
}

function begin(path: string): PhotoRows {
  const rows = rowsOf(path);
  open?.index.begin();
  return rows;
}

function commit(path: string): void {
  if (open?.index.path !== path || !open.index.isWriting) return;
  open.index.commit();
  written++;
}

function close(): void {
  try {
    open?.index[Symbol.dispose]();
  } catch {
    // Damaged.
  }
  open = null;
  orders = noOrders();
}

function walkOf(
  path: string,
  spec: GateSpec,
  rest: () => Promise<void>,
  onSpent?: (spent: SpentCompanions) => Promise<void>,
): IndexWalk {
  const access = new Gate(spec).enter(INDEXER);
  return new IndexWalk({
    ...{ access, rest, onSpent },
    // Through the index as it is at each step: it may be replaced, and nothing stays open.
    writer: {
      known: (folder) => begin(path).known(folder),
      knownAt: (place) => begin(path).knownAt(place),
      foldersIn: (folder) => begin(path).foldersIn(folder),
      drop: (place) => begin(path).drop(place),
      dropFolder: (place) => begin(path).dropFolder(place),
    },
    isWanted: isPhotoName,
    put(place) {
      try {
        begin(path).put(place, versionOf(access.stat(place).info));
      } catch (error) {
        // Removed meanwhile.
        if (!(error instanceof DomainError)) throw error;
        begin(path).drop(place);
      }
      return Promise.resolve();
    },
  });
}

function isThere(access: Access, place: EntryPath): boolean {
  return unlessRefused(() => access.find(place) !== null) ?? false;
}

function lastId(path: string): number {
  rowsOf(path);
  return Number(open?.index.one("SELECT max(id) n FROM photos")?.n ?? 0);
}

/** The order of a viewer's photos, without what has changed in the background a moment ago. */
function orderOf(access: Access, { path, query, changes }: Question): PhotoOrder {
  access.need("Cannot list the photos", "download");
  rowsOf(path);
  const { index } = open ?? {};
  if (!index) throw new Error("the index is closed");
  const key = JSON.stringify([access.viewer, query]);
  const state = `${index.dataVersion} ${written}`;
  const kept = orders.get(key);
  const now = performance.now();
  const age = kept ? now - kept.readAt : Infinity;
  const isFresh = kept && kept.changes === changes &&
    (kept.state === state || age < Math.max(staleMs, 10 * kept.tookMs));
  if (isFresh) return kept.order;
  const order = PhotoOrder.read(index, access, query);
  orders.set(key, {
    ...{ order, state, changes },
    readAt: performance.now(),
    tookMs: performance.now() - now,
  });
  return order;
}

/** Two orders with the same photos at the same places have the same stamp, nearly surely. */
function stampOf({ query }: Question, order: PhotoOrder): string {
  const { within } = query;
  return `${order.total} ${order.sum} ${within?.join(" ") ?? ""}`;
}

function indexOf(access: Access, path: string, order: PhotoOrder, photo: EntryPath): number {
  try {
    const place = access.placeOf(access.stat(photo));
    return order.indexOf(rowsOf(path).knownAt(place)?.id ?? -1);
  } catch (error) {
    if (error instanceof DomainError) return -1;
    throw error;
  }
}

const rowSql = `SELECT p.folder AS folder, d.path AS path, p.name AS name, p.ino AS ino,
  p.size AS size, p.modified AS modified, p.changed AS changed
  FROM photos p JOIN folders d ON d.id = p.folder WHERE p.id = ?`;

/**
 * Photos as in a listing. Those that are gone, or that the viewer may not know of, are taken out of
 * the order; null when there were such.
 */
function entriesIn(
  access: Access,
  question: Question,
  order: PhotoOrder,
  from: number,
  to: number,
): Entry[] | null {
  rowsOf(question.path);
  const entries: Entry[] = [];
  const lost: number[] = [];
  for (let index = from; index < Math.min(to, order.total); index++) {
    const id = order.idAt(index);
    const row = open?.index.one(rowSql, id);
    const path = row && order.pathIn(Number(row.folder), String(row.name));
    const place = row && childOf(String(row.path) as EntryPath, String(row.name));
    const entry = path ? photoAt(access, path) : null;
    // By another way, over a link, it is not the one that was indexed.
    if (!row || !place || !entry || pathBelow(entry.real, access.spec.root) !== place) {
      lost.push(id);
      if (place && !entry && !isThere(serverOf(access), place)) begin(question.path).drop(place);
      continue;
    }
    if (!isSameVersion(versionOf(entry.info), versionIn(row))) {
      begin(question.path).put(place, versionOf(entry.info));
    }
    entries.push(entryOf(factsOf(entry), access.may("modify")));
  }
  commit(question.path);
  if (lost.length === 0) return entries;
  order.drop(lost);
  return null;
}

function serverOf({ spec }: Access): Access {
  return new Gate(spec).enter(INDEXER);
}

/** A file that the viewer may read; null for all else. */
function photoAt(access: Access, path: EntryPath): EntryHandle | null {
  return unlessRefused(() => {
    const entry = access.find(path);
    return entry?.info.isFile ? entry : null;
  });
}
