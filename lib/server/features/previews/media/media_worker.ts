import type { Access } from "../../../core/access/access.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { MediaInfo } from "../../../../shared/schemas/media.ts";
import { Concurrency, FairQueue } from "../../../core/concurrency/fair_queue.ts";
import { type CallOptions, type Remote, remote } from "../../../core/concurrency/remote.ts";
import { NoPreview } from "../images/no_preview.ts";
import { SourceChanged } from "../images/preview_source.ts";
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
  readonly #worker: Remote<MediaWork>;
  readonly #queue = new FairQueue({ capacity: new Concurrency(maxConcurrent) });
  readonly #timeoutMs: number;

  /** @param timeout of one file, in milliseconds */
  constructor(
    note: (sentence: string) => void,
    script = new URL("./media_worker_main.ts", import.meta.url),
    timeout = timeoutMs,
  ) {
    this.#timeoutMs = timeout;
    this.#worker = remote<MediaWork>({
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
  async picture(file: MediaFile, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const found = await this.#inTurn((options) => this.#worker.picture(file, options), signal);
    if (!found) throw new SourceChanged();
    if ("refusal" in found) throw new NoPreview(found.refusal);
    return found.bytes;
  }

  /**
   * The metadata of a picture, of music or of a video.
   *
   * @throws NoPreview when it takes too long; otherwise as {@link picture}
   */
  async facts(file: MediaFile, isPicture: boolean, signal: AbortSignal): Promise<MediaInfo> {
    const args = { ...file, isPicture };
    const facts = await this.#inTurn((options) => this.#worker.facts(args, options), signal);
    if (!facts) throw new SourceChanged();
    return facts;
  }

  /** Ends the Worker; calls under way reject. */
  close(): void {
    this.#worker.close();
  }

  #inTurn<T>(call: (options: CallOptions) => Promise<T>, signal: AbortSignal): Promise<T> {
    const timeout = { ms: this.#timeoutMs, error: new NoPreview("it cannot be read") };
    return this.#queue.run("", 1, () => call({ signal, timeout }), signal);
  }
}
