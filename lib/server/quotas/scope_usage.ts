import { createHash } from "node:crypto";
import { type EntryPath, parsePath } from "../../shared/path.ts";
import type { Growth } from "../access/allowance.ts";

/** How much a scope holds, as the store has it. */
export interface ScopeUsage {
  /** Below the server root. */
  scope: EntryPath;
  /** The content of the scope, and of the trash of its users. */
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

/** Room that is reserved in a scope. */
export interface HeldRoom extends Growth {
  /** When it is given back unless it is renewed, in milliseconds since 1970. */
  expires: number;
  /** {@linkcode ScopeUsage.counts} when it was reserved. */
  counts: number;
}

/** A user's scope as a path, however it is written. */
export function scopeOf({ scope }: { scope: string }): EntryPath {
  return parsePath(`/${scope}`).path;
}

/** The digest of a scope, for keys. */
export function digestOf(scope: EntryPath): string {
  return createHash("sha256").update(scope).digest("base64url");
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
