import { delay } from "../../../shared/delay.ts";
import type { GateSpec } from "../../core/access/viewer.ts";
import type { ListingWorker } from "../workers/workers.ts";
import { isUnmeasured, type TrashContent, type TrashRecords } from "./trash_records.ts";

/** The longest that an answer waits for folders to be measured, in milliseconds. */
const timeoutMs = 3_000;

/** The dependencies of the measuring. */
export interface TrashMeterOptions {
  records: TrashRecords;
  spec: GateSpec;
  listingWorker: ListingWorker;
}

/**
 * Tells how much the trash holds. A deletion never walks a folder: its size is measured when
 * it is first needed, and kept in the record.
 */
export class TrashMeter {
  readonly #options: TrashMeterOptions;
  #measuring: Promise<void> | null = null;

  constructor(options: TrashMeterOptions) {
    this.#options = options;
  }

  /**
   * The content of each user's trash, the fullest first. Folders are measured for up to three
   * seconds; the rest follows in the background.
   *
   * @returns `isPartial` when the sizes of some folders are missing
   */
  async usage(waitMs = timeoutMs): Promise<{ users: TrashContent[]; isPartial: boolean }> {
    const { records } = this.#options;
    this.#measuring ??= this.#measure().finally(() => this.#measuring = null);
    // A failure after the wait has no handler.
    this.#measuring.catch(() => {});
    const answered = new AbortController();
    try {
      await Promise.race([this.#measuring, delay(waitMs, answered.signal)]);
    } finally {
      answered.abort();
    }
    const users = await records.contents();
    return {
      users: users.toSorted((a, b) => b.bytes - a.bytes),
      isPartial: users.some(({ isPartial }) => isPartial),
    };
  }

  async #measure(): Promise<void> {
    const { records, spec, listingWorker } = this.#options;
    for await (const part of records.parts()) {
      for (const entry of part.filter(isUnmeasured)) {
        const content = await listingWorker.measureTrashed({ ...entry, spec });
        if (content !== null) await records.setSize(entry, content);
      }
    }
  }
}
