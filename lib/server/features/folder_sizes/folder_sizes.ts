import { createHash } from "node:crypto";
import { join } from "node:path";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import { readJsonLines } from "../../../shared/json_lines.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { placeIn } from "../../../shared/named_roots.ts";
import {
  childrenOf,
  type EntryPath,
  joinPaths,
  nameOf,
  parentOf,
  parsePath,
  ROOT,
} from "../../../shared/path.ts";
import { maxFolders, type NamedSize } from "../../../shared/schemas/size.ts";
import { hourMs } from "../../../shared/time.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import type { FolderHandle } from "../../core/access/folder_handle.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { namesOf } from "../../files/listing/describe.ts";
import { listFolder } from "../../files/listing/listing.ts";
import { maxSized } from "../../files/listing/size_order.ts";
import { viewerKey } from "../../files/listing/name_cache.ts";
import type { MeasuredFolder } from "../../files/sizes/measure_folder.ts";
import type { ListingWorker } from "../../files/workers/workers.ts";
import { CacheFolder } from "../previews/cache_folder.ts";

/** Increment when a file of the cache means something else. */
const generation = 1;

/** Totals in memory, of all folders together: about 200 bytes each. */
const maxInMemory = 60_000;

/** Most places whose changes are remembered. */
const maxChanged = 5_000;

/** A folder that takes less than this many milliseconds is measured whenever it may have changed. */
const quickMs = 250;

/**
 * Totals are kept for this multiple of the time that measuring took, so that a folder that stays on
 * screen takes a twentieth of a processor; shorter after a known change.
 */
const rest = 20;
const restWhenChanged = 4;

/** The least and the longest time for which totals hold, in milliseconds. */
const [leastAgeMs, maxAgeMs] = [10_000, hourMs];

/** The totals of a folder, and its state before it was measured. */
interface KeptSize extends Omit<MeasuredFolder, "name"> {
  ino: number | null;
  /** When the folder itself was changed last, in milliseconds since 1970. */
  changed: number;
  /** When measuring began, in milliseconds since 1970. */
  at: number;
}

/** The subfolders of a folder, as one viewer may see them. */
interface KeptFolder {
  path: EntryPath;
  /** The key in the cache. */
  key: string;
  /** By name, the oldest first. */
  sizes: Map<string, KeptSize>;
  /** When the file in the cache was written that these are of; 0 for none. */
  written: number;
  /** Whether there are totals that are not in the cache. */
  isChanged: boolean;
}

/** The parts of {@linkcode FolderSizes}. */
export interface FolderSizesOptions {
  cacheDir: string;
  listingWorker: Pick<ListingWorker, "measureEach">;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
}

/**
 * The sizes of folders with everything below them, for listings.
 *
 * - They are measured while a listing of their parent folder waits for them, with the lowest
 *   priority, by the walk that measures a folder for its details.
 * - They are kept for each viewer: scope, rules and hidden names decide what counts. So a size shows
 *   nothing that its reader may not see. Sizes of quotas, which count everything, are not shown here.
 * - They are kept in the cache of previews, a file for each parent folder: shared by threads,
 *   bounded, and lost with the cache. The key is name and inode.
 * - Kept totals are shown at once. They are measured again after a change by the server anywhere
 *   below, after a change by other programs directly in the folder, and at a certain age.
 */
export class FolderSizes {
  readonly #cache: CacheFolder;
  readonly #listingWorker: FolderSizesOptions["listingWorker"];
  readonly #now: () => number;
  readonly #folders = new LruCache<string, { folder: KeptFolder; count: number }>(
    maxInMemory,
    ({ count }) => count + 1,
  );
  /** Whether there are any totals. */
  #isAsked = false;
  /** When something was changed at a place or below it. */
  readonly #changed = new LruCache<string, number>(maxChanged);
  /** What is measured now: two viewers of one folder wait for the same. Null if it was left off. */
  readonly #running = new Map<string, Promise<NamedSize | null>>();

  constructor({ cacheDir, listingWorker, now = Date.now }: FolderSizesOptions) {
    this.#cache = new CacheFolder(join(cacheDir, "previews"));
    this.#listingWorker = listingWorker;
    this.#now = now;
  }

  /**
   * The sizes of subfolders: what is kept at once, and then what had to be measured, as it comes.
   *
   * @param names of the subfolders; those that nothing is known of when left out. What is no folder
   * is left out
   * @param signal ends the work
   * @throws {DomainError} `invalid_path`, `forbidden`, `not_found`; on the way the signal's reason
   */
  measure(
    access: Access,
    path: EntryPath,
    names: readonly string[] | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<NamedSize> {
    return this.#measure(access, access.folder(path), names?.map(nameAlone), signal);
  }

  /**
   * The sizes of subfolders that are known, for the order of a listing.
   *
   * @throws {DomainError} `forbidden`, `not_found`
   */
  async known(access: Access, path: EntryPath): Promise<Map<string, number>> {
    const { sizes } = await this.#keptOf(access, access.folder(path));
    return new Map([...sizes].map(([name, { bytes }]) => [name, bytes]));
  }

  /** Notes that something has changed at paths of a viewer. */
  notifyChanged({ viewer }: Access, ...paths: EntryPath[]): void {
    if (!this.#isAsked) return;
    const now = this.#now();
    for (const path of paths) {
      const place = placeIn(viewer, joinPaths(viewer.base ?? ROOT, path));
      for (let at = place ?? ROOT; at !== ROOT; at = parentOf(at)) this.#changed.set(at, now);
    }
  }

  async *#measure(
    access: Access,
    top: FolderHandle,
    names: readonly string[] | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<NamedSize> {
    const folder = await this.#keptOf(access, top);
    const childOf = childrenOf(top.path);
    let left: EntryHandle[] = [];
    for (const name of names ?? await unknownIn(top, folder.sizes, signal)) {
      const entry = folderAt(access, childOf(name));
      if (!entry) continue;
      const kept = folder.sizes.get(name);
      const isKnown = kept?.ino === entry.info.ino;
      if (kept && isKnown) yield shown(name, kept);
      if (!kept || !isKnown || this.#isStale(kept, entry, access)) left.push(entry);
    }
    while (left.length > 0) left = yield* this.#measureSome(access, folder, left, signal);
  }

  /**
   * Measures folders that no other request measures.
   *
   * @returns those for which another request was waited for in vain
   */
  async *#measureSome(
    access: Access,
    folder: KeptFolder,
    entries: readonly EntryHandle[],
    signal: AbortSignal,
  ): AsyncGenerator<NamedSize, EntryHandle[]> {
    const keyOf = ({ name }: { name: string }) => `${folder.key} ${name}`;
    const others = entries.flatMap((entry) => {
      const running = this.#running.get(keyOf(entry));
      return running ? [{ entry, running }] : [];
    });
    const own = new Map<string, { entry: EntryHandle; end: (size: NamedSize | null) => void }>();
    for (const entry of entries) {
      if (this.#running.has(keyOf(entry))) continue;
      const { promise, resolve } = Promise.withResolvers<NamedSize | null>();
      this.#running.set(keyOf(entry), promise);
      own.set(entry.name, { entry, end: resolve });
    }
    const at = this.#now();
    try {
      const args = { access, path: folder.path, names: [...own.keys()] };
      const { stream } = await this.#listingWorker.measureEach(args, { signal });
      for await (const folders of readJsonLines<MeasuredFolder>(stream.read())) {
        for (const { name, ...measured } of folders) {
          const mine = own.get(name);
          if (!mine) continue;
          const size = shown(name, keep(folder, mine.entry, { ...measured, at }));
          mine.end(size);
          yield size;
        }
      }
    } finally {
      for (const { entry, end } of own.values()) {
        this.#running.delete(keyOf(entry));
        end(null);
      }
      await this.#save(folder);
    }
    const again: EntryHandle[] = [];
    for (const { entry, running } of others) {
      const size = await running;
      signal.throwIfAborted();
      if (size) yield size;
      else again.push(entry);
    }
    return again;
  }

  /** Whether totals have to be measured again. */
  #isStale({ changed, at, ms }: KeptSize, entry: EntryHandle, access: Access): boolean {
    const age = this.#now() - at;
    const told = this.#changed.get(access.placeOf(entry)) ?? -Infinity;
    if (told < at && changedAt(entry) === changed) {
      return age > Math.min(Math.max(rest * ms, leastAgeMs), maxAgeMs);
    }
    return ms < quickMs || age > restWhenChanged * ms;
  }

  /** The totals of the subfolders of a folder, with those that others have written since. */
  async #keptOf({ spec, viewer }: Access, { path, real }: FolderHandle): Promise<KeptFolder> {
    this.#isAsked = true;
    const parts = [generation, "sizes", viewerKey({ spec, viewer }), path, real];
    const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
    const folder = this.#folders.get(key)?.folder ??
      { path, key, sizes: new Map<string, KeptSize>(), written: 0, isChanged: false };
    await this.#merge(folder);
    return folder;
  }

  async #merge(folder: KeptFolder): Promise<void> {
    const read = await this.#cache.readText(folder.key, folder.written);
    for (const [name, size] of typeof read?.text === "string" ? rowsOf(read.text) : []) {
      if (size.at > (folder.sizes.get(name)?.at ?? 0)) put(folder.sizes, name, size);
    }
    folder.written = read?.written ?? 0;
    this.#folders.set(folder.key, { folder, count: folder.sizes.size });
  }

  async #save(folder: KeptFolder): Promise<void> {
    if (!folder.isChanged) return;
    folder.isChanged = false;
    await this.#merge(folder);
    const text = JSON.stringify([...folder.sizes]);
    folder.written = await this.#cache.write(folder.key, text).catch(() => 0);
  }
}

/** @throws {DomainError} `invalid_path` for a path of several names */
function nameAlone(name: string): string {
  const { path } = parsePath(name);
  if (parentOf(path) === ROOT && path !== ROOT) return nameOf(path);
  throw new DomainError("invalid_path", `Cannot measure "${name}": expected the name of a folder`);
}

/** A folder that can be measured; null for anything else, and for what the viewer may not see. */
function folderAt(access: Access, path: EntryPath): EntryHandle | null {
  return unlessRefused(() => {
    const entry = access.stat(path);
    return entry.isFolder && !entry.isLink ? entry : null;
  });
}

/** The first subfolders that nothing is known of, as many as one request may measure. */
async function unknownIn(
  top: FolderHandle,
  known: ReadonlyMap<string, KeptSize>,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = [];
  // With more of them, those that are measured first would be forgotten by the last ones.
  const room = Math.min(maxFolders, maxSized - known.size);
  await listFolder(
    top,
    { sorting: { by: "name", asc: true }, limit: 0 },
    {
      add() {},
      inOrder({ names }) {
        for (const number of names.sorted.folders) {
          if (found.length >= room) break;
          if (!names.isLink(number) && !known.has(names.name(number))) {
            found.push(names.name(number));
          }
        }
        return Promise.resolve();
      },
    },
    new Pauses(signal, "serving"),
    namesOf,
  );
  return found;
}

function keep(
  folder: KeptFolder,
  entry: EntryHandle,
  measured: Omit<KeptSize, "ino" | "changed">,
): KeptSize {
  const before = folder.sizes.get(entry.name);
  const kept = { ...measured, ino: entry.info.ino, changed: changedAt(entry) };
  put(folder.sizes, entry.name, kept);
  // What only has become older is not worth a write.
  folder.isChanged ||= !before || (["bytes", "files", "folders", "ino", "changed"] as const)
    .some((fact) => before[fact] !== kept[fact]);
  return kept;
}

function put(sizes: Map<string, KeptSize>, name: string, size: KeptSize): void {
  sizes.delete(name);
  sizes.set(name, size);
  for (const oldest of sizes.keys()) {
    if (sizes.size <= maxSized) return;
    sizes.delete(oldest);
  }
}

function changedAt({ info: { mtime, ctime } }: EntryHandle): number {
  return Math.max(Number(mtime ?? 0), Number(ctime ?? 0));
}

function shown(name: string, size: Omit<KeptSize, "name">): NamedSize {
  const { bytes, files, folders, unreadable, isPartial } = size;
  return { name, bytes, files, folders, unreadable, isPartial };
}

/** The rows of a file of the cache; none of one that is damaged. */
function rowsOf(text: string): [string, KeptSize][] {
  try {
    const rows: unknown = JSON.parse(text);
    return Array.isArray(rows) ? rows.filter(isRow) : [];
  } catch {
    return [];
  }
}

function isRow(row: unknown): row is [string, KeptSize] {
  if (!Array.isArray(row) || typeof row[0] !== "string") return false;
  const size = row[1] as Partial<KeptSize> | null;
  return [
    size?.bytes,
    size?.files,
    size?.folders,
    size?.unreadable,
    size?.changed,
    size?.at,
    size?.ms,
  ]
    .every((number) => Number.isFinite(number)) && typeof size?.isPartial === "boolean";
}
