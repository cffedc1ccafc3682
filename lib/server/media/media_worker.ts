import type { Access } from "../access/access.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { MediaInfo } from "../../shared/api_types.ts";
import { Concurrency, FairQueue } from "../concurrency/fair_queue.ts";
import { WorkerClient } from "../concurrency/worker_client.ts";
import { NoPreview } from "../images/no_preview.ts";
import { SourceChanged } from "../images/preview_source.ts";
import { targetOf } from "../workers/file_calls.ts";
import type { MediaWork } from "./media_worker_main.ts";

/** A file in the state in which it was found, and its viewer. */
export interface MediaFile {
  access: Access;
  path: EntryPath;
  /** As `stateOf()` tells it. */
  state: (number | null)[];
}

/** Time for one file, in milliseconds: one that takes longer is made to do so. */
const timeoutMs = 10_000;
/** Files that are read at a time: the thread takes turns between them. */
const maxConcurrent = 2;

/**
 * Reads tags, EXIF data and embedded pictures in a Worker. Parsers are third-party code with
 * untrusted input: a crash or a timeout costs the Worker, and the next file starts another.
 */
export class MediaWorker {
  readonly #worker: WorkerClient<MediaWork>;
  readonly #queue = new FairQueue({ capacity: new Concurrency(maxConcurrent) });
  readonly #timeoutMs: number;

  /** @param timeout of one file, in milliseconds */
  constructor(
    note: (sentence: string) => void,
    script = new URL("./media_worker_main.ts", import.meta.url),
    timeout = timeoutMs,
  ) {
    this.#timeoutMs = timeout;
    this.#worker = new WorkerClient({
      ...{ script, note },
      name: "media",
      diedOf(message) {
        note(`Media: its thread stopped: ${message}`);
        return new NoPreview("it cannot be read");
      },
    });
  }

  /**
   * The JPEG in a RAW file, or the cover of music.
   *
   * @throws NoPreview; SourceChanged; DomainError as `Access.read()`; the signal's reason
   */
  async picture(
    { access, path, state }: MediaFile,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const args = { target: targetOf(access, path), state };
    const found = await this.#run(
      (signal) => this.#worker.call("picture", args, { signal }),
      signal,
    );
    if (!found) throw new SourceChanged();
    if ("refusal" in found) throw new NoPreview(found.refusal);
    return found.bytes;
  }

  /**
   * The metadata of a picture, of music or of a video.
   *
   * @throws NoPreview when it takes too long; otherwise as {@link picture}
   */
  async facts(
    { access, path, state }: MediaFile,
    isPicture: boolean,
    signal: AbortSignal,
  ): Promise<MediaInfo> {
    const args = { target: targetOf(access, path), state, isPicture };
    const facts = await this.#run(
      (signal) => this.#worker.call("facts", args, { signal }),
      signal,
    );
    if (!facts) throw new SourceChanged();
    return facts;
  }

  /** Ends the Worker; calls under way reject. */
  close(): void {
    this.#worker.close();
  }

  async #run<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    return await this.#queue.run("", 1, async () => {
      const stuck = new AbortController();
      const timeout = setTimeout(() => {
        stuck.abort(new NoPreview("it cannot be read"));
        // A busy thread can't be interrupted.
        this.#worker.end(new NoPreview("it cannot be read"));
      }, this.#timeoutMs);
      try {
        return await call(AbortSignal.any([signal, stuck.signal]));
      } finally {
        clearTimeout(timeout);
      }
    }, signal);
  }
}
