import { DomainError } from "../../../shared/errors.ts";
import { cutAudit } from "../../features/audit/cut_audit.ts";
import {
  removeExpiredParts,
  type StoredUploadJournal,
  sweepTemporaries,
} from "../../files/upload/temporaries.ts";
import type { UploadParts } from "../../files/upload/upload_parts.ts";
import type { JobRecords } from "../../features/jobs/job_records.ts";
import type { Jobs } from "../../features/jobs/jobs.ts";
import { delay } from "../../../shared/delay.ts";
import { expireTrash } from "../../files/trash/expire_trash.ts";
import { settledMs } from "../../files/trash/trash.ts";
import type { OpenCubby } from "./cubby.ts";
import { dayMs, hourMs } from "../../../shared/time.ts";

/** Interval at which expired records, uploads and trash are removed, in milliseconds. */
const expireEveryMs = hourMs;

/** How long a start waits for sweeps before it serves, in milliseconds. */
const timeoutMs = 500;

/** Records that expire. */
export interface Expiring {
  removeExpired(): Promise<unknown>;
}

/** Dependencies of {@linkcode Upkeep}. */
export interface UpkeepOptions
  extends
    Pick<OpenCubby, "store" | "key" | "gate" | "observers" | "settings" | "trash" | "quotas"> {
  expiring: readonly Expiring[];
  parts: UploadParts;
  journal: StoredUploadJournal;
  jobRecords: JobRecords;
  /** Whether nothing else works on the store: no other thread, process or machine. */
  isAlone: boolean;
  /** Whether this is the first thread of its process. */
  isFirst: boolean;
  /** Takes an error for the log. */
  report: (error: string) => void;
}

/** Removes what has expired, and what a killed process has left. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isStopped = false;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  /**
   * Removes what the last run has left; later, when the store cannot be written now. What takes long
   * with many records goes on while the server serves.
   */
  async tidyUp(): Promise<void> {
    const sweep = this.#sweep();
    await this.#finishLost();
    const served = new AbortController();
    await Promise.race([sweep, delay(timeoutMs, served.signal)]);
    served.abort();
  }

  /** Removes records that have expired, and those of what is gone. */
  async #sweep(): Promise<void> {
    const { trash, isAlone, isFirst } = this.#options;
    // One thread of a process is enough.
    if (!isFirst) return;
    const before = Date.now() - (isAlone ? 0 : settledMs);
    try {
      await this.#expireRecords();
      await trash.sweep(before);
    } catch (error) {
      const reason = error instanceof DomainError ? error.message : error;
      if (!this.#isStopped) this.#options.report(`Cannot clean up: ${reason}`);
    }
  }

  /** Ends and finishes what a killed process has left. */
  async #finishLost(): Promise<void> {
    const { gate, parts, observers, quotas, isAlone } = this.#options;
    try {
      await observers.finishPending(isAlone);
      if (isAlone) await parts.endWriters();
      await removeExpiredParts(gate, parts);
      if (isAlone) await this.#options.jobRecords.sweep();
      const stagings = await this.#options.jobRecords.stagings();
      await sweepTemporaries(gate, this.#options.journal, parts, stagings);
      await quotas.endLost(isAlone);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.#options.report(`Cannot clean up: ${error.message}`);
    }
  }

  /** From now on removes what has expired, each hour. */
  start(jobs: Jobs): void {
    this.#timer = setInterval(() => void this.#expire(jobs), expireEveryMs);
    Deno.unrefTimer(this.#timer);
  }

  /** Stops; what runs at the time is left to fail. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  async #expire(jobs: Jobs): Promise<void> {
    const { store, key, gate, parts, observers, settings, trash, quotas } = this.#options;
    try {
      await observers.finishLate();
      await this.#expireRecords();
      await removeExpiredParts(gate, parts);
      await expireTrash(trash, gate.spec(), (await settings.get()).trash);
      await jobs.expire();
      await quotas.verify();
      const { days } = (await settings.get()).audit;
      await cutAudit(store, key, Date.now() - days * dayMs);
    } catch (error) {
      this.#options.report(`Cannot remove expired records: ${error}`);
    }
  }

  async #expireRecords(): Promise<void> {
    for (const records of this.#options.expiring) await records.removeExpired();
  }
}
