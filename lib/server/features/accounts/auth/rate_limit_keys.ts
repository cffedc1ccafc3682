import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { Collection } from "../../../core/kv/collection.ts";
import { isOver, type RateLimitState } from "./rate_limit_state.ts";

/** The key of a throttle: one account from one address, one address, or one account. */
type AttemptKind = "account_address" | "address" | "account";

/**
 * The failures of one subject: at most 50, about 2 KiB. The subject is a digest, so that the key
 * has a fixed length, and a password typed into the name field is not stored.
 */
export const attempts = new Collection<RateLimitState, [kind: AttemptKind, digest: string]>(
  "attempts",
  { expires: isOver },
);

/** One subject that failures are counted by. */
export interface RateLimitKey {
  kind: AttemptKind;
  key: Deno.KvKey;
  /** The number of failures within 15 minutes that closes it. */
  limit: number;
}

/**
 * The subjects of an attempt: first the account from the address (five failures), then the address
 * (twenty) and the account from everywhere (fifty).
 */
export function rateLimitKeysOf(account: string, address: string): RateLimitKey[] {
  const [here, everywhere] = accountLimitsOf(account, address);
  return [here, rateLimitKey("address", 20, addressKeyOf(address)), everywhere];
}

/** An account, from the address (five failures) and from everywhere (fifty). */
export function accountLimitsOf(account: string, address: string): [RateLimitKey, RateLimitKey] {
  const counted = foldedAccount(account);
  return [
    rateLimitKey("account_address", 5, counted, addressKeyOf(address)),
    rateLimitKey("account", 50, counted),
  ];
}

/** An address, for one kind of attempt: it is blocked after `limit` failures. */
export function addressLimitOf(kind: string, address: string, limit = 20): RateLimitKey {
  return rateLimitKey("address", limit, kind, addressKeyOf(address));
}

/** A user, as for one kind of attempt alone: it closes after so many failures. */
export function userLimitOf(kind: string, userId: number, limit: number): RateLimitKey {
  return rateLimitKey("account", limit, kind, String(userId));
}

/**
 * The unit in which accounts are counted. Names of users are case-sensitive here, but not in
 * directories: each of the thousand spellings of a name would be an account with guesses of its own
 * (RFC 4518, 2).
 */
function foldedAccount(account: string): string {
  if (!account.startsWith("user:")) return account;
  return account.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
}

function rateLimitKey(kind: AttemptKind, limit: number, ...parts: string[]): RateLimitKey {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
  return { kind, key: attempts.key(kind, digest), limit };
}

/**
 * The unit in which addresses are counted: an IPv4 address, also in its IPv6 spelling, and of an
 * IPv6 address the first 64 bits, since one household gets that many. Other texts count as they
 * are.
 */
export function addressKeyOf(address: string): string {
  const bare = address.replace(/%.*$/, "");
  if (!isIPv6(bare)) return address;
  const groups = groupsOf(bare);
  const isIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isIPv4) return groups.slice(6).flatMap((group) => [group >> 8, group & 255]).join(".");
  return `${groups.slice(0, 4).map((group) => group.toString(16)).join(":")}::/64`;
}

/** The eight groups of an IPv6 address. `URL` parses every spelling and writes one. */
function groupsOf(address: string): number[] {
  const [head = [], tail = []] = new URL(`http://[${address}]/`).hostname.slice(1, -1)
    .split("::")
    .map((side) => side.split(":").filter(Boolean).map((group) => parseInt(group, 16)));
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
