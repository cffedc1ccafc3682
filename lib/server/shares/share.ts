import type { EntryPath } from "../../shared/path.ts";
import type { ShareInfo } from "../../shared/api_types.ts";

/** A share as the store holds it. */
export interface Share {
  /** 128 random bits in base64url: who knows them may come. */
  hash: string;
  userId: number;
  /** The shared path in the scope that the owner had at the time. */
  path: EntryPath;
  /** Its path below the server's root, by which it is followed when it is moved. */
  place: EntryPath;
  /** Seconds since 1970 after which it is gone; 0 for never. */
  expire: number;
  /** A bcrypt hash; null for everybody. */
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

/** Whether a share's time is over. @param now milliseconds since 1970 */
export function hasExpired({ expire }: Pick<Share, "expire">, now: number): boolean {
  return expire !== 0 && expire * 1000 <= now;
}
