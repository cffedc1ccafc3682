import type { Access } from "../../core/access/access.ts";
import { type Growth, noGrowth, type Reservation } from "../../core/access/allowance.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { TransferReport } from "./progress.ts";

/**
 * Asks for room for what is about to be written: so much in all.
 *
 * @throws {DomainError} `over_quota`
 */
export type AskCapacity = (total: Growth) => Promise<void>;

/** The report of a Worker that writes for a viewer with a quota. */
export type WriteReport = TransferReport | { growth: Growth };

/** The caller's answer to the Worker; an error that it returns is a refusal. */
export type OnReport = (update: WriteReport) => Promise<void | Error>;

/** Room that is reserved in addition, for files that are added one by one. */
const spare: Growth = { bytes: 64 * 1024 * 1024, files: 1_000 };

/** Adds up what is going to be written, and asks for room before it is. */
export class GrowthMeter {
  readonly #ask: AskCapacity | undefined;
  #total: Growth = noGrowth;
  #asked: Growth = noGrowth;

  /** @param ask absent for a viewer without a quota */
  constructor(ask: AskCapacity | undefined) {
    this.#ask = ask;
  }

  /** Asks for what is known from the start. @throws {DomainError} `over_quota` */
  async expect(total: Growth): Promise<void> {
    const bytes = Math.max(total.bytes, this.#asked.bytes);
    const files = Math.max(total.files, this.#asked.files);
    if (!this.#ask || bytes === this.#asked.bytes && files === this.#asked.files) return;
    this.#asked = { bytes, files };
    await this.#ask(this.#asked);
  }

  /** Counts the next files. @throws {DomainError} `over_quota` */
  async add(bytes: number, files: number): Promise<void> {
    const { bytes: before, files: filesBefore } = this.#total;
    this.#total = { bytes: before + bytes, files: filesBefore + files };
    await this.expect(this.#total);
  }
}

/**
 * Runs work of a Worker for a viewer who may have a quota: room is reserved as the Worker asks for
 * it, and counted as in use when the work is done.
 *
 * @param options.name of the reservation: a run that goes on with what another has done takes it over
 * @param options.isUnsure whether the work may have replaced files, too
 */
export async function withReservation<T>(
  { allowance }: Access,
  { action, name, isUnsure, report }: {
    action: string;
    name?: string;
    isUnsure: boolean;
    report?: (update: TransferReport) => Promise<void>;
  },
  work: (onReport: OnReport) => Promise<T>,
): Promise<T> {
  let reservation: Reservation | undefined = isUnsure
    ? await allowance?.removing(action, name)
    : undefined;
  let total = noGrowth;
  const onReport: OnReport = async (update) => {
    if (!("growth" in update)) return await report?.(update);
    if (!allowance) return;
    try {
      if (reservation) await reservation.cover(update.growth, spare);
      else reservation = await allowance.reserve(update.growth, action, name);
      total = update.growth;
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  };
  try {
    const result = await work(onReport);
    await reservation?.settle(total, isUnsure);
    return result;
  } finally {
    // A failed step may have been done in part.
    await reservation?.settle(noGrowth, true);
  }
}
