import { createHash } from "node:crypto";
import { type Placed, placeOfRoot, rootsOf, topsOf } from "../../../shared/named_roots.ts";
import { type EntryPath, isInside } from "../../../shared/path.ts";
import type { Quota, QuotaUsage } from "../../../shared/schemas/quota.ts";
import type { CountedArea, Growth } from "../../core/access/allowance.ts";
import { Collection } from "../../core/kv/collection.ts";

/** How much an area holds, as the store has it. */
export interface AreaUsage {
  area: CountedArea;
  /** The content of its folders, and of the trash of its users. */
  used: Growth;
  /** The reservations of writes under way. */
  held: Growth;
  /** When it was last counted, in milliseconds since 1970; 0 for never. */
  countedAt: number;
  /** Something is gone, or was counted twice: a new count may find less. */
  isStale: boolean;
  /** The number of counts so far. */
  counts: number;
  /** The count under way. */
  counting: Counting | null;
}

/**
 * How many bytes an area with a quota holds, and the paths of its folders: at most 60 KiB, as they
 * stand in the records of users and groups. The key has a digest of them.
 */
export const areaUsages = new Collection<AreaUsage, [digest: string]>("area_usage");

/** A count under way. */
export interface Counting {
  id: string;
  /** When its process counts as dead, in milliseconds since 1970. */
  until: number;
  /** The growth since it began, which it may not have seen. */
  grown: Growth;
  /** Whether what it sees may change. */
  isUnsure: boolean;
}

/** Room that is reserved in an area. */
export interface StoredReservation extends Growth {
  /** When it is given back unless it is renewed, in milliseconds since 1970. */
  expires: number;
  /** {@linkcode AreaUsage.counts} when it was reserved. */
  counts: number;
}

/** Room that a write has reserved in an area with a quota, about 100 bytes. */
export const reservations = new Collection<StoredReservation, [digest: string, name: string]>(
  "reserved_room",
);

/** The part of a quota from which on it is nearly used up, and below which it is not any more. */
const nearPart = 0.9;
const notNearPart = 0.8;

/** Between the folders of an area; no path has it in it. */
const between = "\0";

/**
 * The area that a limit of a user counts: the scope, or all of the named roots that are not
 * read-only. Folders in one another count once.
 */
export function areaOf(user: Placed): CountedArea {
  const roots = rootsOf(user);
  const tops = roots ? roots.filter(({ readOnly }) => !readOnly).map(placeOfRoot) : topsOf(user);
  const outermost = tops.filter((top, index) =>
    !tops.some((other, at) => isInside(top, other) && (top !== other || at < index))
  );
  return outermost.sort().join(between) as CountedArea;
}

/** The folders of an area, below the server root, none of them inside another. */
export function foldersOf(area: CountedArea): EntryPath[] {
  return area === "" ? [] : area.split(between) as EntryPath[];
}

/** The digest of an area, for keys. */
export function digestOf(area: CountedArea): string {
  return createHash("sha256").update(area).digest("base64url");
}

/** The sum of both; never less than nothing. */
export function plus(a: Growth, b: Growth): Growth {
  return { bytes: Math.max(0, a.bytes + b.bytes), files: Math.max(0, a.files + b.files) };
}

/** The difference. */
export function minus(a: Growth, b: Growth): Growth {
  return plus(a, { bytes: -b.bytes, files: -b.files });
}

/** The growth without what becomes less: room is reserved before anything is given back. */
export function more({ bytes, files }: Growth): Growth {
  return { bytes: Math.max(0, bytes), files: Math.max(0, files) };
}

/** Whether a quota is nearly used up. @param was whether it was told to be: it takes more to end */
export function isNearly(quota: Quota, { used, held }: AreaUsage, was: boolean): boolean {
  const { bytes, files } = plus(used, held);
  const part = Math.max(
    quota.bytes > 0 ? bytes / quota.bytes : 0,
    quota.files > 0 ? files / quota.files : 0,
  );
  return part >= (was ? notNearPart : nearPart);
}

/** How much is in use, as the ledger has it. */
export function usageOf(quota: Quota, usage: AreaUsage | null): QuotaUsage {
  const isCounted = usage !== null && usage.countedAt > 0;
  const now = isCounted ? plus(usage.used, usage.held) : null;
  return { ...quota, usedBytes: now?.bytes ?? null, usedFiles: now?.files ?? null };
}
