import type { EntryPath } from "../../shared/path.ts";
import type { ShareInfo } from "../../shared/api_types.ts";

/** A share as the store holds it. */
export interface Share {
  /** 128 random bits in base64url, fewer in links of File Browser: the secret of the link. */
  hash: string;
  userId: number;
  /** The shared path in the scope that the owner had at the time. */
  path: EntryPath;
  /** Its path below the server's root, by which it is followed when it is moved. */
  place: EntryPath;
  /** End of its lifetime in seconds since 1970; 0 for none. */
  expire: number;
  /** A bcrypt hash; null for a share without a password. */
  passwordHash: string | null;
}

/**
 * A share as its owner and administrators see it.
 *
 * @param path in the owner's scope
 */
export function toShareInfo(share: Share, path: EntryPath): ShareInfo {
  const { hash, userId, expire, passwordHash } = share;
  return { hash, path, userID: userId, expire, hasPassword: passwordHash !== null };
}

/** Whether a share has expired. @param now milliseconds since 1970 */
export function hasExpired({ expire }: Pick<Share, "expire">, now: number): boolean {
  return expire !== 0 && expire * 1000 <= now;
}
