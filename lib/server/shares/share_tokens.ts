import { createHash } from "node:crypto";
import { signJwt, verifyJwt } from "../auth/jwt.ts";
import { DomainError } from "../../shared/errors.ts";
import { type Share, termsOf } from "./share.ts";

/** Lifetime of a token after a correct password, in milliseconds. */
const lifeMs = 2 * 60 * 60_000;

/** A token that opens one share for two hours; it may be sent in an address instead of a header. */
async function signShareToken(key: CryptoKey, share: Share, now: number): Promise<string> {
  const claims = { hash: share.hash, for: editionTag(share) };
  return await signJwt(key, "share+jwt", claims, { iat: now, exp: now + lifeMs });
}

/** A new token; "" for a share without a password, which needs none. */
export async function shareTokenOf(key: CryptoKey, share: Share): Promise<string> {
  return share.passwordHash === null ? "" : await signShareToken(key, share, Date.now());
}

/** Whether a token was made for this share, with its current password and terms. */
export async function isShareToken(
  key: CryptoKey,
  share: Share,
  token: string,
  now: number,
): Promise<boolean> {
  try {
    const claims = await verifyJwt(key, "share+jwt", token, now);
    return claims.hash === share.hash && claims.for === editionTag(share);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_signed_in") return false;
    throw error;
  }
}

/** Tells the present password and terms from former ones. */
function editionTag(share: Share): string {
  const { edition } = termsOf(share);
  const text = (share.passwordHash ?? "") + (edition === 0 ? "" : ` ${edition}`);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
