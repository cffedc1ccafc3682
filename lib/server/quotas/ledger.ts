import type { EntryPath } from "../../shared/path.ts";
import type { Quota } from "../../shared/schemas/quota.ts";
import { type Growth, noGrowth } from "../access/allowance.ts";
import { commitChange } from "../kv/commit.ts";
import { roomKey, roomPrefix, scopeUsageKey, scopeUsagePrefix } from "../kv/keys/quotas.ts";
import type { Store } from "../kv/store.ts";
import { digestOf, type HeldRoom, minus, more, plus, type ScopeUsage } from "./scope_usage.ts";

/** What became of a wish to reserve room. */
export type HoldResult =
  | "held"
  /** The scope was never counted. */
  | "uncounted"
  /** There is not so much room. */
  | { over: "bytes" | "files"; usage: ScopeUsage };

/** A wish to reserve room. */
export interface HoldWish {
  scope: EntryPath;
  quota: Quota;
  /** Of the reservation: one of the same name is replaced. */
  name: string;
  total: Growth;
  /** How long it lives unless it is renewed, in milliseconds. */
  lifeMs: number;
}

/** The longest that a count may take before another may begin, in milliseconds. */
const mostCountMs = 10 * 60_000;

/**
 * The journal of what scopes with a limit hold: a write reserves room first, in one atomic commit
 * that checks the limit, and is settled afterwards. Any number of threads and machines may write at
 * the same time: together they never reserve more than there is.
 */
export class Ledger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** How much a scope holds; null when it has had no limit so far. */
  async read(scope: EntryPath): Promise<ScopeUsage | null> {
    return (await this.#usage(scope)).value;
  }

  /** All scopes that have, or had, a limit. */
  async list(): Promise<ScopeUsage[]> {
    return (await this.#store.list<ScopeUsage>(scopeUsagePrefix())).map(({ value }) => value);
  }

  /** Reserves room where there is enough of it. */
  async hold({ scope, quota, name, total, lifeMs }: HoldWish): Promise<HoldResult> {
    const wanted = more(total);
    return await commitChange<HoldResult>(this.#store, async () => {
      const [usage, room] = await this.#both(scope, name);
      const { value: now } = usage;
      if (!now?.countedAt) return { build: null, result: "uncounted" };
      const former = room.value ?? noGrowth;
      const isSame = former.bytes === wanted.bytes && former.files === wanted.files;
      const isLasting = (room.value?.expires ?? 0) - Date.now() > lifeMs / 2;
      if (room.value && isSame && isLasting) return { build: null, result: "held" };
      const next = { ...now, held: plus(minus(now.held, former), wanted) };
      const over = overOf(next, quota, former, wanted);
      if (over) return { build: null, result: { over, usage: now } };
      const held: HeldRoom = {
        ...wanted,
        expires: Date.now() + lifeMs,
        counts: room.value?.counts ?? now.counts,
      };
      return {
        result: "held",
        build: (operation) => operation.check(usage, room).set(usage.key, next).set(room.key, held),
      };
    });
  }

  /** Lets a reservation live longer, unless it is over. */
  async renew(scope: EntryPath, name: string, lifeMs: number): Promise<void> {
    const room = await this.#store.get<HeldRoom>(roomKey(digestOf(scope), name));
    const { value } = room;
    if (!value) return;
    await this.#store.atomic((operation) =>
      operation.check(room).set(room.key, { ...value, expires: Date.now() + lifeMs })
    );
  }

  /**
   * Ends a reservation, and counts what was written in its place.
   *
   * @param isUnsure whether the scope is to be counted again when that matters
   */
  async settle(scope: EntryPath, name: string, written: Growth, isUnsure = false): Promise<void> {
    await commitChange(this.#store, async () => {
      const [usage, room] = await this.#both(scope, name);
      const { value: now } = usage;
      const isIdle = !room.value && written.bytes === 0 && written.files === 0 && !isUnsure;
      if (!now || isIdle) return { build: null, result: undefined };
      // A count in between may have seen the new file already.
      const isTwice = room.value !== null && room.value.counts !== now.counts;
      const next: ScopeUsage = {
        ...now,
        used: plus(now.used, written),
        held: minus(now.held, room.value ?? noGrowth),
        isStale: now.isStale || isUnsure || isTwice,
        counting: now.counting && {
          ...now.counting,
          grown: plus(now.counting.grown, more(written)),
          isUnsure: true,
        },
      };
      return {
        result: undefined,
        build: (operation) => operation.check(usage, room).set(usage.key, next).delete(room.key),
      };
    });
  }

  /** Notes that something is gone; null where it is not known how much. */
  async free(scope: EntryPath, growth: Growth | null): Promise<void> {
    const { bytes, files } = growth ?? noGrowth;
    await this.#change(scope, (now) => ({
      ...now,
      used: minus(now.used, { bytes, files }),
      isStale: now.isStale || growth === null,
      counting: now.counting && { ...now.counting, isUnsure: true },
    }));
  }

  /**
   * Ends reservations of processes that are dead.
   *
   * @param isDead tells which
   * @returns how many
   */
  async endDead(
    scope: EntryPath,
    isDead: (room: HeldRoom, name: string) => boolean,
  ): Promise<number> {
    let ended = 0;
    for (const { key, value } of await this.#store.list<HeldRoom>(roomPrefix(digestOf(scope)))) {
      const name = String(key.at(-1));
      if (!isDead(value, name)) continue;
      // What it was for may have been written nevertheless.
      await this.settle(scope, name, noGrowth, true);
      ended++;
    }
    return ended;
  }

  /**
   * Begins a count, of which there is one at a time.
   *
   * @returns its id; null while another thread or machine counts
   */
  async beginCount(scope: EntryPath): Promise<string | null> {
    const id = crypto.randomUUID();
    return await commitChange(this.#store, async () => {
      const usage = await this.#usage(scope);
      const now = usage.value ?? neverCounted(scope);
      if ((now.counting?.until ?? 0) > Date.now()) return { build: null, result: null };
      const counting = {
        id,
        until: Date.now() + mostCountMs,
        grown: noGrowth,
        isUnsure: false,
      };
      const next = { ...now, counts: now.counts + 1, counting };
      return {
        result: id,
        build: (operation) => operation.check(usage).set(usage.key, next),
      };
    });
  }

  /**
   * Ends a count.
   *
   * @param found null when it failed; what is known stays then
   * @param isPartial whether it saw only a part
   */
  async endCount(
    scope: EntryPath,
    id: string,
    found: Growth | null,
    isPartial = false,
  ): Promise<void> {
    await this.#change(scope, (now) => {
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

  /** Forgets a scope that has no limit any more. */
  async forget(scope: EntryPath): Promise<void> {
    const rooms = await this.#store.list(roomPrefix(digestOf(scope)));
    const keys = [scopeUsageKey(digestOf(scope)), ...rooms.map(({ key }) => key)];
    for (const key of keys) await this.#store.atomic((operation) => operation.delete(key));
  }

  async #change(
    scope: EntryPath,
    change: (now: ScopeUsage) => ScopeUsage | null,
  ): Promise<void> {
    await commitChange(this.#store, async () => {
      const usage = await this.#usage(scope);
      const next = usage.value && change(usage.value);
      return {
        result: undefined,
        build: next && ((operation) => operation.check(usage).set(usage.key, next)),
      };
    });
  }

  #usage(scope: EntryPath): Promise<Deno.KvEntryMaybe<ScopeUsage>> {
    return this.#store.get<ScopeUsage>(scopeUsageKey(digestOf(scope)));
  }

  #both(scope: EntryPath, name: string) {
    const digest = digestOf(scope);
    return this.#store.getMany<[ScopeUsage, HeldRoom]>([
      scopeUsageKey(digest),
      roomKey(digest, name),
    ]);
  }
}

function neverCounted(scope: EntryPath): ScopeUsage {
  return {
    scope,
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
  { used, held }: ScopeUsage,
  quota: Quota,
  former: Growth,
  wanted: Growth,
): "bytes" | "files" | null {
  const isOver = (unit: "bytes" | "files") =>
    quota[unit] > 0 && wanted[unit] > former[unit] && used[unit] + held[unit] > quota[unit];
  return isOver("bytes") ? "bytes" : isOver("files") ? "files" : null;
}

function largest(a: Growth, b: Growth): Growth {
  return { bytes: Math.max(a.bytes, b.bytes), files: Math.max(a.files, b.files) };
}
