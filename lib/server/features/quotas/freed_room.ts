import { delay } from "../../../shared/delay.ts";
import type { CountedArea, Growth } from "../../core/access/allowance.ts";
import { SingleFlight } from "../../core/concurrency/single_flight.ts";
import type { AreaUsage } from "./area_usage.ts";
import type { Ledger } from "./ledger.ts";

/** The longest that a write waits for the end of others, in milliseconds. */
const maxWaitMs = 3_000;

/** Interval at which the reservations of other writes are polled, in milliseconds. */
const pollMs = 50;

/**
 * Waits for room that other writes have reserved. Those that fail give it back, and those that write
 * less than they have reserved give back the rest: a file that fits then is not to be refused.
 */
export class FreedRoom {
  readonly #ledger: Pick<Ledger, "read">;
  readonly #reads = new SingleFlight<AreaUsage | null>();
  /** What was reserved when a wait has ended in vain: others wait when it is less. */
  readonly #inVain = new Map<CountedArea, Growth>();

  constructor(ledger: Pick<Ledger, "read">) {
    this.#ledger = ledger;
  }

  /**
   * Waits until less is reserved.
   *
   * @param seen what a refusal relies on
   * @param since when the request began to ask, in milliseconds since 1970
   * @returns whether to try again
   */
  async wait(area: CountedArea, seen: AreaUsage, since: number): Promise<boolean> {
    const before = this.#inVain.get(area);
    if (before && !isLess(seen.held, before)) return false;
    this.#inVain.delete(area);
    // Of writes that wait for one another, one gives up before the others, which have its room then.
    const until = since + maxWaitMs * (0.5 + Math.random() / 2);
    while (Date.now() < until) {
      const now = await this.#reads.join(area, async () => {
        await delay(pollMs);
        return await this.#ledger.read(area);
      });
      const isOther = now?.countedAt !== seen.countedAt || now.isStale !== seen.isStale;
      if (isOther || isLess(now.held, seen.held)) return true;
    }
    this.#inVain.set(area, seen.held);
    return false;
  }
}

function isLess(now: Growth, before: Growth): boolean {
  return now.bytes < before.bytes || now.files < before.files;
}
