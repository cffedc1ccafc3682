import { createHash, timingSafeEqual } from "node:crypto";
import { DomainError } from "../../../../shared/errors.ts";

/**
 * Refuses a request without a token in `Authorization: Bearer …` (RFC 6750). Digests are compared,
 * in constant time: neither the token nor its length can be measured.
 *
 * @param action for the message: `Cannot read the metrics`
 * @throws DomainError `not_signed_in`
 */
export function requireBearer(req: Request, token: string, action: string): void {
  const [, given] = /^Bearer +(\S+) *$/i.exec(req.headers.get("authorization") ?? "") ?? [];
  if (given !== undefined && timingSafeEqual(digestOf(given), digestOf(token))) return;
  throw new DomainError("not_signed_in", `${action}: the token is missing or wrong`);
}

function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
