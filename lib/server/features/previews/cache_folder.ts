import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { LruCache } from "../../../shared/lru_cache.ts";
import { hourMs } from "../../../shared/time.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";

/** A text of the cache; null for one that is known already. */
interface KeptText {
  text: string | null;
  /** In milliseconds since 1970. */
  written: number;
}

/** A file of the cache. */
interface KeptFile {
  path: string;
  size: number;
  usedAt: number;
}

/** Maximum size unless another is set, in bytes. */
const defaultBytes = 2 ** 30;
/** A sweep is due after this part of the maximum was written. */
const sweepShare = 1 / 16;
/** Target size after a sweep, as a part of the maximum. */
const leftShare = 0.9;
/** Granularity of last use: files of the same minute stay or go together. */
const bucketMs = 60_000;

/** Suffix of files being written. */
const unfinished = ".part";
/** Age at which incomplete files of a crash are removed, in milliseconds. */
const leftoverMs = hourMs;

/** Minimum interval between two updates of a file's last use, in milliseconds. */
const touchMs = hourMs;
/** Maximum number of remembered updates. */
const maxTouched = 10_000;

/**
 * A folder of the cache: a file for each key, which is a digest in hexadecimal. All threads and
 * processes share it. Writes are atomic; the modification time is that of the last use. The folder
 * may be deleted at any time.
 */
export class CacheFolder {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** Time of the last update by key. */
  readonly #touched = new LruCache<string, number>(maxTouched);
  /** Bytes written since the last sweep; the first sweep of an opener is due at once. */
  #unswept = Infinity;
  #isSweeping = false;

  /** @param maxBytes maximum size, in bytes; 1 GiB by default */
  constructor(folder: string, maxBytes: number = defaultBytes) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Reads a file, which counts as a use; null without one. */
  async read(key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes = await Deno.readFile(this.#pathOf(key)).catch(() => null);
    if (bytes) this.touch(key);
    return bytes;
  }

  /** Reads up to `length` bytes from the end of a file; null without one. */
  async readEnd(key: string, length: number): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      using file = await Deno.open(this.#pathOf(key));
      const { size } = await file.stat();
      const end = new Uint8Array(Math.min(size, length));
      await file.seek(size - end.length, Deno.SeekMode.Start);
      return await file.read(end) === end.length ? end : null;
    } catch {
      return null;
    }
  }

  /**
   * Reads a text and the time when it was written; null without one.
   *
   * @param since the time when the text that is known already was written
   */
  async readText(key: string, since: number): Promise<KeptText | null> {
    const path = this.#pathOf(key);
    try {
      const written = await timeOf(path);
      return { text: written === since ? null : await Deno.readTextFile(path), written };
    } catch {
      return null;
    }
  }

  /**
   * Stores a file.
   *
   * @returns when, in milliseconds since 1970
   * @throws errors of the disk
   */
  async write(key: string, content: Uint8Array | string): Promise<number> {
    const path = this.#pathOf(key);
    const part = `${path}.${crypto.randomUUID()}${unfinished}`;
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.mkdir(this.#shardOf(key), { recursive: true, mode: 0o700 });
    try {
      await Deno.writeFile(part, bytes, { mode: 0o600, createNew: true });
      await Deno.rename(part, path);
    } catch (error) {
      removeIfThere(part);
      throw error;
    }
    this.#unswept += bytes.length;
    return await timeOf(path);
  }

  /** Notes the use of a file. @returns false for one that was removed, as far as is noticed */
  touch(key: string): boolean {
    const now = Date.now();
    if (now - (this.#touched.get(key) ?? 0) < touchMs) return true;
    this.#touched.set(key, now);
    try {
      Deno.utimeSync(this.#pathOf(key), new Date(now), new Date(now));
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Removes the files that were used least recently, if the folder is larger than its maximum.
   * Looks only once enough was written since the last sweep.
   */
  async sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    // More may have been written during a sweep.
    while (this.#unswept > this.#maxBytes * sweepShare) {
      this.#unswept = 0;
      await setImmediate();
      await sweepFolder(this.#folder, this.#maxBytes);
    }
    this.#isSweeping = false;
  }

  /** Two digits of the key spread the files over 256 folders. */
  #shardOf(key: string): string {
    return join(this.#folder, key.slice(0, 2));
  }

  #pathOf(key: string): string {
    return join(this.#shardOf(key), key);
  }
}

/**
 * Shrinks a folder below its maximum. Two passes over the files need little memory, however many
 * files there are. Several threads and processes may sweep concurrently.
 */
async function sweepFolder(folder: string, maxBytes: number): Promise<void> {
  const pauses = new Pauses();
  const sizes = new Map<number, number>();
  let total = 0;
  for (const kept of filesOf(folder)) {
    if (pauses.isDue) await pauses.pause();
    if (!kept) continue;
    const bucket = bucketOf(kept);
    sizes.set(bucket, (sizes.get(bucket) ?? 0) + kept.size);
    total += kept.size;
  }
  if (total <= maxBytes) return;

  const last = lastToGo(sizes, maxBytes * leftShare);
  for (const kept of filesOf(folder)) {
    if (pauses.isDue) await pauses.pause();
    if (kept && bucketOf(kept) <= last) removeIfThere(kept.path);
  }
}

/** The newest minute whose files exceed the budget. */
function lastToGo(sizes: Map<number, number>, budget: number): number {
  let sum = 0;
  for (const bucket of [...sizes.keys()].sort((a, b) => b - a)) {
    sum += sizes.get(bucket) ?? 0;
    if (sum > budget) return bucket;
  }
  return -Infinity;
}

function bucketOf({ usedAt }: KeptFile): number {
  return Math.floor(usedAt / bucketMs);
}

/** Yields the files, and sometimes null, so that the caller can pause. */
function* filesOf(folder: string): Generator<KeptFile | null> {
  for (const shard of namesIn(folder)) {
    for (const name of namesIn(join(folder, shard))) yield statFile(join(folder, shard, name));
    yield null;
  }
}

/** A complete file; an incomplete one is removed when a crash has left it. */
function statFile(path: string): KeptFile | null {
  try {
    const { isFile, size, mtime } = Deno.lstatSync(path);
    const usedAt = mtime?.getTime() ?? 0;
    if (!isFile) return null;
    if (!path.endsWith(unfinished)) return { path, size, usedAt };
    if (Date.now() - usedAt > leftoverMs) removeIfThere(path);
    return null;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return [];
  }
}

async function timeOf(path: string): Promise<number> {
  return (await Deno.stat(path)).mtime?.getTime() ?? 0;
}

/** Removes a file of the cache; another thread may have done so. */
function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // Already gone, or no permission.
  }
}
