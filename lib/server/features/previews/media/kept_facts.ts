import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Facts, stateText } from "../../../core/disk/facts.ts";
import type { TakenTime } from "../../../files/listing/taken_order.ts";
import { LruCache } from "../../../../shared/lru_cache.ts";
import { maxRatios } from "../../../../shared/schemas/choices/choices.ts";
import type { MediaInfo } from "../../../../shared/schemas/media.ts";
import { isRecord } from "../../../../shared/schemas/read.ts";
import { CacheFolder } from "../cache_folder.ts";

/** Increment when the same file tells other facts. */
const generation = 3;

/** Files whose facts are in memory, of all folders together: some 300 bytes each. */
const maxInMemory = 40_000;

interface KeptFile {
  state: string;
  info: MediaInfo;
  /** Whether they stay after a restart: not what a timeout or a missing program has left. */
  isSure: boolean;
}

/** The facts of the files in one folder, each for one state of the file. */
export class FolderFacts {
  /** Oldest first; the latest ones, as many as a view asks for. */
  readonly #files = new Map<string, KeptFile>();
  /** When the file in the cache was written that these facts are in; 0 for none. */
  written = 0;
  /** Whether there are facts that are not in the cache. */
  isChanged = false;

  /** The number of files. */
  get count(): number {
    return this.#files.size;
  }

  /** The facts of a file in a state; undefined while they are not known. */
  find(name: string, facts: Facts): MediaInfo | undefined {
    return this.findState(name, stateText(facts));
  }

  /** As {@link find}, with the state as `stateText()` tells it. */
  findState(name: string, state: string): MediaInfo | undefined {
    const kept = this.#files.get(name);
    return kept?.state === state ? kept.info : undefined;
  }

  /** Keeps the facts of a file. @param isSure false for what another attempt may tell better */
  keep(name: string, facts: Facts, info: MediaInfo, isSure: boolean): void {
    this.keepState(name, stateText(facts), info, isSure);
  }

  /** As {@link keep}, with the state as `stateText()` tells it. */
  keepState(name: string, state: string, info: MediaInfo, isSure: boolean): void {
    this.#put(name, { state, info, isSure });
    this.isChanged ||= isSure;
  }

  /** Adds what is in the cache; what is known here is newer. */
  merge(text: string): void {
    for (const [name, kept] of readTable(text)) {
      if (!this.#files.has(name)) this.#put(name, kept);
    }
  }

  /** When pictures and videos were taken, by their names: for the order of a listing. */
  takenTimes(): Map<string, TakenTime> {
    const times = new Map<string, TakenTime>();
    for (const [name, { state, info }] of this.#files) {
      const taken = takenTimeOf(info);
      if (taken) times.set(name, { state, ...taken });
    }
    return times;
  }

  /** For the cache. */
  toText(): string {
    const sure = [...this.#files].filter(([, { isSure }]) => isSure);
    return JSON.stringify(sure.map(([name, { state, info }]) => [name, state, info]));
  }

  #put(name: string, kept: KeptFile): void {
    this.#files.delete(name);
    this.#files.set(name, kept);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= maxRatios) return;
      this.#files.delete(oldest);
    }
  }
}

/**
 * What files tell of themselves, kept by folder in the cache of previews: one file for each folder,
 * so that a view of thousands of pictures costs one read. It is shared by threads and processes, and
 * may be deleted at any time; of two writers at once, one reads some files again.
 */
export class KeptFacts {
  readonly #cache: CacheFolder;
  readonly #folders = new LruCache<string, { facts: FolderFacts; count: number }>(
    maxInMemory,
    ({ count }) => count + 1,
  );

  /** @param cacheDir the cache folder */
  constructor(cacheDir: string) {
    this.#cache = new CacheFolder(join(cacheDir, "previews"));
  }

  /** The facts of the files in a folder. @param folder its real path */
  async of(folder: string): Promise<FolderFacts> {
    const facts = this.#folders.get(folder)?.facts ?? new FolderFacts();
    const kept = await this.#cache.readText(keyOf(folder), facts.written);
    if (typeof kept?.text === "string") facts.merge(kept.text);
    facts.written = kept?.written ?? 0;
    this.#folders.set(folder, { facts, count: facts.count });
    return facts;
  }

  /** Writes the facts of a folder to the cache, with those that others have written since. */
  async save(folder: string): Promise<void> {
    const facts = this.#folders.get(folder)?.facts;
    if (!facts?.isChanged) return;
    facts.isChanged = false;
    await this.of(folder);
    facts.written = await this.#cache.write(keyOf(folder), facts.toText()).catch(() => 0);
  }
}

/** When a file was taken; null where its facts do not tell. */
export function takenTimeOf({ taken, takenZone }: MediaInfo): Omit<TakenTime, "state"> | null {
  const time = taken === undefined ? NaN : Date.parse(`${taken}Z`);
  return Number.isNaN(time) ? null : { time, isUtc: takenZone === "Z" };
}

function keyOf(folder: string): string {
  return createHash("sha256").update(JSON.stringify([generation, "facts", folder])).digest("hex");
}

function* readTable(text: string): Generator<[string, KeptFile]> {
  for (const row of parse(text)) {
    if (!Array.isArray(row)) continue;
    const [name, state, info] = row as unknown[];
    if (typeof name !== "string" || typeof state !== "string" || !isRecord(info)) continue;
    yield [name, { state, info, isSure: true }];
  }
}

/** The rows of a table; none of one that is damaged. */
function parse(text: string): unknown[] {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}
