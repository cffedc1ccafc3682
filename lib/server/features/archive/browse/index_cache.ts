import { isSameEntry } from "../../../core/disk/facts.ts";
import type { FileHandle } from "../../../core/access/file_handle.ts";
import { Pauses } from "../../../core/concurrency/pauses.ts";
import { etagOf } from "../../../files/content/open_content.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { LruCache } from "../../../../shared/lru_cache.ts";
import { ArchiveFile } from "../extract/archive_file.ts";
import { archiveTooLargeError } from "../extract/archived_entry.ts";
import { Limits } from "../extract/limits.ts";
import { listArchive } from "../extract/open_archive.ts";
import { ArchiveIndex } from "./archive_index.ts";
import type { ReadingProgress } from "./order.ts";

/** Most entries of an archive that is shown as a folder. */
const maxListed = 250_000;

/** Most entries of all archives whose contents are kept in memory: about 80 MB. */
const maxKept = 300_000;

/** Most archives that are read at a time, and when to try again, in seconds. */
const maxReadings = 6;
const busySeconds = 5;

/** An archive that is read in vain for so long, in milliseconds, is given up. */
const forgottenMs = 15_000;

/** An archive that is being read. */
interface Reading {
  index: Promise<ArchiveIndex>;
  progress: ReadingProgress;
  controller: AbortController;
  /** How many calls wait for it, and when the last one left. */
  waiting: number;
  since: number;
}

/**
 * The contents of archives, kept by device, inode, time and size. Each archive is read once,
 * however many calls ask for it; when none has asked for a while, its reading is given up.
 */
export class IndexCache {
  readonly #kept = new LruCache<string, ArchiveIndex>(maxKept, ({ count }) => count + 100);
  readonly #readings = new Map<string, Reading>();

  /**
   * The contents of an archive.
   *
   * @param handle of the archive, which the viewer may read
   * @param waitMs how long to wait, in milliseconds; null for as long as it takes
   * @returns how far it has been read, when that takes longer
   * @throws {DomainError} as `listArchive()` does; `busy`; and the signal's reason
   */
  async get(
    handle: FileHandle,
    waitMs: number | null,
    signal: AbortSignal,
  ): Promise<ArchiveIndex | ReadingProgress> {
    const key = keyOf(handle);
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const isNew = !this.#readings.has(key);
    if (isNew && this.#readings.size >= maxReadings) {
      throw new DomainError(
        "busy",
        "Cannot read the archive: too many archives are being read",
        busySeconds,
      );
    }
    const reading = this.#readings.get(key) ?? this.#begin(key, handle);
    const gone = Promise.withResolvers<null>();
    const leave = () => gone.resolve(null);
    if (waitMs === 0) leave();
    const timer = waitMs === null ? undefined : setTimeout(leave, waitMs);
    signal.addEventListener("abort", leave, { once: true });
    reading.waiting++;
    try {
      const index = await Promise.race([reading.index, gone.promise]);
      signal.throwIfAborted();
      return index ?? { ...reading.progress };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
      reading.waiting--;
      reading.since = Date.now();
      // A cancelled call does not come again; one that was answered with the progress does.
      if (signal.aborted && reading.waiting === 0) this.#giveUp(key, reading);
    }
  }

  #begin(key: string, handle: FileHandle): Reading {
    const controller = new AbortController();
    const progress = { bytes: 0, size: handle.info.size };
    const reading: Reading = {
      index: readIndex(handle, progress, controller.signal),
      ...{ progress, controller, waiting: 0, since: Date.now() },
    };
    this.#readings.set(key, reading);
    const timer = setInterval(() => {
      const isForgotten = reading.waiting === 0 && Date.now() - reading.since > forgottenMs;
      if (isForgotten) this.#giveUp(key, reading);
    }, forgottenMs / 5);
    reading.index.then((index) => this.#kept.set(key, index), () => {}).finally(() => {
      clearInterval(timer);
      if (this.#readings.get(key) === reading) this.#readings.delete(key);
    });
    return reading;
  }

  /** Ends a reading; the next call begins another. */
  #giveUp(key: string, reading: Reading): void {
    this.#readings.delete(key);
    reading.controller.abort();
  }
}

/** Of the archive's state; a stream of brotli is known by its name alone. */
function keyOf({ info, name }: FileHandle): string {
  return `${info.dev}:${etagOf(info)}:${info.ctime?.getTime() ?? 0}:${/\.[^.]*$/.exec(name)?.[0]}`;
}

async function readIndex(
  handle: FileHandle,
  progress: ReadingProgress,
  signal: AbortSignal,
): Promise<ArchiveIndex> {
  const { info } = handle;
  using file = handle.openSync();
  if (!isSameEntry(file.facts(), info)) {
    throw new DomainError("precondition_failed", "Cannot read the archive: it has changed");
  }
  const pauses = new Pauses(signal, "low");
  const meter = { add: (_: number, bytes: number) => void (progress.bytes += bytes) };
  const source = new ArchiveFile(file, meter, pauses);
  const limits = new Limits(source.size, Infinity);
  const index = new ArchiveIndex();
  for await (const entry of listArchive(source, handle.name, limits)) {
    // The directory of a zip tells of its content, which is not read before it is asked for.
    const isRead = entry.kind === "file" && entry.place?.method === undefined;
    limits.add(isRead ? entry.size : 0);
    index.add(entry);
    if (index.count > maxListed) {
      throw archiveTooLargeError(`it has more than ${maxListed} entries`);
    }
    if (pauses.isDue) await pauses.pause();
  }
  return index;
}
