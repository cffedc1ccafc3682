import { virtualTop } from "../../core/access/names.ts";
import { createHash } from "node:crypto";
import type { Access } from "../../core/access/access.ts";
import { pathBelow, type RealPath } from "../../core/disk/real_path.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parentOf, ROOT } from "../../../shared/path.ts";
import { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";

/** How long changes are gathered before they are written, in milliseconds. */
const gatherMs = 50;

/** Minimum time between two writes, in milliseconds. */
const paceMs = 500;

/** The pause after a write that failed, in milliseconds. */
const retryMs = 2_000;

/** Maximum number of changes that are kept; who has missed more takes all folders for changed. */
const maxChanges = 500;

/** A folder that has changed so shortly ago may have got a new folder, in milliseconds. */
const recentMs = 5_000;

/** Bytes of a folder's digest. */
const digestBytes = 12;

/** The latest changes, the last at the end. */
interface StoredChanges {
  /** The number of all changes so far. */
  count: number;
  /** Each by the process that made it and the digest of the folder. */
  changes: [node: string, folder: string][];
}

/** The latest folders in which something has changed: 500 digests at most, about 16 KiB. */
const folderNews = new Collection<StoredChanges, []>("folder_news");

/** Something to be called when a folder has changed. */
type Listener = () => void;

/**
 * Tells the servers on one store of each other's changes: a volume on the network reports only what
 * its own machine does. One record in the store holds the latest changes; each thread follows it,
 * and adds its own to it, twice a second at most. A server whose store is a file does nothing
 * of this.
 */
export class FolderEvents {
  readonly #store: Store;
  readonly #node: string;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #everywhere = new Set<Listener>();
  readonly #following: Disposable | undefined;
  #pending = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #publishedAt = -Infinity;
  #count: number | null = null;
  #isClosed = false;

  /** @param node names this process: the kernel reports its own changes to all its threads */
  constructor(store: Store, node: string) {
    this.#store = store;
    this.#node = node;
    this.#following = store.network?.follow<StoredChanges>(
      folderNews.key(),
      (stored) => this.#take(stored),
    );
  }

  /**
   * Takes entries that have come, changed or gone. @param paths as the one who changed them has
   * them
   */
  notifyChanged(access: Access, paths: readonly EntryPath[]): void {
    if (!this.#following || this.#isClosed) return;
    for (const path of paths) {
      // With more of them, all folders count as changed.
      if (this.#pending.size > maxChanges) break;
      for (const folder of foldersOf(access, path)) this.#pending.add(folder);
    }
    if (this.#pending.size > 0 && this.#timer === undefined) this.#publishLater();
  }

  /** Calls a listener whenever another process has changed something in a folder. */
  listen(real: RealPath, root: string, listener: Listener): Disposable {
    if (!this.#following) return { [Symbol.dispose]() {} };
    const folder = digestOf(pathBelow(real, root));
    const listeners = this.#listeners.get(folder) ?? new Set();
    this.#listeners.set(folder, listeners.add(listener));
    return {
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        if (listeners.size === 0) this.#listeners.delete(folder);
      },
    };
  }

  /** Calls a listener whenever another process has changed something anywhere. */
  listenAnywhere(listener: Listener): void {
    if (this.#following) this.#everywhere.add(listener);
  }

  /** Writes at once what waits to be written, for a program that ends then. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#pending.size > 0) await this.#publish();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#following?.[Symbol.dispose]();
  }

  #publishLater(): void {
    const wait = Math.max(gatherMs, this.#publishedAt + paceMs - performance.now());
    this.#timer = setTimeout(() => this.#publish(), wait);
  }

  async #publish(): Promise<void> {
    this.#publishedAt = performance.now();
    const pending = this.#pending;
    this.#pending = new Set();
    try {
      await folderNews.update(this.#store, [], (now) => {
        const { count, changes } = now ?? { count: 0, changes: [] };
        const added = [...pending].map((folder): [string, string] => [this.#node, folder]);
        return {
          count: count + added.length,
          changes: [...changes, ...added].slice(-maxChanges),
        };
      });
      this.#timer = undefined;
      if (this.#pending.size > 0 && !this.#isClosed) this.#publishLater();
    } catch {
      // The store is away or full: it is tried again, as watchers would miss the change for good.
      this.#pending = new Set([...pending, ...this.#pending].slice(0, maxChanges + 1));
      if (!this.#isClosed) this.#timer = setTimeout(() => this.#publish(), retryMs);
    }
  }

  #take(stored: StoredChanges | null): void {
    const { count, changes } = stored ?? { count: 0, changes: [] };
    const former = this.#count;
    this.#count = count;
    if (former === null || count === former) return;
    const missed = count - former;
    if (missed < 0 || missed > changes.length) return this.#tellAll();
    const others = changes.slice(-missed).filter(([node]) => node !== this.#node);
    if (others.length > 0) { for (const listener of this.#everywhere) listener(); }
    for (const folder of new Set(others.map(([, folder]) => folder))) {
      for (const listener of this.#listeners.get(folder) ?? []) listener();
    }
  }

  #tellAll(): void {
    for (const listener of this.#everywhere) listener();
    for (const listeners of this.#listeners.values()) {
      for (const listener of listeners) listener();
    }
  }
}

/**
 * The digests of the folders in which something has changed with an entry: its own, and each above
 * that has changed a moment ago as well, as folders may have been made on the way. None of those
 * that are gone: they are not watched.
 */
function foldersOf(access: Access, path: EntryPath): string[] {
  const found: string[] = [];
  try {
    for (let at = path; at !== ROOT;) {
      at = parentOf(at);
      const { real, info } = access.folder(at);
      if (real === virtualTop) break;
      const age = Date.now() - (info.mtime?.getTime() ?? 0);
      if (found.length > 0 && Math.abs(age) > recentMs) break;
      found.push(digestOf(pathBelow(real, access.spec.root)));
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
  }
  return found;
}

/** Paths may be longer than a record has room for. */
function digestOf(place: EntryPath): string {
  const digest = createHash("sha256").update(place).digest();
  return digest.subarray(0, digestBytes).toString("base64url");
}
