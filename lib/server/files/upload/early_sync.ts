import type { OpenFile } from "../../disk/disk.ts";

/** The part of a file that matters here. */
export type Growing = Pick<OpenFile, "beginSync"> & { facts(): { size: number } };

/** Bytes that are handed to the disk at a time, at least. */
const stepBytes = 8 * 1024 * 1024;
/** Interval at which the file is looked at, in milliseconds. */
const lookMs = 25;

/** Bodies from this length on gain more than the looks cost, in bytes. */
export const minEarlySyncBytes = 2 * stepBytes;

/**
 * Has a file that grows be written to the disk while more of it arrives. Otherwise the system keeps
 * all of it in memory for seconds, and the sync at the end waits for the disk alone.
 */
export class EarlySync {
  readonly #file: Growing;
  readonly #timer: ReturnType<typeof setInterval>;
  #begun: number;
  #running: Promise<void> | null = null;

  /** @param start where in the file new bytes begin */
  constructor(file: Growing, start: number) {
    this.#file = file;
    this.#begun = start;
    this.#timer = setInterval(() => this.#look(), lookMs);
  }

  /** Ends it; the file may be closed afterwards. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  #look(): void {
    if (this.#running) return;
    const size = this.#sizeNow();
    if (size - this.#begun < stepBytes) return;
    const start = this.#begun;
    this.#begun = size;
    this.#running = this.#file.beginSync(start, size - start).finally(() => this.#running = null);
  }

  #sizeNow(): number {
    try {
      return this.#file.facts().size;
    } catch {
      // A disk that fails shows in the upload itself.
      return 0;
    }
  }
}
