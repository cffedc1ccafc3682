import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { EntryPath } from "../../shared/path.ts";
import { type Incoming, rootsOf } from "../drag/dropped.ts";
import { lazy } from "../core/lazy.ts";
import type { UploadRow } from "./upload_job.ts";
import type { Uploads, UploadsOptions } from "./uploads.ts";

/** The reason why no upload is under way although some wait. */
export type PauseReason = "server" | "session" | "throttle";

/** The state of the whole upload queue. */
export interface UploadsState {
  /** `settled`: none is under way any more, but failures are listed. */
  phase: "idle" | "busy" | "settled";
  /** The whole queue is paused: server unreachable, signed out, or throttled. */
  paused: PauseReason | null;
  /** Percentage of the bytes sent, rounded up. */
  percent: number;
  /** Files and folders, without cancelled ones. */
  total: number;
  done: number;
  failed: number;
  /** The number of failed uploads that can be retried. */
  retriable: number;
  /** Bytes per second; null while unknown. */
  rate: number | null;
  /** Estimated seconds left; null while unknown. */
  left: number | null;
  /** The length of the list: active uploads, then failed ones, then waiting ones. */
  listed: number;
  /** The index of the first of `rows` among the listed ones. */
  from: number;
  rows: readonly UploadRow[];
}

/** The state of an empty queue. */
export const NO_UPLOADS: UploadsState = {
  phase: "idle",
  paused: null,
  percent: 0,
  total: 0,
  done: 0,
  failed: 0,
  retriable: 0,
  rate: null,
  left: null,
  listed: 0,
  from: 0,
  rows: [],
};

/** Options of {@linkcode LazyUploads}: those of the queue, and one for its code. */
export interface LazyUploadsOptions extends UploadsOptions {
  /** Called when the code of the queue cannot be loaded. */
  onUnloadable: () => void;
}

/** The uploads of a page. The queue's code is loaded with the first upload: most visits have none. */
export class LazyUploads {
  readonly #options: LazyUploadsOptions;
  readonly #state = signal<UploadsState>(NO_UPLOADS);
  readonly #code = lazy(() => import("./uploads.ts"));
  #queue: Uploads | null = null;

  /** The state of the queue. */
  readonly now: ReadonlySignal<UploadsState> = this.#state;

  /** @param options the dependencies of uploads */
  constructor(options: LazyUploadsOptions) {
    this.#options = options;
  }

  /** The queue; null before the first upload. */
  get queue(): Uploads | null {
    return this.#queue;
  }

  /** See {@linkcode Uploads.add}. */
  async add(destination: EntryPath, incoming: Incoming[]): Promise<void> {
    await (await this.#load())?.add(destination, incoming);
  }

  /** Adds dropped files and folders; call it inside the drop event, see {@linkcode rootsOf}. */
  async addDropped(destination: EntryPath, dropped: Pick<DataTransfer, "items">): Promise<void> {
    const roots = rootsOf(dropped);
    await (await this.#load())?.addDropped(destination, roots);
  }

  async #load(): Promise<Uploads | null> {
    const code = await this.#code.load();
    if (code === null) this.#options.onUnloadable();
    else if (this.#queue === null) {
      const queue = this.#queue = new code.Uploads(this.#options);
      effect(() => {
        this.#state.value = queue.now.value;
      });
    }
    return this.#queue;
  }
}
