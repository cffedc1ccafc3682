import { DomainError } from "../../../../shared/errors.ts";
import type { SearchFolder } from "../../../core/access/search_folder.ts";
import { DiskError, type Watch, type WatchListener } from "../../../core/disk/disk.ts";

/** Most watched folders of a thread, about 1 KiB of the kernel's memory each. */
const maxWatches = 8_192;

/** The part of the watches that is given back at the system's limit: others need some, too. */
const givenBack = 0.2;

/** Watches of folders for changes of their files, as far as the system has room for them. */
export class FolderWatches {
  readonly #note: (sentence: string) => void;
  readonly #changed: () => void;
  readonly #open = new Set<Disposable>();
  #isNoted = false;
  #max = maxWatches;
  #latest: Watch | null = null;

  /**
   * @param note logs a sentence
   * @param changed called after each change in a watched folder, and when a watch ends
   */
  constructor(note: (sentence: string) => void, changed: () => void) {
    this.#note = note;
    this.#changed = changed;
  }

  /** Watches a folder; null where that is not possible, and beyond the limit. */
  watch(folder: SearchFolder, listener: WatchListener): Disposable | null {
    if (this.#open.size >= this.#max) {
      this.#noteLimit();
      return null;
    }
    try {
      const watch = folder.watch((name) => {
        listener(name);
        this.#changed();
      });
      const kept = {
        [Symbol.dispose]: () => {
          if (!this.#open.delete(kept)) return;
          watch[Symbol.dispose]();
          this.#changed();
        },
      };
      this.#latest = watch;
      this.#open.add(kept);
      return kept;
    } catch (error) {
      if (error instanceof DiskError && /^(ENOSPC|EMFILE)$/.test(error.code)) this.#shrink();
      else if (!(error instanceof DomainError || error instanceof DiskError)) throw error;
      return null;
    }
  }

  /** The queue of all watches; null where there is none to poll. */
  get queue(): number | null {
    return this.#latest?.queue ?? null;
  }

  /** Reports changes that the kernel has told of so far. */
  report(): void {
    this.#latest?.report();
  }

  /** Whether a watch is still open. */
  has(watch: Disposable | null): boolean {
    return watch !== null && this.#open.has(watch);
  }

  #shrink(): void {
    this.#max = Math.floor(this.#open.size * (1 - givenBack));
    for (const watch of this.#open) {
      if (this.#open.size <= this.#max) break;
      watch[Symbol.dispose]();
    }
    this.#noteLimit();
  }

  #noteLimit(): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.#note(
      `Sync clients: ${this.#max} folders are watched, which is the limit; a file that another ` +
        "program changes in place in another folder is found within 10 minutes",
    );
  }
}
