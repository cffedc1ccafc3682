import { LruCache } from "../../../shared/lru_cache.ts";
import type { SearchFolder } from "../../core/access/search_folder.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { isSameEntry, isSettled } from "../../core/disk/facts.ts";

/** Maximum number of folders that are kept. */
const capacity = 50_000;

/** Most viewers with sizes of their own, and most folders whose changes are remembered. */
const maxViewers = 500;
const maxChanged = 5_000;

/**
 * A file can grow without its folder changing, and not every folder is watched: totals older than
 * this are counted again, in milliseconds.
 */
const maxAgeMs = 60_000;

/** The entries right in a folder, of those that a viewer may know of. */
export interface OwnSize {
  /** Total size of its files, in bytes. */
  bytes: number;
  files: number;
  /** Subfolders, links to folders among them. */
  folders: number;
  /** The names of the subfolders to go on with. */
  branches: readonly string[];
  /** Whether names in the subfolders may be spelled in several ways. */
  caseInsensitive: boolean;
}

/** The cached state of a folder: that before it was read. */
interface Kept extends OwnSize {
  info: Pick<Facts, "dev" | "ino" | "mtime" | "ctime">;
  readAt: number;
}

/**
 * Caches the sizes of folders, each without its subfolders, so that measuring a tree again takes
 * one look at each folder instead of one at each file. A folder counts as unchanged while it is the
 * same, with the same times, and no watch has told of a change in it; for a minute at most.
 */
export class SizeCache {
  readonly #kept = new LruCache<string, Kept>(capacity, ({ branches }) => 1 + branches.length / 8);
  readonly #viewers = new LruCache<string, number>(maxViewers);
  /** When a change in a folder was told, by its real path. */
  readonly #changed = new LruCache<string, number>(maxChanged);
  readonly #now: () => number;
  #lastViewer = 0;

  /** @param now the clock, in milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * The size of a folder.
   *
   * @param viewer cache key of viewers who may see the same names
   * @param info of the folder, now
   */
  get(folder: SearchFolder, viewer: string, info: Facts): OwnSize | null {
    const kept = this.#kept.get(this.#keyOf(folder, viewer));
    if (!kept || this.#now() - kept.readAt > maxAgeMs) return null;
    if (kept.readAt <= (this.#changed.get(folder.real) ?? -Infinity)) return null;
    return isUnchanged(kept.info, info) ? kept : null;
  }

  /**
   * Keeps the size of a folder, unless it may be changing.
   *
   * @param info as it was before the folder was read
   * @param readAt the time of that, in milliseconds
   */
  set(folder: SearchFolder, viewer: string, size: OwnSize, info: Facts, readAt: number): void {
    if (!isSettled(info, readAt)) return;
    const { dev, ino, mtime, ctime } = info;
    const kept = { ...size, info: { dev, ino, mtime, ctime }, readAt };
    this.#kept.set(this.#keyOf(folder, viewer), kept);
  }

  /** Forgets a folder in which something has changed. @param real its path on the disk */
  forget(real: string): void {
    this.#changed.set(real, this.#now());
  }

  /** The time by the cache's clock, in milliseconds. */
  now(): number {
    return this.#now();
  }

  /** The keys of viewers are long, and the folders many: a number stands for each. */
  #keyOf({ real, path }: SearchFolder, viewer: string): string {
    let id = this.#viewers.get(viewer);
    if (id === undefined) this.#viewers.set(viewer, id = ++this.#lastViewer);
    return `${id}\0${real}\0${path}`;
  }
}

function isUnchanged(before: Kept["info"], now: Facts): boolean {
  return isSameEntry(before, now) && Number(before.mtime) === Number(now.mtime) &&
    Number(before.ctime) === Number(now.ctime);
}
