import { DomainError } from "../../../shared/errors.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { Rate } from "../../core/concurrency/rate.ts";
import { addressKeyOf } from "../../features/accounts/auth/rate_limit_keys.ts";

/** Most addresses, and most shares, of which something is counted, in each thread. */
const maxCounted = 5_000;

/** Rates by the key of an address or a share: those that were used last. */
class Rates {
  readonly #rates = new LruCache<string, Rate>(maxCounted);
  readonly #perSecond: number;
  readonly #atOnce: number;

  /** @param atOnce the most at once, after a pause */
  constructor(perSecond: number, atOnce: number) {
    this.#perSecond = perSecond;
    this.#atOnce = atOnce;
  }

  of(key: string): Rate {
    const rate = this.#rates.get(key) ?? new Rate(this.#perSecond, this.#atOnce);
    this.#rates.set(key, rate);
    return rate;
  }
}

/** Changes of visitors from one address. */
const changes = new Rates(10, 300);

/**
 * Saves of visitors in an office server: their number and their bytes, from one address, and by one
 * share. An address does not use up what a share allows. Office servers save every few minutes.
 */
const saves = { byAddress: new Rates(1, 30), byShare: new Rates(4, 120) };
const savedBytes = {
  byAddress: new Rates(4 * 1024 ** 2, 128 * 1024 ** 2),
  byShare: new Rates(16 * 1024 ** 2, 512 * 1024 ** 2),
};

/**
 * Counts a change of a visitor.
 *
 * @throws DomainError `throttled`
 */
export function countChange(address: string): void {
  if (changes.of(addressKeyOf(address)).take(1)) return;
  throw new DomainError("throttled", "Cannot change the share: too many changes at once", 5);
}

/**
 * Admits a save of a visitor. What is refused does not count, so that the office server gets through
 * that tries again; a document of any size is saved, and the next save waits for it.
 *
 * @param share its hash
 * @param action as in "Cannot save"
 * @returns takes each piece of the content as it comes
 * @throws DomainError `throttled`
 */
export function admitSave(
  { address, share }: { address: string; share: string },
  action: string,
): (piece: Uint8Array) => void {
  const from = addressKeyOf(address);
  const counts = [saves.byAddress.of(from), saves.byShare.of(share)];
  const bytes = [savedBytes.byAddress.of(from), savedBytes.byShare.of(share)];
  const seconds = Math.max(...[...counts, ...bytes].map((rate) => rate.wait()));
  if (seconds > 0) {
    const reason = "visitors save too much at once; the next save works again soon";
    throw new DomainError("throttled", `${action}: ${reason}`, Math.ceil(seconds));
  }
  for (const rate of counts) rate.spend(1);
  return ({ length }) => {
    for (const rate of bytes) rate.spend(length);
  };
}
