import { delay } from "../../../shared/delay.ts";
import { type EntryPath, ROOT } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import { mayHaveText, type ReadingOptions, readText, type Version } from "./file_text.ts";
import { faultOf } from "./index_file.ts";
import { KeptIndex, type KeptIndexOptions, NoSpace } from "./kept_index.ts";
import { DomainError } from "../../../shared/errors.ts";
import { IndexWalk, type SpentCompanions } from "./index_walk.ts";
import type { IndexWriter } from "./index_writer.ts";

/** The part of a processor that a walk takes, at most. */
const share = 0.5;

/** Work between two rests, in milliseconds. */
const sliceMs = 20;

/** The longest rest, in milliseconds: a program that read a file for long has not worked here. */
const maxRestMs = 2_000;

/** Time between two commits of a walk, in milliseconds. */
const commitMs = 1_000;

/** Time between the end of a walk and the next one, in milliseconds; and in parts of the walk. */
const walkEveryMs = 10 * 60_000;
const restOfWalks = 10;

/** Time for changes to gather before the index follows, in milliseconds. */
const gatherMs = 250;

/** Changed entries that are followed one by one; beyond that the next walk begins at once. */
const maxTouched = 5_000;

/** Interval at which requests of other processes are read, in milliseconds. */
const pollMs = 1_000;

/** Time after a fault until the next attempt, in milliseconds. */
const faultMs = 60_000;

/** The dependencies of a content indexer. */
export interface IndexerOptions extends KeptIndexOptions {
  /** The server's own, see `IndexWalk`. */
  access: Access;
  reading: ReadingOptions;
  /** Ends the work. */
  signal: AbortSignal;
  /** As of the walk. */
  onSpent?: (spent: SpentCompanions) => Promise<void>;
}

/**
 * Keeps an index in line with the disk, until it is aborted: walks through all files, at a part of
 * one processor's time, follows reported changes at once, and walks again every ten minutes or
 * so. A walk that was cut short begins from the start, and reads again only what has changed since.
 */
export class ContentIndexer {
  readonly #options: IndexerOptions;
  readonly #touched = new Set<EntryPath>();
  readonly #index: KeptIndex;
  #wake: PromiseWithResolvers<void> | null = null;
  #sliceStart = performance.now();
  #isToWalk = true;
  /** Whether changes were not heard of since the last walk began. */
  #hasMissed = false;
  /** Of the last walk; in milliseconds since 1970, and in milliseconds. */
  #endedAt = 0;
  #lastedMs = 0;
  #isFollowing = false;

  /** @throws Error of SQLite when the index cannot be opened */
  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#index = new KeptIndex(options);
  }

  /** Takes an entry that may have come, changed or gone. @param path below the server root */
  touch(path: EntryPath): void {
    if (this.#touched.size >= maxTouched) this.#isToWalk = true;
    else this.#touched.add(path);
    this.#wake?.resolve();
  }

  /** Takes note that changes were not heard of: the next walk begins as soon as the last one allows. */
  miss(): void {
    this.#hasMissed = true;
  }

  /** Works until the signal aborts. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    signal.addEventListener("abort", () => this.#wake?.resolve(), { once: true });
    while (!signal.aborted) {
      try {
        if (this.#index.isReplaced) this.#reopen();
        if (this.#index.isRebuildWanted) this.#startOver();
        if (this.#isToWalk || Date.now() >= this.#nextWalk) await this.#walkAll();
        await this.#sleep(walkEveryMs);
        if (!this.#index.isRebuildWanted) await this.#follow();
      } catch (error) {
        if (!signal.aborted) await this.#recover(error);
      }
    }
    this.#index.end();
  }

  get #nextWalk(): number {
    const leastMs = this.#hasMissed ? 0 : walkEveryMs;
    return this.#endedAt + Math.max(leastMs, this.#lastedMs * restOfWalks);
  }

  async #walkAll(): Promise<void> {
    this.#isToWalk = false;
    this.#hasMissed = false;
    const begun = Date.now();
    const isFirst = this.#index.state.walkedAt === null;
    await this.#index.checkSpace();
    this.#index.commit({ state: isFirst ? "building" : "checking", startedAt: isoNow(), seen: 0 });
    const { onSpent } = this.#options;
    const walk = this.#newWalk(() => this.#index.recordSeen(walk.seen), onSpent);
    this.#index.begin();
    await walk.walk(ROOT);
    this.#index.commit({ state: "ready", seen: walk.seen, walkedAt: isoNow() });
    if (this.#index.isFull) this.#index.commit({ state: "full" });
    await onSpent?.(null);
    this.#endedAt = Date.now();
    this.#lastedMs = this.#endedAt - begun;
  }

  /** Looks at the entries that were told of, while a walk rests as well as between walks. */
  async #follow(): Promise<void> {
    if (this.#isFollowing || this.#touched.size === 0) return;
    this.#isFollowing = true;
    try {
      await delay(gatherMs, this.#options.signal);
      const paths = [...this.#touched];
      this.#touched.clear();
      const walk = this.#newWalk(() => {});
      this.#index.begin();
      for (const path of paths) {
        await walk.touch(path);
        this.#options.signal.throwIfAborted();
      }
      this.#index.commit();
    } finally {
      this.#isFollowing = false;
    }
  }

  #newWalk(recordSeen: () => void, onSpent?: IndexerOptions["onSpent"]): IndexWalk {
    const { access, reading } = this.#options;
    const { writer } = this.#index;
    return new IndexWalk({
      ...{ access, writer, onSpent },
      isWanted: (name) => mayHaveText(name, reading.readPdf !== null),
      put: (path, isWalking) => this.#put(writer, path, isWalking),
      rest: async () => {
        recordSeen();
        await this.#rest();
      },
    });
  }

  /** @param isWalking whether a file that may change again is looked at once more in a moment */
  async #put(writer: IndexWriter, path: EntryPath, isWalking: boolean): Promise<void> {
    const { access, reading } = this.#options;
    if (this.#index.isFull) return writer.drop(path);
    try {
      const { version, text } = await readText(access.read(path), reading);
      // Such a version is never taken for the present one.
      const isSure = !isRacy(version);
      writer.put(path, isSure ? version : { ...version, changed: -1 }, text);
      if (!isSure && isWalking) this.touch(path);
    } catch (error) {
      // Removed, unreadable, or no longer a file.
      if (!(error instanceof DomainError)) throw error;
      writer.drop(path);
    }
  }

  /** Rests in proportion to the work since the last rest, and commits from time to time. */
  async #rest(): Promise<void> {
    const now = performance.now();
    if (this.#index.uncommittedMs >= commitMs) {
      this.#index.commit();
      if (this.#index.isRebuildWanted) throw new Rebuild();
      await this.#index.checkSpace();
    }
    const worked = now - this.#sliceStart;
    if (worked >= sliceMs) {
      await delay(Math.min(worked * (1 / share - 1), maxRestMs));
      await this.#follow();
      this.#sliceStart = performance.now();
    }
    this.#options.signal.throwIfAborted();
    this.#index.begin();
  }

  /** Waits until there is something to do; reads the requests of other processes meanwhile. */
  async #sleep(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (!this.#options.signal.aborted && this.#touched.size === 0 && !this.#isToWalk) {
      const left = until - performance.now();
      if (left <= 0 || Date.now() >= this.#nextWalk || this.#index.needsReopening()) return;
      await this.#pause(Math.min(left, pollMs));
    }
  }

  async #pause(ms: number): Promise<void> {
    const wake = this.#wake = Promise.withResolvers<void>();
    const timer = setTimeout(wake.resolve, ms);
    await wake.promise;
    clearTimeout(timer);
    this.#wake = null;
  }

  #reopen(): void {
    this.#index.reopen();
    this.#isToWalk = true;
  }

  #startOver(): void {
    this.#touched.clear();
    this.#index.startOver();
    this.#isToWalk = true;
  }

  /** After a fault: a damaged index is thrown away, on a full disk the work waits. */
  async #recover(error: unknown): Promise<void> {
    const { note } = this.#options;
    this.#isToWalk = true;
    this.#touched.clear();
    if (error instanceof Rebuild) return;
    const fault = faultOf(error);
    if (fault === "missing") return this.#startOver();
    if (fault === "damaged") {
      note("Content search: the index was damaged; rebuilding it");
      return this.#startOver();
    }
    const isFull = fault === "full" || error instanceof NoSpace;
    const state = isFull ? "disk_full" : "failed";
    if (this.#index.state.state !== state) {
      const reason = isFull ? "its disk is full" : String(error);
      note(`Content search: the index cannot be stored now: ${reason}`);
    }
    this.#index.fail(state);
    await this.#pause(faultMs);
  }
}

/**
 * A file that has changed so short a time ago, in milliseconds, may change again without another
 * time: the system's clock of files ticks every few milliseconds.
 */
const racyMs = 100;

function isRacy({ changed }: Version): boolean {
  const age = Date.now() - changed;
  return age >= 0 && age < racyMs;
}

/** Ends a walk, as the index is to be rebuilt. */
class Rebuild extends Error {}

function isoNow(): string {
  return new Date().toISOString();
}
