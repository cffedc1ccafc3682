import { DomainError } from "../../../shared/errors.ts";
import type { Quota, QuotaUsage } from "../../../shared/schemas/quota.ts";
import { hourMs } from "../../../shared/time.ts";
import {
  type Allowance,
  type CountedArea,
  type Growth,
  noGrowth,
  type Removal,
  type Reservation,
} from "../../core/access/allowance.ts";
import { bestEffort } from "../../core/kv/best_effort.ts";
import type { Ledger, NoRoom } from "./ledger.ts";
import { type AreaUsage, plus } from "./area_usage.ts";

/** How long a reservation outlives its process, in milliseconds. */
export const reservationLifeMs = 3 * 60_000;

/** How often it is renewed, in milliseconds. */
const renewEveryMs = 60_000;

/** The life of the reservation of a resumable upload: longer than that of the upload. */
const heldLifeMs = 25 * hourMs;

/** The parts that an allowance works with. */
export interface AllowanceParts {
  ledger: Ledger;
  area: CountedArea;
  quota: Quota;
  /** Whether a refusal is not to say how large the quota is, and how much of it is left. */
  isForVisitors: boolean;
  /**
   * Counts the area if that may change anything, or waits for room that others may give back, as
   * long as a request may.
   *
   * @param seen what a refusal relies on; null when the area was not counted
   * @param since when the request began to ask, in milliseconds since 1970
   * @returns whether to try again
   */
  refresh(seen: NoRoom | null, since: number): Promise<boolean>;
  usage(): Promise<QuotaUsage>;
  knownUsage(): Promise<QuotaUsage | null>;
  /** Takes what the area holds, whenever room was reserved. */
  onHeld(usage: AreaUsage): Promise<void>;
}

/** The allowance of a user with a quota, by the ledger of the user's area. */
export class AreaAllowance implements Allowance {
  readonly area: CountedArea;
  readonly #parts: AllowanceParts;

  constructor(parts: AllowanceParts) {
    this.area = parts.area;
    this.#parts = parts;
  }

  async reserve(
    growth: Growth,
    action: string,
    name: string = crypto.randomUUID(),
  ): Promise<Reservation> {
    const { ledger, area } = this.#parts;
    const reserveAll = (total: Growth, spare?: Growth) =>
      this.#reserve(name, total, { action, lifeMs: reservationLifeMs, spare });
    await reserveAll(growth);
    return new AreaReservation(ledger, { area, name, reserve: reserveAll }, growth);
  }

  async removing(action: string, name: string = crypto.randomUUID()): Promise<Removal> {
    const { ledger, area } = this.#parts;
    await bestEffort(() => ledger.enter(area, name, reservationLifeMs));
    const reserveAll = (total: Growth, spare?: Growth) =>
      this.#reserve(name, total, { action, lifeMs: reservationLifeMs, spare });
    return new AreaRemoval(ledger, { area, name, reserve: reserveAll }, noGrowth);
  }

  hold(growth: Growth, action: string, ticket: string, spare?: Growth): Promise<Growth> {
    return this.#reserve(ticket, growth, { action, lifeMs: heldLifeMs, spare });
  }

  async settle(ticket: string, written: Growth): Promise<void> {
    const { ledger, area } = this.#parts;
    await bestEffort(() => ledger.settle(area, ticket, written));
  }

  usage(): Promise<QuotaUsage> {
    return this.#parts.usage();
  }

  knownUsage(): Promise<QuotaUsage | null> {
    return this.#parts.knownUsage();
  }

  /** @returns what is reserved, with what is spare */
  async #reserve(
    name: string,
    total: Growth,
    { action, lifeMs, spare }: { action: string; lifeMs: number; spare?: Growth },
  ): Promise<Growth> {
    const { ledger, area, quota, isForVisitors, refresh, onHeld } = this.#parts;
    const since = Date.now();
    for (;;) {
      const result = await ledger.hold({ area, quota, name, total, spare, lifeMs });
      if (result !== "uncounted" && "held" in result) {
        await onHeld(result.held);
        return result.total;
      }
      if (await refresh(result === "uncounted" ? null : result, since)) continue;
      if (result === "uncounted") {
        throw new DomainError("busy", `${action}: its quota usage is being counted`, 5);
      }
      const { over, usage: { used, held } } = result;
      const free = Math.max(0, quota[over] - plus(used, held)[over]);
      const reason = isForVisitors
        ? "the quota of its owner has no room for it"
        : `the quota of ${quota[over]} ${over} has ${free} left`;
      throw new DomainError("over_quota", `${action}: ${reason}`);
    }
  }
}

/** How a reservation is made larger. */
interface Enlarging {
  area: CountedArea;
  name: string;
  reserve(total: Growth, spare?: Growth): Promise<Growth>;
}

class AreaReservation implements Reservation {
  readonly #ledger: Ledger;
  readonly #reservation: Enlarging;
  readonly #timer: ReturnType<typeof setInterval>;
  #total: Growth;
  #isEnded = false;

  constructor(ledger: Ledger, reservation: Enlarging, total: Growth) {
    this.#ledger = ledger;
    this.#reservation = reservation;
    this.#total = total;
    this.#timer = setInterval(() => void this.#renew(), renewEveryMs);
  }

  async cover(total: Growth, spare?: Growth): Promise<void> {
    if (total.bytes <= this.#total.bytes && total.files <= this.#total.files) return;
    this.#total = await this.#reservation.reserve(total, spare);
  }

  async settle(written: Growth, isUnsure = false): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#timer);
    const { area, name } = this.#reservation;
    // The bytes are on the disk: the reservation ends by itself later, and a count follows.
    await bestEffort(() => this.#ledger.settle(area, name, written, isUnsure));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.settle(noGrowth);
  }

  async #renew(): Promise<void> {
    const { area, name } = this.#reservation;
    try {
      await this.#ledger.renew(area, name, reservationLifeMs);
    } catch {
      // The store is away: the next time may do, and the end of the write settles in any case.
    }
  }
}

class AreaRemoval extends AreaReservation implements Removal {
  async freed(growth: Growth | null): Promise<void> {
    if (growth) await this.settle({ bytes: -growth.bytes, files: -growth.files });
    else await this.settle(noGrowth, true);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    // A failed removal may have been done in part.
    await this.freed(null);
  }
}
