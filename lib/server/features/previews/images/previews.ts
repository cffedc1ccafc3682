import { join } from "node:path";
import { thumbSides } from "../../../../shared/schemas/choices/choices.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { OpenFile } from "../../../core/disk/disk.ts";
import { sniffLength } from "../../../files/content/types.ts";
import { Concurrency, FairQueue } from "../../../core/concurrency/fair_queue.ts";
import { LruCache } from "../../../../shared/lru_cache.ts";
import { type EncodedPreview, PreviewCache, wholeFormatOf } from "./preview_cache.ts";
import { ImageThread, ThreadLost } from "./image_thread.ts";
import { Counter } from "../../../core/metrics/metrics.ts";
import { noPicture, NoPreview, noProgram, unreadable } from "./no_preview.ts";
import { type EncodedPicture, kindOf } from "./picture.ts";
import type { PictureFinder } from "./picture_finder.ts";
import { type PreviewFormat, type PreviewSize, thumbWith } from "./preview.ts";
import { coverKey, type FileIdentity, previewKey } from "./preview_key.ts";
import { methodOf, type PreviewMethod } from "./preview_method.ts";
import { PreviewSource, SourceChanged } from "./preview_source.ts";
import type { CachePlace, ResizeTask } from "./resize_worker.ts";
import { SingleFlight } from "../../../core/concurrency/single_flight.ts";

/** Configuration of previews. */
export interface PreviewOptions {
  /** The cache folder. */
  cacheDir: string;
  /** Maximum number made at a time. */
  concurrency: number;
  /** Logs a sentence. */
  note(sentence: string): void;
  /** Finds the pictures of files that are none; without it, these have no previews. */
  finder?: PictureFinder;
  /** Maximum size of the cache, in bytes; 1 GiB by default. */
  maxCacheBytes?: number;
}

/** The pictures that the cover of a folder is made of. */
export interface CoverParts {
  pictures: Preview[];
  size: PreviewSize;
  format: PreviewFormat;
}

/** A preview, ready to send. */
export interface Preview extends EncodedPreview {
  source: PreviewSource;
}

/** The previews that have a ThumbHash: first those that views with placeholders show. */
const thumbSizes = [true, false].flatMap((isWhole) =>
  thumbSides.map((side) => thumbWith(side, isWhole))
);

/** Memory for files being read at the same time, in bytes. */
const maxReadBytes = 64 * 2 ** 20;
/** Maximum number of previews that one user may wait for. */
const maxWaiting = 500;
/** Size of the negative cache: files without a preview. */
const maxRefused = 5_000;
/** Maximum attempts for a file that changes. */
const maxAttempts = 4;
/** Timeout beyond the decoders' own limits, in milliseconds: a task that takes longer is stuck. */
const timeoutMs = 60_000;

/** Maximum number of previews made at a time: each takes a processor and some memory. */
const maxConcurrency = 8;

const [cached, made, refused] = ["cached", "made", "refused"].map((result) =>
  new Counter("cubby_previews_total", { result })
) as [Counter, Counter, Counter];

/**
 * Number of previews that one serving thread makes at a time: all threads together leave one
 * processor free, but at least two, so that one slow picture does not block all others.
 *
 * @param workers the number of serving threads
 */
export function previewConcurrency(
  workers: number,
  processors = navigator.hardwareConcurrency,
): number {
  const together = Math.min(maxConcurrency, Math.max(2, processors - 1));
  return Math.max(1, Math.floor(together / workers));
}

/**
 * Makes and caches previews of pictures, and of what has one in it. Permissions are checked for
 * every request, before the cache is read. Decoding runs in a Worker, a few at a time, once for
 * concurrent requests of the same preview; it is abandoned when all of them have left.
 */
export class Previews {
  readonly #cache: PreviewCache;
  readonly #queue: FairQueue;
  readonly #flights = new SingleFlight<EncodedPreview>();
  /**
   * Negative cache: reasons by key, so that a broken or malicious file is not decoded again at
   * every visit of its folder. A changed file has another key.
   */
  readonly #refused = new LruCache<string, string>(maxRefused);
  readonly #place: CachePlace;
  readonly #resizing: ImageThread;
  readonly #finder: PictureFinder | undefined;

  constructor({ cacheDir, concurrency, note, finder, maxCacheBytes }: PreviewOptions) {
    this.#finder = finder;
    const folder = join(cacheDir, "previews");
    this.#cache = new PreviewCache(folder);
    this.#queue = new FairQueue({
      capacity: new Concurrency(concurrency, maxReadBytes),
      waiting: { max: maxWaiting, refuse: queueFullError },
    });
    this.#place = { folder, maxBytes: maxCacheBytes };
    this.#resizing = new ImageThread({
      script: new URL("./resize_worker.ts", import.meta.url),
      ...{ timeoutMs, note },
    });
  }

  /**
   * Returns the preview of a file, from the cache or newly made.
   *
   * @param owner key of the user, for fairness between users
   * @param signal aborted when the client disconnects
   * @throws DomainError as the source's constructor, `throttled`; the signal's reason
   */
  async make(source: PreviewSource, owner: string, signal?: AbortSignal): Promise<Preview> {
    for (let tries = 1;; tries++) {
      try {
        return { ...await this.#find(source, owner, signal), source };
      } catch (error) {
        if (signal?.aborted) throw error;
        if (error instanceof NoPreview) throw this.#refusalError(source, error.reason);
        if (tries === maxAttempts && error instanceof ThreadLost) {
          throw this.#refusalError(source, "the decoder failed");
        }
        if (tries === maxAttempts && error instanceof SourceChanged) {
          const { path } = source.request;
          throw new DomainError(
            "forbidden",
            `Cannot make a preview of "${path}": access is denied`,
          );
        }
        if (tries === maxAttempts || !isRetryable(error)) throw error;
      }
      source = new PreviewSource(source.request);
    }
  }

  /** Whether previews can be made by a method. */
  can(method: PreviewMethod): boolean {
    return method === "picture" || this.#finder?.can(method) === true;
  }

  /**
   * Returns the cover of a folder, from the cache or newly made. It depends on the pictures alone,
   * each of which the viewer was allowed to see, so that it may be kept for all viewers.
   *
   * @throws DomainError as {@link make}
   */
  async makeCover(
    { pictures, size, format }: CoverParts,
    owner: string,
    signal?: AbortSignal,
  ): Promise<EncodedPreview> {
    const key = coverKey(pictures.map(({ source }) => source.key), size, format);
    const kept = await this.#cache.read(key);
    if (kept) cached.add();
    if (kept) return kept;
    const cost = pictures.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const compose = async () => {
      // Copies: the Worker takes the buffers, and others may be sending these.
      const copies = pictures.map(({ bytes }) => pictureOf(bytes.slice()));
      return await this.#resize(copies, { size, format, key, isCover: true });
    };
    return await this.#flights.join(
      key,
      (abandoned) => this.#queue.run(owner, cost, compose, abandoned),
      signal,
    );
  }

  /** The ThumbHash of a file's thumbnail, if that is in the cache, in any size and format. */
  async hashOf(identity: FileIdentity): Promise<Uint8Array | null> {
    for (const format of ["webp", "jpeg"] as const) {
      for (const size of thumbSizes) {
        const hash = await this.#cache.hashOf(previewKey(identity, size, format));
        if (hash) return hash;
      }
    }
    return null;
  }

  /** Ends the Worker and abandons previews under way. */
  close(): void {
    this.#resizing.close();
  }

  async #find(source: PreviewSource, owner: string, signal?: AbortSignal) {
    const reason = this.#refused.get(source.key);
    if (reason !== undefined) throw new NoPreview(reason);
    const kept = await this.#cache.read(source.key);
    if (kept) cached.add();
    if (kept) return kept;
    return await this.#flights.join(
      source.key,
      (abandoned) =>
        this.#queue.run(owner, source.cost, () => this.#produce(source, abandoned), abandoned),
      signal,
    );
  }

  #refusalError(source: PreviewSource, reason: string): DomainError {
    this.#refused.set(source.key, reason);
    refused.add();
    return source.refusalError(reason);
  }

  async #produce(source: PreviewSource, abandoned: AbortSignal): Promise<EncodedPreview> {
    abandoned.throwIfAborted();
    const { key, request: { size, format } } = source;
    using file = source.open();
    const picture = await this.#pictureOf(source, file, abandoned);
    if (!source.isUnchanged(file)) throw new SourceChanged();
    return await this.#resize([picture], { size, format, key });
  }

  async #pictureOf(
    source: PreviewSource,
    file: OpenFile,
    signal: AbortSignal,
  ): Promise<EncodedPicture> {
    const first = new Uint8Array(sniffLength);
    const method = methodOf(source.name, first.subarray(0, file.read(first, 0)));
    if (method === "picture") return pictureOf(await source.read(file, signal));
    if (!method || !this.#finder?.can(method)) throw new NoPreview(method ? noProgram : noPicture);
    const { access, path } = source.request;
    const found = await this.#finder.find({ method, access, path, file }, signal);
    return { ...pictureOf(found), isPage: method === "page" };
  }

  async #resize(
    [first, ...others]: EncodedPicture[],
    task: Omit<ResizeTask, "pictures" | "cache">,
  ): Promise<EncodedPreview> {
    if (!first) throw new NoPreview(noPicture);
    const pictures: ResizeTask["pictures"] = [first, ...others];
    const encoded = await this.#resizing.resize({ ...task, pictures, cache: this.#place });
    const format = wholeFormatOf(encoded);
    if (format) made.add();
    if (format) return { bytes: encoded, format };
    throw new DomainError("internal", "Cannot make a preview: the encoder returned another format");
  }
}

/** @throws NoPreview for what is no picture by its first bytes */
function pictureOf(bytes: Uint8Array<ArrayBuffer>): EncodedPicture {
  const kind = kindOf(bytes);
  if (!kind) throw new NoPreview(unreadable);
  return { kind, bytes };
}

function queueFullError(): DomainError {
  return new DomainError("throttled", "Cannot make a preview: too many previews are being made", 2);
}

/**
 * Whether to retry: the file has changed, another task broke the thread, or the shared work was
 * just abandoned.
 */
function isRetryable(error: unknown): boolean {
  return error instanceof SourceChanged || error instanceof ThreadLost ||
    error instanceof DOMException && error.name === "AbortError";
}
