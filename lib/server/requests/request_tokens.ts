import { createHash } from "node:crypto";
import { DomainError } from "../../shared/errors.ts";
import { signJwt, verifyJwt } from "../auth/jwt.ts";
import type { FileRequest } from "./request.ts";

/** Lifetime of a visitor's token, in milliseconds: a large upload takes a day. */
const lifeMs = 24 * 60 * 60_000;

/** A token by which a visitor who was let in sends files to one request, for a day. */
export async function signRequestToken(
  key: CryptoKey,
  request: FileRequest,
  now: number,
): Promise<string> {
  const claims = { hash: request.hash, for: editionTag(request) };
  return await signJwt(key, "request+jwt", claims, { iat: now, exp: now + lifeMs });
}

/** Whether a token was made for this request as it is now. */
export async function isRequestToken(
  key: CryptoKey,
  request: FileRequest,
  token: string,
  now: number,
): Promise<boolean> {
  try {
    const claims = await verifyJwt(key, "request+jwt", token, now);
    return claims.hash === request.hash && claims.for === editionTag(request);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_signed_in") return false;
    throw error;
  }
}

function editionTag({ passwordHash, edition }: FileRequest): string {
  const text = JSON.stringify([passwordHash, edition]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
