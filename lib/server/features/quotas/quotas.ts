import { placeIn } from "../../../shared/named_roots.ts";
import { delay } from "../../../shared/delay.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, isInside, joinPaths, ROOT } from "../../../shared/path.ts";
import {
  isLimited,
  type Quota,
  type QuotaUsage,
  type UserQuota,
} from "../../../shared/schemas/quota.ts";
import type { Access } from "../../core/access/access.ts";
import { type Allowance, type CountedArea, noGrowth } from "../../core/access/allowance.ts";
import type { Viewer } from "../../core/access/viewer.ts";
import { SingleFlight } from "../../core/concurrency/single_flight.ts";
import { isTicket, type PartReservation } from "../../files/upload/upload_parts.ts";
import { bestEffort } from "../../core/kv/best_effort.ts";
import type { Store } from "../../core/kv/store.ts";
import type { User } from "../accounts/users/user.ts";
import type { Users } from "../accounts/users/users.ts";
import { countArea, type CountParts } from "./count_area.ts";
import { Ledger, type NoRoom } from "./ledger.ts";
import { AreaAllowance, reservationLifeMs } from "./area_allowance.ts";
import { FreedRoom } from "./freed_room.ts";
import {
  areaOf,
  type AreaUsage,
  foldersOf,
  isNearly,
  type StoredReservation,
  usageOf,
} from "./area_usage.ts";
import { dayMs } from "../../../shared/time.ts";

/** How long a write waits for a count before it is refused, in milliseconds. */
const writeTimeoutMs = 10_000;

/** How long a question for the usage waits for a count, in milliseconds. */
const askTimeoutMs = 3_000;

/** A refusal relies on no count that is older, in milliseconds. */
const freshMs = 60_000;

/** How often an area is counted when nothing asks for it, in milliseconds. */
const countEveryMs = dayMs;

/** How long changes by others are collected before an area is counted again, in milliseconds. */
const collectMs = 2_000;

/** Most paths that are collected; with more, every area is counted. */
const maxChanged = 1_000;

/** Interval at which the end of a count by another thread or machine is polled, in milliseconds. */
const pollMs = 250;

/** The dependencies of the quotas. */
export interface QuotaOptions extends CountParts {
  store: Store;
  users: Pick<Users, "actingParts">;
  /** Whether this thread alone uses the store, so that it learns of every quota that is in use. */
  isAlone: boolean;
  /** Whether this program ends after one change: it leaves counts to the servers on the store. */
  isPassing?: boolean;
  /** Takes the error of a count that runs in the background. */
  report(error: unknown): void;
  /** Called in each thread when the quota of users becomes nearly used up, or is so no more. */
  onNear?(users: User[], isNear: boolean, quota: Quota): Promise<void>;
}

/** The areas of all users at a moment. */
interface Areas {
  /** When the reading began, in milliseconds since 1970. */
  readAt: number;
  /** The ids of their users. */
  members: Map<CountedArea, number[]>;
  /** Those with a limit. */
  limited: Set<CountedArea>;
}

/**
 * The limits of users: how much their areas may hold. A journal in the store has the usage of each.
 * Commands, and programs besides the server, change files as well: counts of the disk correct the
 * journal. Areas without a limit have no record, and cost nothing.
 */
export class Quotas {
  readonly ledger: Ledger;
  readonly #options: QuotaOptions;
  readonly #freed: FreedRoom;
  readonly #counts = new SingleFlight<void>();
  readonly #reads = new SingleFlight<Areas>();
  /** The areas with a limit that this thread knows of. */
  readonly #known = new Set<CountedArea>();
  /** The reservations of dead processes, by the areas that are to be counted for that. */
  readonly #lost = new Map<CountedArea, readonly string[]>();
  /** A change below the server root, and the area whose journal knows of it, if one does. */
  #changed = new Map<EntryPath, CountedArea | null>();
  /** Whether the quotas of areas are nearly used up, as far as it was reported. */
  readonly #near = new Map<CountedArea, boolean>();
  /** Counts that nothing waits for. */
  readonly #behind = new Set<Promise<void>>();
  readonly #timer: ReturnType<typeof setInterval>;
  #later: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: QuotaOptions) {
    this.#options = options;
    this.ledger = new Ledger(options.store);
    this.#freed = new FreedRoom(this.ledger);
    this.#timer = setInterval(() => {
      this.#countChanged().catch((error) => this.#report(error));
    }, collectMs);
    Deno.unrefTimer(this.#timer);
  }

  /** The allowance of a viewer with a quota. Nothing is looked up yet. */
  allowanceOf(viewer: Viewer & { quota: Quota }): Allowance {
    const { quota } = viewer;
    const area = areaOf(viewer);
    this.#known.add(area);
    return new AreaAllowance({
      ledger: this.ledger,
      area,
      quota,
      // Only recipients of a share and visitors of a request are confined to a part of the scope.
      isForVisitors: viewer.base !== undefined,
      refresh: (seen, since) => this.#refresh(area, seen, since),
      usage: () => this.#usage(area, quota),
      knownUsage: () => this.#knownUsage(area, quota),
      onHeld: (usage) => this.#recordNearLimit(area, quota, usage),
    });
  }

  /** How much some users with a quota have in use, as far as it is counted. */
  async usagesOf(users: readonly User[]): Promise<UserQuota[]> {
    const usages = await this.ledger.readAll(users.map(areaOf));
    return users.map(({ id, username, quota, ...user }, at) => {
      const usage = usages[at] ?? null;
      if (!usage?.countedAt) this.check({ ...user, quota });
      return { id, name: username, ...usageOf(quota, usage) };
    });
  }

  /** Counts the area of a user who has a quota, and tells how much is in use. */
  async recount({ quota, ...user }: Pick<User, "quota" | "scope" | "roots">): Promise<QuotaUsage> {
    const area = areaOf(user);
    if (!isLimited(quota)) {
      throw new DomainError("not_supported", "Cannot count: the user has no quota");
    }
    await this.#count(area);
    return usageOf(quota, await this.ledger.read(area));
  }

  /** Counts the area of a user behind the scenes, if there is a quota: it may be a new one. */
  check({ quota, ...user }: Pick<User, "quota" | "scope" | "roots">): void {
    if (!isLimited(quota) || this.#isClosed) return;
    const area = areaOf(user);
    this.#known.add(area);
    this.#countBehind(area);
  }

  /**
   * Notes that something has changed at paths of a viewer. Where it lies in the area of another
   * with a limit, that is counted again soon.
   */
  notifyChanged({ viewer }: Access, ...paths: EntryPath[]): void {
    if (this.#options.isAlone && this.#known.size === 0) return;
    const settled = viewer.quota ? areaOf(viewer) : null;
    for (const path of paths) {
      const place = placeIn(viewer, joinPaths(viewer.base ?? ROOT, path));
      if (place !== null) this.#changed.set(place, settled);
    }
    if (this.#changed.size > maxChanged) this.#changed = new Map([[ROOT, null]]);
  }

  /**
   * Finds the areas in which killed processes have left something half done, at a start, and counts
   * them in the background. Until then they are stale, and keep what was reserved: a refusal waits
   * for the count, and nothing is let in that may be over the limit.
   *
   * @param isAlone whether no other process works on the store: then all that is under way is such.
   * Otherwise the rest is looked at again when it has expired
   */
  async endLost(isAlone: boolean): Promise<void> {
    let isAny = false;
    let mayBeOthers = false;
    for (const { area, isStale, counting } of await this.ledger.list()) {
      this.#known.add(area);
      const reservations = await this.ledger.reservations(area);
      const dead = reservations.filter(([name, reservation]) => isDead(name, reservation, isAlone));
      const left = reservations.length - dead.length;
      mayBeOthers ||= left > reservations.filter(([name]) => isTicket(name)).length;
      const isHalfCounted = isAlone && counting !== null;
      if (dead.length === 0 && !isStale && !isHalfCounted) continue;
      await this.ledger.markStale(area, isAlone);
      this.#lost.set(area, dead.map(([name]) => name));
      isAny = true;
    }
    if (isAny) void this.#countLost();
    if (mayBeOthers) this.#lookAgain();
  }

  /**
   * Counts areas whose last count is of yesterday or did not see all, and forgets those whose last
   * user with a limit is gone.
   */
  async verify(): Promise<void> {
    const known = await this.ledger.list();
    if (known.length === 0) return;
    let areas = await this.#areas();
    for (const { area, countedAt, isStale } of known) {
      if (this.#isClosed) return;
      // Counts take a while, and users may come meanwhile.
      if (Date.now() - areas.readAt > freshMs) areas = await this.#areas();
      if (!areas.limited.has(area)) {
        this.#known.delete(area);
        await this.ledger.forget(area);
        continue;
      }
      this.#known.add(area);
      const dead = await this.#findDead(area);
      const isOld = Date.now() - countedAt > countEveryMs;
      if (isOld || isStale || dead.length > 0) await this.#countAfter(area, dead, areas);
    }
  }

  /**
   * Gives back what an upload has reserved that is over.
   *
   * @param isUnsure whether its file may have got its name nevertheless
   */
  async release({ area, ticket }: PartReservation, isUnsure: boolean): Promise<void> {
    await bestEffort(() => this.ledger.settle(area, ticket, noGrowth, isUnsure));
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    clearTimeout(this.#later);
  }

  async #usage(area: CountedArea, quota: Quota): Promise<QuotaUsage> {
    const known = await this.#knownUsage(area, quota);
    if (known) return known;
    await this.#within(this.#count(area), askTimeoutMs);
    return usageOf(quota, await this.ledger.read(area));
  }

  async #knownUsage(area: CountedArea, quota: Quota): Promise<QuotaUsage | null> {
    const usage = await this.ledger.read(area);
    return usage?.countedAt && !usage.isStale ? usageOf(quota, usage) : null;
  }

  /**
   * Before a refusal: it must not rely on what is out of date. Files that get their names during a
   * count may be counted twice, and need another count.
   */
  async #refresh(area: CountedArea, seen: NoRoom | null, since: number): Promise<boolean> {
    const usage = await this.ledger.read(area);
    const left = since + writeTimeoutMs - Date.now();
    // Another thread or machine has counted meanwhile.
    const isCounted = usage && usage.countedAt !== (seen?.usage.countedAt ?? 0);
    if (isCounted && (seen === null || left > 0)) return true;
    if (left <= 0) return false;
    const dead = await this.#findDead(area);
    const isFresh = usage && !usage.isStale && Date.now() - usage.countedAt < freshMs;
    if (!isFresh || dead.length > 0) return await this.#within(this.#countAfter(area, dead), left);
    return seen !== null && seen.mayFit && await this.#freed.wait(area, seen.usage, since);
  }

  async #recordNearLimit(area: CountedArea, quota: Quota, usage: AreaUsage): Promise<void> {
    const was = this.#near.get(area);
    const isNear = isNearly(quota, usage, was === true);
    const { onNear } = this.#options;
    if (isNear === was || !onNear) return;
    this.#near.set(area, isNear);
    try {
      const concerned: User[] = [];
      for await (const users of this.#options.users.actingParts()) {
        concerned.push(...users.filter((user) => isLimited(user.quota) && areaOf(user) === area));
      }
      await onNear(concerned, isNear, quota);
    } catch (error) {
      this.#near.delete(area);
      this.#report(error);
    }
  }

  /** The areas of all users. Those who ask while they are read share them. */
  #areas(): Promise<Areas> {
    return this.#reads.join("areas", async () => {
      const areas: Areas = { readAt: Date.now(), members: new Map(), limited: new Set() };
      for await (const users of this.#options.users.actingParts()) {
        for (const user of users) {
          const area = areaOf(user);
          const members = areas.members.get(area);
          if (members) members.push(user.id);
          else areas.members.set(area, [user.id]);
          if (isLimited(user.quota)) areas.limited.add(area);
        }
      }
      return areas;
    });
  }

  /** The reservations of dead processes. */
  async #findDead(area: CountedArea): Promise<string[]> {
    const reservations = await this.ledger.reservations(area);
    return reservations.filter(([name, reservation]) => isDead(name, reservation)).map(([name]) =>
      name
    );
  }

  /** Counts an area, and ends what dead processes had reserved in it. */
  async #countAfter(area: CountedArea, dead: readonly string[], areas?: Areas): Promise<void> {
    if (dead.length > 0) this.#lost.set(area, dead);
    await this.#count(area, areas);
    // One that was under way may have begun before the last of them wrote.
    if (this.#lost.has(area)) await this.#count(area, areas);
  }

  /** One after another, as they may be large. */
  async #countLost(): Promise<void> {
    for (const area of [...this.#lost.keys()]) {
      if (this.#isClosed) return;
      try {
        if (this.#lost.has(area)) await this.#count(area);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  /** Looks once more when what another process may have reserved has expired or was renewed. */
  #lookAgain(): void {
    clearTimeout(this.#later);
    this.#later = setTimeout(() => {
      if (!this.#isClosed) this.endLost(false).catch((error) => this.#report(error));
    }, reservationLifeMs + collectMs);
    Deno.unrefTimer(this.#later);
  }

  /** Counts an area, or joins a count that is under way. @param areas read unless given */
  #count(area: CountedArea, areas?: Areas): Promise<void> {
    return this.#counts.join(area, () => this.#countAlone(area, areas));
  }

  async #countAlone(area: CountedArea, areas?: Areas): Promise<void> {
    const id = await this.ledger.beginCount(area);
    if (id === null) return await this.#awaitOther(area);
    const dead = this.#lost.get(area) ?? [];
    let counted;
    try {
      const { members } = areas ?? await this.#areas();
      counted = await countArea(this.#options, area, members.get(area) ?? []);
    } finally {
      await this.ledger.endCount(area, id, counted?.found ?? null, counted?.isPartial);
    }
    // It has seen all that they wrote.
    for (const name of dead) await this.ledger.drop(area, name);
    if (this.#lost.get(area) === dead) this.#lost.delete(area);
  }

  async #awaitOther(area: CountedArea): Promise<void> {
    for (;;) {
      await delay(pollMs);
      const { counting } = await this.ledger.read(area) ?? { counting: null };
      if (this.#isClosed || !counting || counting.until < Date.now()) return;
    }
  }

  /** Waits for a count for a while. @returns whether it has ended */
  async #within(count: Promise<void>, timeoutMs: number): Promise<boolean> {
    const over = new AbortController();
    try {
      return await Promise.race([
        count.then(() => true),
        delay(timeoutMs, over.signal).then(() => false),
      ]);
    } finally {
      over.abort();
    }
  }

  /** Waits for the work behind the scenes, for a program that ends then. */
  async settle(): Promise<void> {
    await this.#countChanged();
    await Promise.all(this.#behind);
  }

  /** Counts the areas in which others have changed something. */
  async #countChanged(): Promise<void> {
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed];
    this.#changed = new Map();
    const known = this.#options.isAlone
      ? [...this.#known]
      : (await this.ledger.list()).map(({ area }) => area);
    for (const area of known) {
      const isIn = ([path, settled]: [EntryPath, CountedArea | null]) =>
        settled !== area &&
        foldersOf(area).some((folder) => isInside(path, folder) || isInside(folder, path));
      if (changed.some(isIn)) this.#countBehind(area);
    }
  }

  #countBehind(area: CountedArea): void {
    const { isPassing } = this.#options;
    const count = (isPassing ? this.ledger.markStale(area, false) : this.#count(area))
      .catch((error) => this.#report(error)).finally(() => this.#behind.delete(count));
    this.#behind.add(count);
  }

  #report(error: unknown): void {
    if (!this.#isClosed) this.#options.report(error);
  }
}

/** @param isAlone whether no other process writes */
function isDead(
  name: string,
  { expires }: Pick<StoredReservation, "expires">,
  isAlone = false,
): boolean {
  return expires <= Date.now() || isAlone && !isTicket(name);
}
