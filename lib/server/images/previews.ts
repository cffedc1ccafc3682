import { join } from "node:path";
import { DomainError } from "../../shared/errors.ts";
import { Concurrency, FairQueue } from "../concurrency/fair_queue.ts";
import { LruCache } from "../../shared/lru_cache.ts";
import { wholeFormatOf } from "./encoded_preview.ts";
import { ImageThread, ThreadLost } from "./image_thread.ts";
import { NoPreview, unreadable } from "./no_preview.ts";
import { kindOf } from "./picture.ts";
import { type EncodedPreview, PreviewCache } from "./preview_cache.ts";
import { PreviewSource, SourceChanged } from "./preview_source.ts";
import type { CachePlace } from "./resize_worker.ts";
import { SingleFlight } from "../concurrency/single_flight.ts";

/** Where and how previews are made. */
export interface PreviewOptions {
  /** The folder of what can be made again. */
  cacheDir: string;
  /** How many are made at a time. */
  concurrency: number;
  /** Takes a sentence for the log. */
  note(sentence: string): void;
  /** How much the cache may hold, in bytes; 1 GiB unless given. */
  mostCacheBytes?: number;
}

/** A preview that was asked for, ready to be sent. */
export interface Preview extends EncodedPreview {
  source: PreviewSource;
}

const mostCacheBytes = 2 ** 30;
/** Files that are read at the same time take no more memory together than this, in bytes. */
const mostReadBytes = 64 * 2 ** 20;
/** How many previews one user may wait for. */
const mostWaiting = 500;
/** How many files without a preview are remembered. */
const mostRefused = 5_000;
/** How often to look again at a file that changes. */
const mostTries = 4;
/** Longer than the decoders' own bounds allow; what passes this is stuck, in milliseconds. */
const patienceMs = 60_000;

/** The most previews made at a time: each takes a processor and some memory. */
const mostConcurrency = 8;

/**
 * How many previews one serving thread makes at a time: together with the others one fewer than
 * there are processors, but at least two, so that one slow picture does not hold up all others.
 *
 * @param workers the number of serving threads
 */
export function previewConcurrency(
  workers: number,
  processors = navigator.hardwareConcurrency,
): number {
  const together = Math.min(mostConcurrency, Math.max(2, processors - 1));
  return Math.max(1, Math.floor(together / workers));
}

/**
 * Makes previews of pictures and keeps them. What a viewer may see is decided anew for every
 * request, before anything is taken from the cache. Decoding happens in a Worker, a few at a time,
 * once for all who ask for the same; it is given up when nobody waits any more.
 */
export class Previews {
  readonly #cache: PreviewCache;
  readonly #queue: FairQueue;
  readonly #flights = new SingleFlight<EncodedPreview>();
  /**
   * Why files have no preview, by key: a broken or malicious one is not decoded again at every visit
   * of its folder. A file that changes has another key.
   */
  readonly #refused = new LruCache<string, string>(mostRefused);
  readonly #place: CachePlace;
  readonly #resizing: ImageThread;

  constructor({ cacheDir, concurrency, note, mostCacheBytes: mostBytes }: PreviewOptions) {
    const folder = join(cacheDir, "previews");
    this.#cache = new PreviewCache(folder);
    this.#queue = new FairQueue({
      capacity: new Concurrency(concurrency, mostReadBytes),
      waiting: { most: mostWaiting, refuse: tooManyWait },
    });
    this.#place = { folder, mostBytes: mostBytes ?? mostCacheBytes };
    this.#resizing = new ImageThread({
      script: new URL("./resize_worker.ts", import.meta.url),
      ...{ patienceMs, note },
    });
  }

  /**
   * Gives the preview of a file, from the cache or made now.
   *
   * @param owner for whom, so that users take turns
   * @param signal says that the asker has left
   * @throws DomainError as the source's constructor, `throttled`; the signal's reason
   */
  async make(source: PreviewSource, owner: string, signal?: AbortSignal): Promise<Preview> {
    for (let tries = 1;; tries++) {
      try {
        return { ...await this.#find(source, owner, signal), source };
      } catch (error) {
        if (signal?.aborted) throw error;
        if (error instanceof NoPreview) throw this.#refuse(source, error.reason);
        if (tries === mostTries && error instanceof ThreadLost) {
          throw this.#refuse(source, "the decoder breaks off");
        }
        if (tries === mostTries && error instanceof SourceChanged) {
          const { path } = source.request;
          throw new DomainError(
            "forbidden",
            `Cannot make a preview of "${path}": access is denied`,
          );
        }
        if (tries === mostTries || !isWorthAnotherTry(error)) throw error;
      }
      source = new PreviewSource(source.request);
    }
  }

  /** Ends the Worker; previews under way are given up. */
  close(): void {
    this.#resizing.close();
  }

  async #find(source: PreviewSource, owner: string, signal?: AbortSignal) {
    const reason = this.#refused.get(source.key);
    if (reason !== undefined) throw new NoPreview(reason);
    const kept = await this.#cache.read(source.key);
    if (kept) return kept;
    return await this.#flights.join(
      source.key,
      (abandoned) =>
        this.#queue.run(owner, source.length, () => this.#produce(source, abandoned), abandoned),
      signal,
    );
  }

  #refuse(source: PreviewSource, reason: string): DomainError {
    this.#refused.set(source.key, reason);
    return source.refusal(reason);
  }

  async #produce(source: PreviewSource, abandoned: AbortSignal): Promise<EncodedPreview> {
    abandoned.throwIfAborted();
    const { key, request: { size, format } } = source;
    const bytes = await source.read(abandoned);
    const kind = kindOf(bytes);
    if (!kind) throw new NoPreview(unreadable);
    const task = { picture: { kind, bytes }, size, format, key, cache: this.#place };
    const encoded = await this.#resizing.resize(task);
    const actual = wholeFormatOf(encoded);
    if (actual) return { bytes: encoded, format: actual };
    throw new DomainError("internal", "Cannot make a preview: the encoder made something else");
  }
}

function tooManyWait(): DomainError {
  return new DomainError("throttled", "Cannot make a preview: too many others are being made", 2);
}

/** The file has changed, another task broke the thread, or all others left a moment too early. */
function isWorthAnotherTry(error: unknown): boolean {
  return error instanceof SourceChanged || error instanceof ThreadLost ||
    error instanceof DOMException && error.name === "AbortError";
}
