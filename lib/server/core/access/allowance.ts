import type { QuotaUsage } from "../../../shared/schemas/quota.ts";

/** A change of an area's content. A folder and a link count as a file without bytes. */
export interface Growth {
  bytes: number;
  files: number;
}

/**
 * The folders that are counted together under one limit: those of a scope or of writable named
 * roots, as one text. Equal for users who share them.
 */
export type CountedArea = string & { readonly "": "CountedArea" };

/** Nothing at all. */
export const noGrowth: Growth = { bytes: 0, files: 0 };

/**
 * How much a viewer may still add to its scope or roots: in practice the rest of a quota. Whoever
 * writes reserves room first, and tells afterwards what was written.
 */
export interface Allowance {
  readonly area: CountedArea;
  /**
   * Reserves room for as long as this process works on it. Disposal gives it back, unless it was
   * settled.
   *
   * @param action for the message: `Cannot write "/a.txt"`
   * @param name of the reservation: one of the same name is replaced
   * @throws {DomainError} `over_quota`; `busy` while the area is counted for the first time
   */
  reserve(growth: Growth, action: string, name?: string): Promise<Reservation>;
  /**
   * Reserves room for days, for an upload that goes on later, or makes sure that it still is.
   *
   * @param ticket names the reservation: one of the same name is replaced
   * @param spare as of {@link Reservation.cover}
   * @returns what is reserved, with what is spare
   * @throws {DomainError} as {@link reserve}
   */
  hold(growth: Growth, action: string, ticket: string, spare?: Growth): Promise<Growth>;
  /** Counts what was written, in place of what a ticket has reserved. */
  settle(ticket: string, written: Growth): Promise<void>;
  /**
   * Notes that something is about to be removed or replaced, so that the area is counted again when
   * the process is killed meanwhile. Nothing is reserved, and nothing refused.
   *
   * @param name of the reservation: one of the same name stays as it is
   */
  removing(action: string, name?: string): Promise<Removal>;
  /** The limits, and how much is in use. */
  usage(): Promise<QuotaUsage>;
  /** The same without waiting; null where it has to be counted first. */
  knownUsage(): Promise<QuotaUsage | null>;
}

/** A removal, or a replacement. Disposal without a settlement has the area counted again. */
export interface Removal extends Reservation {
  /** Notes how much is gone; null where that is not known: the area is counted again. */
  freed(growth: Growth | null): Promise<void>;
}

/** Room that is reserved. */
export interface Reservation extends AsyncDisposable {
  /**
   * Makes sure that the reservation has room for so much in all.
   *
   * @param spare is reserved besides, so that later calls are cheap: less of it where little room is
   * left, as others may need that
   * @throws {DomainError} as {@link Allowance.reserve}
   */
  cover(total: Growth, spare?: Growth): Promise<void>;
  /**
   * Counts what was written, in place of what was reserved.
   *
   * @param isUnsure whether more may have gone: the area is counted again when that matters
   */
  settle(written: Growth, isUnsure?: boolean): Promise<void>;
}
