import { join } from "node:path";
import type { Access } from "../../core/access/access.ts";
import type { Gate } from "../../core/access/gate.ts";
import { INDEXER } from "../../core/access/viewer.ts";
import { type Remote, remote } from "../../core/concurrency/remote.ts";
import { ThreadChannel } from "../../core/concurrency/thread_channel.ts";
import { realParent, realPathBelow } from "../../core/disk/real_path.ts";
import { sizeOfIndex } from "../contents/index_file.ts";
import type { SpentCompanions } from "../contents/index_walk.ts";
import type { Media } from "../previews/media/media.ts";
import { DomainError } from "../../../shared/errors.ts";
import { delay } from "../../../shared/delay.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { MediaInfo } from "../../../shared/schemas/media.ts";
import type { Memory, PhotoPlaces, Timeline } from "../../../shared/schemas/timeline.ts";
import type { PhotoQuery } from "./photo_order.ts";
import type { ReadPhoto, UnreadPhoto } from "./photo_rows.ts";
import type { PhotoWork } from "./photo_worker.ts";

/** The least time between the begins of two walks, in milliseconds, while the timeline is used. */
const walkEveryMs = 10 * 60_000;

/** The pause after a walk that failed, in milliseconds. */
const retryMs = 60_000;

/** How long an answer waits for changes that were told of before it, in milliseconds. */
const settleMs = 2_000;

/** Files of one change that are read at once; of more the rest is read in the background. */
const maxAtOnce = 64;

/** Files that are read between two writes to the index, in the background. */
const batch = 16;

/** The longest rest between them, and that while a walk has found none, in milliseconds. */
const maxRestMs = 500;
const idleRestMs = 50;

/** How long the first answer waits, so that a few photos are there at once, in milliseconds. */
const firstMs = 1_000;

/** The former years whose photos of this day are shown, at most. */
const maxYears = 10;

/** The dependencies of the index of photos. */
export interface PhotoIndexOptions {
  cacheDir: string;
  gate: Gate;
  /** Reads the facts of files, which it keeps. */
  media: Media;
  /** Logs a sentence. */
  note(sentence: string): void;
  /** Whether this thread walks: one of each process does. */
  isIndexer: boolean;
  /** Takes the files of macOS that a walk comes by, and that hold nothing of worth. */
  onSpent?(spent: SpentCompanions): Promise<void>;
}

/** What threads of a process tell each other: of changes that are being followed, and of a walk. */
type News = { begun: string } | { ended: string } | { walk: true };

/**
 * The photos and videos of all folders by when they were taken: an index in the cache folder, one
 * for all users, which begins when someone opens the timeline for the first time. A Worker keeps it
 * and answers; a walk through all files finds what other programs have changed.
 */
export class PhotoIndex {
  readonly #options: PhotoIndexOptions;
  readonly #path: string;
  readonly #worker: Remote<PhotoWork>;
  readonly #channel: ThreadChannel<News>;
  readonly #ending = new AbortController();
  /** Changes that are being followed, by this thread or another one. */
  readonly #following = new Map<string, PromiseWithResolvers<void>>();
  #changes = 0;
  #touched = new Set<EntryPath>();
  #isUsed: boolean;
  #isFollowing = false;
  /** The first work of an index that was not there before; undefined later. */
  #first: Promise<void> | undefined;
  #isWalking = false;
  #isReading = false;
  #failedAt = -Infinity;

  constructor(options: PhotoIndexOptions) {
    this.#options = options;
    this.#path = join(options.cacheDir, "photos.db");
    const script = new URL("./photo_worker.ts", import.meta.url);
    this.#worker = remote<PhotoWork>({ script, name: "photos", note: options.note });
    this.#isUsed = sizeOfIndex(this.#path) > 0;
    this.#channel = new ThreadChannel(`cubby-photos ${this.#path}`, {
      take: (news) => this.#hear(news),
      onLost: () => this.#forget(),
    });
  }

  /**
   * A window of a viewer's timeline.
   *
   * @param around a photo that the window is to hold, in place of the offset
   * @throws {DomainError} `forbidden` without the permission to download
   */
  async window(
    access: Access,
    query: PhotoQuery,
    window: {
      offset: number;
      limit: number;
      groupBy: "month" | "day";
      around?: EntryPath | undefined;
    },
  ): Promise<Timeline> {
    const timeline = await this.#worker.window({ ...await this.#ask(access, query), ...window });
    if (timeline.unread > 0) this.#tell({ walk: true });
    return timeline;
  }

  /** The ratios of a viewer's photos, in the order of the timeline. @throws as {@link window} */
  async ratios(
    access: Access,
    query: PhotoQuery,
    window: { offset: number; limit: number },
  ): Promise<number[]> {
    return await this.#worker.ratios({ ...await this.#ask(access, query), ...window });
  }

  /** The photos of this day in former years, the latest first. @throws as {@link window} */
  async memories(access: Access, timeZone: string): Promise<Memory[]> {
    const asked = await this.#ask(access, { timeZone });
    return await this.#worker.memories({ ...asked, now: Date.now(), maxYears });
  }

  /** Where a viewer's photos were taken. @throws as {@link window} */
  async places(access: Access): Promise<PhotoPlaces> {
    return await this.#worker.places(await this.#ask(access, { timeZone: "UTC" }));
  }

  /** Takes entries that have come, changed or gone. @param paths as the one who changed them has them */
  notifyChanged(access: Access, ...paths: EntryPath[]): void {
    if (!this.#isUsed || this.#ending.signal.aborted) return;
    for (const path of paths) this.#touched.add(access.ownPlaceAt(path));
    // What comes while it follows is followed together.
    if (this.#touched.size > 0 && !this.#isFollowing) void this.#followAll();
  }

  /** Ends the Worker. */
  close(): void {
    this.#ending.abort();
    this.#channel.close();
    this.#worker.close();
    this.#endAll();
  }

  /** What each question holds; answers wait for changes that were told of before. */
  async #ask(access: Access, query: PhotoQuery) {
    access.need("Cannot list the photos", "download");
    this.#tell({ walk: true });
    if (this.#first) await atMost(firstMs, this.#first);
    this.#first = undefined;
    const following = [...this.#following.values()].map(({ promise }) => promise);
    if (following.length > 0) await atMost(settleMs, Promise.all(following));
    return { path: this.#path, access, query, changes: this.#changes };
  }

  #tell(news: News): void {
    this.#hear(news);
    this.#channel.post(news);
  }

  #hear(news: News): void {
    if ("begun" in news) {
      this.#changes++;
      this.#following.set(news.begun, Promise.withResolvers());
    } else if ("ended" in news) {
      this.#changes++;
      this.#following.get(news.ended)?.resolve();
      this.#following.delete(news.ended);
    } else {
      const isNew = !this.#isUsed;
      this.#isUsed = true;
      const work = this.#options.isIndexer ? this.#work() : undefined;
      if (isNew) this.#first = work;
    }
  }

  /** Some news were lost: no answer waits for a change that may have been followed long since. */
  #forget(): void {
    this.#changes++;
    this.#isUsed ||= sizeOfIndex(this.#path) > 0;
    this.#endAll();
  }

  #endAll(): void {
    for (const { resolve } of this.#following.values()) resolve();
    this.#following.clear();
  }

  async #followAll(): Promise<void> {
    this.#isFollowing = true;
    while (this.#touched.size > 0 && !this.#ending.signal.aborted) await this.#follow();
    this.#isFollowing = false;
  }

  async #follow(): Promise<void> {
    const begun = crypto.randomUUID();
    this.#tell({ begun });
    try {
      const places = [...this.#touched];
      this.#touched = new Set();
      const unread = await this.#worker.touch({
        ...{ path: this.#path, spec: this.#options.gate.spec(), places },
        limit: maxAtOnce,
      });
      await this.#read(unread);
      if (unread.length >= maxAtOnce) this.#tell({ walk: true });
    } catch (error) {
      this.#report(error);
    } finally {
      this.#tell({ ended: begun });
    }
  }

  /** Walks through all files, if that is due, and reads those that are new. */
  async #work(): Promise<void> {
    if (this.#isWalking || this.#isReading) return;
    try {
      await this.#walk();
      this.#isReading = true;
      await this.#readAll();
    } catch (error) {
      this.#report(error);
    } finally {
      this.#isReading = false;
    }
  }

  async #walk(): Promise<void> {
    if (Date.now() - this.#failedAt < retryMs) return;
    this.#isWalking = true;
    let reading = Promise.resolve();
    try {
      // Other processes walk, too; and an index that was lost has none.
      const known = await this.#worker.walkedAt({ path: this.#path });
      if (Date.now() - known < walkEveryMs) return;
      // What a walk finds is read meanwhile: the first photos come within seconds.
      reading = this.#readAll(() => this.#isWalking);
      const { gate, onSpent = () => {} } = this.#options;
      const options = { signal: this.#ending.signal, onReport: onSpent };
      await this.#worker.walk({ path: this.#path, spec: gate.spec() }, options);
    } catch (error) {
      this.#failedAt = Date.now();
      throw error;
    } finally {
      this.#isWalking = false;
      await reading;
    }
  }

  /**
   * Reads all that is to be read, at a part of one processor's time.
   *
   * @param goesOn whether there may be more in a moment
   */
  async #readAll(goesOn: () => boolean = () => false): Promise<void> {
    let [after, restMs] = [0, 0];
    while (!this.#ending.signal.aborted) {
      const unread = await this.#worker.unread({ path: this.#path, after, limit: batch, restMs });
      const last = unread.at(-1);
      if (!last && !goesOn()) return;
      const begun = performance.now();
      await this.#read(unread);
      restMs = last ? Math.min(performance.now() - begun, maxRestMs) : idleRestMs;
      after = last?.id ?? 0;
    }
  }

  async #read(unread: readonly UnreadPhoto[]): Promise<void> {
    if (unread.length === 0) return;
    const access = this.#options.gate.enter(INDEXER);
    const read: ReadPhoto[] = [];
    for (const { id, place } of unread) {
      read.push({ id, info: await this.#factsOf(access, place) });
    }
    await this.#worker.tell({ path: this.#path, read });
    const { root } = access.spec;
    const folders = new Set(unread.map(({ place }) => realParent(realPathBelow(place, root))));
    for (const folder of folders) await this.#options.media.save(folder);
  }

  /** Null for a file that is gone. */
  async #factsOf(access: Access, place: EntryPath): Promise<MediaInfo | null> {
    try {
      return await this.#options.media.info(access, place, this.#ending.signal);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return error.code === "not_found" ? null : {};
    }
  }

  #report(error: unknown): void {
    if (!this.#ending.signal.aborted) this.#options.note(`Timeline: ${error}`);
  }
}

/** Waits for something, but not for longer than a time. */
async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const stop = new AbortController();
  await Promise.race([promise, delay(ms, stop.signal).catch(() => {})]);
  stop.abort();
}
