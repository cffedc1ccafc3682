import { effect, type ReadonlySignal, signal } from "@preact/signals";
import type { EntryPath } from "../../shared/path.ts";
import { rootsOf } from "../drag/dropped.ts";
import type { Incoming } from "../api/incoming.ts";
import type { Uploads, UploadsOptions } from "./uploads.ts";
import { NO_UPLOADS, type UploadsNow } from "./uploads_now.ts";

/** What late uploads need besides what {@linkcode Uploads} does. */
export interface LateUploadsOptions extends UploadsOptions {
  /** Called when the code itself could not be had. */
  onUnloadable: () => void;
}

/**
 * The queue of uploads to those who show it: the same as {@linkcode Uploads}, whose code is loaded
 * when the first upload comes, since most visits have none.
 */
export class LateUploads {
  readonly #options: LateUploadsOptions;
  readonly #now = signal<UploadsNow>(NO_UPLOADS);
  #uploads: Uploads | null = null;
  #loading: Promise<Uploads> | null = null;

  /** @param options what uploads touch outside of themselves */
  constructor(options: LateUploadsOptions) {
    this.#options = options;
  }

  /** The queue as it stands. */
  get now(): ReadonlySignal<UploadsNow> {
    return this.#now;
  }

  /** See {@linkcode Uploads.add}. */
  async add(destination: EntryPath, incoming: Incoming[]): Promise<void> {
    await (await this.#loaded())?.add(destination, incoming);
  }

  /** Adds what was dropped; to be called inside the event, see {@linkcode rootsOf}. */
  async addDropped(
    destination: EntryPath,
    dropped: Pick<DataTransfer, "items">,
  ): Promise<void> {
    const roots = rootsOf(dropped);
    await (await this.#loaded())?.addDropped(destination, roots);
  }

  /** See {@linkcode Uploads.cancel}. */
  cancel(id: number): void {
    this.#uploads?.cancel(id);
  }

  /** See {@linkcode Uploads.cancelAll}. */
  cancelAll(): void {
    this.#uploads?.cancelAll();
  }

  /** See {@linkcode Uploads.retry}. */
  retry(id: number): void {
    this.#uploads?.retry(id);
  }

  /** See {@linkcode Uploads.retryFailed}. */
  retryFailed(): void {
    this.#uploads?.retryFailed();
  }

  /** See {@linkcode Uploads.list}. */
  list(from: number, to: number): void {
    this.#uploads?.list(from, to);
  }

  /** See {@linkcode Uploads.dismiss}. */
  dismiss(): void {
    this.#uploads?.dismiss();
  }

  async #loaded(): Promise<Uploads | null> {
    try {
      return this.#uploads ??= await (this.#loading ??= this.#load());
    } catch {
      this.#loading = null;
      this.#options.onUnloadable();
      return null;
    }
  }

  async #load(): Promise<Uploads> {
    const { Uploads } = await import("./uploads.ts");
    const uploads = new Uploads(this.#options);
    effect(() => {
      this.#now.value = uploads.now.value;
    });
    return uploads;
  }
}
