import type { Quota } from "../../../shared/schemas/quota.ts";
import { type CountedArea, type Growth, noGrowth } from "../../core/access/allowance.ts";
import { commitChange } from "../../core/kv/commit.ts";
import type { Store } from "../../core/kv/store.ts";
import {
  type AreaUsage,
  areaUsages,
  digestOf,
  minus,
  more,
  plus,
  reservations,
  type StoredReservation,
} from "./area_usage.ts";

/** The outcome of a reservation. */
export type ReservationResult =
  /** What the area holds then, and what is reserved, with what is spare. */
  | { held: AreaUsage; total: Growth }
  /** The area was never counted. */
  | "uncounted"
  | NoRoom;

/** There is not enough room. */
export interface NoRoom {
  over: "bytes" | "files";
  usage: AreaUsage;
  /** Whether there would be without the reservations of others. */
  mayFit: boolean;
}

/** A reservation of room that a writer asks for. */
export interface ReservationRequest {
  area: CountedArea;
  quota: Quota;
  /** Of the reservation: one of the same name is replaced. */
  name: string;
  total: Growth;
  /** Reserved besides, or a part of it: most of what is left stays free for others. */
  spare?: Growth;
  /** How long it lives unless it is renewed, in milliseconds. */
  lifeMs: number;
}

/** The part of what is left that a reservation may take as spare. */
const sparePart = 1 / 8;

/** The longest that a count may take before another may begin, in milliseconds. */
const maxCountMs = 10 * 60_000;

/**
 * The journal of what areas with a limit hold: a write reserves room first, in one atomic commit
 * that checks the limit, and is settled afterwards. Any number of threads and machines may write at
 * the same time: together they never reserve more than there is.
 */
export class Ledger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** How much an area holds; null when it has had no limit so far. */
  async read(area: CountedArea): Promise<AreaUsage | null> {
    return await areaUsages.get(this.#store, digestOf(area));
  }

  /** As {@linkcode read}, of many areas, in their order. */
  async readAll(areas: readonly CountedArea[]): Promise<(AreaUsage | null)[]> {
    const keys = areas.map((area) => areaUsages.key(digestOf(area)));
    return (await areaUsages.getAll(this.#store, keys)).map(({ value }) => value);
  }

  /** All areas that have, or had, a limit. */
  async list(): Promise<AreaUsage[]> {
    return await areaUsages.list(this.#store);
  }

  /** Reserves room where there is enough of it. */
  async hold(
    { area, quota, name, total, spare = noGrowth, lifeMs }: ReservationRequest,
  ): Promise<ReservationResult> {
    const wanted = more(total);
    return await commitChange<ReservationResult>(this.#store, async () => {
      const [usage, reservation] = await this.#both(area, name);
      const { value: now } = usage;
      if (!now?.countedAt) return { build: null, result: "uncounted" };
      const former = reservation.value ?? noGrowth;
      const isSame = former.bytes === wanted.bytes && former.files === wanted.files;
      const isLasting = (reservation.value?.expires ?? 0) - Date.now() > lifeMs / 2;
      if (reservation.value && isSame && isLasting) {
        return { build: null, result: { held: now, total } };
      }
      const held = plus(minus(now.held, former), wanted);
      const over = overOf({ ...now, held }, quota, former, wanted);
      if (over) {
        const mayFit = overOf({ ...now, held: wanted }, quota, former, wanted) === null;
        return { build: null, result: { over, usage: now, mayFit } };
      }
      const besides = spareOf({ ...now, held }, quota, spare);
      const next = { ...now, held: plus(held, besides) };
      const stored: StoredReservation = {
        ...plus(wanted, besides),
        expires: Date.now() + lifeMs,
        counts: reservation.value?.counts ?? now.counts,
      };
      return {
        result: {
          held: next,
          total: { bytes: total.bytes + besides.bytes, files: total.files + besides.files },
        },
        build: (operation) =>
          operation.check(usage, reservation).set(usage.key, next).set(reservation.key, stored),
      };
    });
  }

  /** Reserves nothing, but notes that something is under way; a reservation of the name stays. */
  async enter(area: CountedArea, name: string, lifeMs: number): Promise<void> {
    await commitChange(this.#store, async () => {
      const [usage, reservation] = await this.#both(area, name);
      if (!usage.value || reservation.value) return { build: null, result: undefined };
      const held: StoredReservation = {
        ...noGrowth,
        expires: Date.now() + lifeMs,
        counts: usage.value.counts,
      };
      return {
        result: undefined,
        build: (operation) => operation.check(reservation).set(reservation.key, held),
      };
    });
  }

  /** Lets a reservation live longer, unless it is over. */
  async renew(area: CountedArea, name: string, lifeMs: number): Promise<void> {
    await reservations.update(
      this.#store,
      [digestOf(area), name],
      (now) => now ? { ...now, expires: Date.now() + lifeMs } : undefined,
    );
  }

  /**
   * Ends a reservation, and counts what was written in its place.
   *
   * @param isUnsure whether the area is to be counted again when that matters
   */
  async settle(area: CountedArea, name: string, written: Growth, isUnsure = false): Promise<void> {
    await commitChange(this.#store, async () => {
      const [usage, reservation] = await this.#both(area, name);
      const { value: now } = usage;
      const isIdle = !reservation.value && written.bytes === 0 && written.files === 0 && !isUnsure;
      if (!now || isIdle) return { build: null, result: undefined };
      // A count in between may have seen the new file already.
      const isTwice = reservation.value !== null && reservation.value.counts !== now.counts;
      const next: AreaUsage = {
        ...now,
        used: plus(now.used, written),
        held: minus(now.held, reservation.value ?? noGrowth),
        isStale: now.isStale || isUnsure || isTwice,
        counting: now.counting && {
          ...now.counting,
          grown: plus(now.counting.grown, more(written)),
          isUnsure: true,
        },
      };
      return {
        result: undefined,
        build: (operation) =>
          operation.check(usage, reservation).set(usage.key, next).delete(reservation.key),
      };
    });
  }

  /** The reservations in an area, by their names. */
  async reservations(area: CountedArea): Promise<[name: string, reservation: StoredReservation][]> {
    return (await reservations.entries(this.#store, digestOf(area))).map((
      { key, value },
    ) => [String(key.at(-1)), value]);
  }

  /**
   * Has an area counted again before anything relies on what it holds.
   *
   * @param endsCount whether the process of a count under way is dead
   */
  async markStale(area: CountedArea, endsCount: boolean): Promise<void> {
    await this.#change(area, (now) => {
      const counting = endsCount ? null : now.counting;
      return { ...now, isStale: true, counting };
    });
  }

  /** Ends a reservation of which a count has seen all that was written. */
  async drop(area: CountedArea, name: string): Promise<void> {
    await commitChange(this.#store, async () => {
      const [usage, reservation] = await this.#both(area, name);
      const { value: now } = usage;
      if (!now || !reservation.value) return { build: null, result: undefined };
      const next = { ...now, held: minus(now.held, reservation.value) };
      return {
        result: undefined,
        build: (operation) =>
          operation.check(usage, reservation).set(usage.key, next).delete(reservation.key),
      };
    });
  }

  /**
   * Begins a count, of which there is one at a time.
   *
   * @returns its id; null while another thread or machine counts
   */
  async beginCount(area: CountedArea): Promise<string | null> {
    const id = crypto.randomUUID();
    const next = await areaUsages.update(this.#store, [digestOf(area)], (usage) => {
      const now = usage ?? neverCounted(area);
      if ((now.counting?.until ?? 0) > Date.now()) return undefined;
      const counting = {
        id,
        until: Date.now() + maxCountMs,
        grown: noGrowth,
        isUnsure: false,
      };
      return { ...now, counts: now.counts + 1, counting };
    });
    return next ? id : null;
  }

  /**
   * Ends a count.
   *
   * @param found null when it failed; what is known stays then
   * @param isPartial whether it saw only a part
   */
  async endCount(
    area: CountedArea,
    id: string,
    found: Growth | null,
    isPartial = false,
  ): Promise<void> {
    await this.#change(area, (now) => {
      const { counting } = now;
      if (counting?.id !== id) return null;
      if (!found) return { ...now, counting: null };
      const seen = plus(found, counting.grown);
      const used = isPartial ? largest(seen, now.used) : seen;
      return {
        ...now,
        used,
        countedAt: Date.now(),
        counts: now.counts + 1,
        isStale: counting.isUnsure,
        counting: null,
      };
    });
  }

  /** Forgets an area that has no limit any more. */
  async forget(area: CountedArea): Promise<void> {
    const reserved = await reservations.entries(this.#store, digestOf(area));
    const keys = [areaUsages.key(digestOf(area)), ...reserved.map(({ key }) => key)];
    for (const key of keys) await this.#store.atomic((operation) => operation.delete(key));
  }

  async #change(
    area: CountedArea,
    change: (now: AreaUsage) => AreaUsage | null,
  ): Promise<void> {
    await areaUsages.update(
      this.#store,
      [digestOf(area)],
      (now) => now && change(now) || undefined,
    );
  }

  #both(area: CountedArea, name: string) {
    const digest = digestOf(area);
    return this.#store.getMany<[AreaUsage, StoredReservation]>([
      areaUsages.key(digest),
      reservations.key(digest, name),
    ]);
  }
}

function neverCounted(area: CountedArea): AreaUsage {
  return {
    area,
    used: noGrowth,
    held: noGrowth,
    countedAt: 0,
    isStale: false,
    counts: 0,
    counting: null,
  };
}

/** Which limit a reservation would go over. What does not grow is never refused. */
function overOf(
  { used, held }: AreaUsage,
  quota: Quota,
  former: Growth,
  wanted: Growth,
): "bytes" | "files" | null {
  const isOver = (unit: "bytes" | "files") =>
    quota[unit] > 0 && wanted[unit] > former[unit] && used[unit] + held[unit] > quota[unit];
  return isOver("bytes") ? "bytes" : isOver("files") ? "files" : null;
}

/** How much of what is wanted as spare may be reserved. */
function spareOf({ used, held }: AreaUsage, quota: Quota, spare: Growth): Growth {
  const within = (unit: "bytes" | "files") => {
    const left = Math.max(0, quota[unit] - used[unit] - held[unit]);
    return quota[unit] > 0 ? Math.min(spare[unit], Math.floor(left * sparePart)) : spare[unit];
  };
  return { bytes: within("bytes"), files: within("files") };
}

function largest(a: Growth, b: Growth): Growth {
  return { bytes: Math.max(a.bytes, b.bytes), files: Math.max(a.files, b.files) };
}
