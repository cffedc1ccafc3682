import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { EntryPath } from "../../../shared/path.ts";
import { type Incoming, rootsOf } from "../drag/dropped.ts";
import { openLocalStorage } from "../../base/core/browser_storage.ts";
import { lazy } from "../../base/core/lazy.ts";
import type { Interrupted } from "./unfinished_uploads.ts";
import type { UploadRow } from "./upload_job.ts";
import type { Uploads } from "./uploads.ts";
import type { Api } from "../../base/api/api.ts";
import type { There } from "../actions/conflicts.ts";
import type { Prompts } from "../../base/prompts/prompts.ts";
import type { EventSourceLike } from "../../base/core/when.ts";
import type { PartSettings } from "../../base/api/tus.ts";
import type { UploadsOutcome } from "./upload_queue.ts";

/** The reason why no upload is under way although some wait. */
export type PauseReason = "server" | "session" | "throttle";

/** The uploads that a queue had finished when it ran empty, until they are dismissed. */
export interface FinishedUploads {
  /** Files and folders. */
  count: number;
  /** The names of the first of them by the folder that received them. */
  arrived: ReadonlyMap<EntryPath, ReadonlySet<string>>;
  /** The id of the job by which they can be undone. */
  job: string;
}

/** The state of the whole upload queue. */
export interface UploadsState {
  /** `settled`: none is under way any more, but failures are listed. */
  phase: "idle" | "busy" | "settled";
  /**
   * The uploads that have arrived, once none is under way; null when there is nothing to report.
   */
  finished: FinishedUploads | null;
  /** The whole queue is paused: server unreachable, signed out, or throttled. */
  paused: PauseReason | null;
  /** Uploads are under way, but nothing moves. */
  isStalled: boolean;
  /** Percentage of the bytes sent, or of many small files, rounded up. */
  percent: number;
  /** Files and folders, without cancelled ones. */
  total: number;
  done: number;
  failed: number;
  /** The number of failed uploads that can be retried. */
  retriable: number;
  /** The number of those that a quota has refused. */
  overQuota: number;
  /** Bytes per second; null while unknown, and of many small files. */
  rate: number | null;
  /** Estimated seconds left; null while unknown. */
  left: number | null;
  /**
   * The length of the list: the first upload of each active request, then failed ones, then the
   * others of the active requests, then waiting ones.
   */
  listed: number;
  /** The index of the first of `rows` among the listed ones. */
  from: number;
  rows: readonly UploadRow[];
}

/** The state of an empty queue. */
export const NO_UPLOADS: UploadsState = {
  phase: "idle",
  finished: null,
  paused: null,
  isStalled: false,
  percent: 0,
  total: 0,
  done: 0,
  failed: 0,
  retriable: 0,
  overQuota: 0,
  rate: null,
  left: null,
  listed: 0,
  from: 0,
  rows: [],
};

/** Where the browser's storage keeps what is unfinished of a user. */
export function unfinishedKey(userId = 0): string {
  return `uploads.${userId}`;
}

/** The dependencies of uploads. */
export interface UploadsOptions {
  api: Pick<Api, "exists" | "resource" | "makeFolder" | "recover" | "calls">;
  prompts: Pick<Prompts, "open">;
  /** Whether the user may replace files. */
  mayReplace: () => boolean;
  /** The entries of a folder, if known; null if the server must be asked. */
  entriesIn: (folder: EntryPath) => There | null;
  /** Called each time the queue has run empty. */
  onSettled: (outcome: UploadsOutcome) => void;
  /** The settings of uploads in parts. */
  parts: PartSettings;
  /** The user, for what the browser remembers of unfinished uploads. */
  userId: () => number | undefined;
  /** Whether files keep their times. */
  keepsModified: () => boolean;
  /** The window, for the leave warning during uploads; null on the server. */
  window: EventSourceLike | null;
}

/** Options of {@linkcode LazyUploads}: those of the queue, and one for its code. */
export interface LazyUploadsOptions extends UploadsOptions {
  /** Called when the code of the queue cannot be loaded. */
  onUnloadable: () => void;
}

/**
 * The uploads of a page. The queue's code is loaded with the first upload: most visits have none.
 */
export class LazyUploads {
  readonly #options: LazyUploadsOptions;
  readonly #state = signal<UploadsState>(NO_UPLOADS);
  readonly #interrupted = signal<readonly Interrupted[]>([]);
  readonly #code = lazy(() => import("./uploads.ts"));
  #queue: Uploads | null = null;

  /** The state of the queue. */
  readonly now: ReadonlySignal<UploadsState> = this.#state;

  /** Uploads that a reload or a crash of the page has interrupted. */
  readonly interrupted: ReadonlySignal<readonly Interrupted[]> = this.#interrupted;

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

  /** Offers to go on with interrupted uploads, if there may be any. */
  async offerInterrupted(): Promise<void> {
    if (openLocalStorage().getItem(unfinishedKey(this.#options.userId())) === null) return;
    await (await this.#load())?.interrupted.find();
  }

  async #load(): Promise<Uploads | null> {
    const code = await this.#code.load();
    if (code === null) this.#options.onUnloadable();
    else if (this.#queue === null) {
      const queue = this.#queue = new code.Uploads(this.#options);
      effect(() => {
        this.#state.value = queue.now.value;
        this.#interrupted.value = queue.interrupted.shown.value;
      });
    }
    return this.#queue;
  }
}
