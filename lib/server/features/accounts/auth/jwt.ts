import { base64url, errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { DomainError } from "../../../../shared/errors.ts";

/**
 * The type of a token, as its header's `typ` (RFC 8725, 3.11): a session token is no ticket, a
 * ticket opens no share, and so on.
 */
export type TokenType =
  | "JWT"
  | "ticket+jwt"
  | "share+jwt"
  | "office+jwt"
  | "request+jwt"
  | "totp+jwt"
  | "passkey+jwt";

/** The longest text that is verified, in characters. */
const maxTokenLength = 16_384;

/** How far ahead of the clock the time of a token may lie, in milliseconds. */
const clockSlackMs = 60_000;

/** Signs claims with HMAC SHA-256; `iat` and `exp` are in milliseconds, whole seconds are kept. */
export function signJwt(
  key: CryptoKey,
  typ: TokenType,
  claims: JWTPayload,
  times: { iat: number; exp: number },
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ })
    .setIssuedAt(Math.floor(times.iat / 1000))
    .setExpirationTime(Math.floor(times.exp / 1000))
    .sign(key);
}

/**
 * The claims of a token that this server signed, for this type, and that has not expired. Once the
 * clock was set back, tickets and visitors' tokens from before are refused, as they would last
 * until the clock is there again; a session's token lasts as long as the session's record.
 *
 * A token has one spelling. Its header must be ours to the letter, which leaves an attacker no
 * `alg` to choose (`none`, another key type) and no second type; each part must be base64url
 * without padding, white space or left-over bits, so that no second text is the same token.
 *
 * @param now milliseconds since 1970
 * @throws DomainError `not_signed_in`
 */
export async function verifyJwt(
  key: CryptoKey,
  typ: TokenType,
  token: string,
  now: number,
): Promise<JWTPayload> {
  const [header = "", ...rest] = token.slice(0, maxTokenLength + 1).split(".");
  const wellFormed = token.length <= maxTokenLength && rest.length === 2 &&
    header === headerOf(typ) && rest.every(isCanonical);
  if (!wellFormed) throw unauthenticatedError("the token is malformed");
  try {
    const options = { algorithms: ["HS256"], currentDate: new Date(now), requiredClaims: ["exp"] };
    const { payload } = await jwtVerify(token, key, options);
    if (typ !== "JWT" && (payload.iat ?? 0) * 1000 > now + clockSlackMs) {
      throw unauthenticatedError("the token is not valid yet");
    }
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthenticatedError("the token has expired");
    if (error instanceof errors.JOSEError) throw unauthenticatedError("the token is not valid");
    throw error;
  }
}

/** The error for everything that is not a valid token of a live session. */
export function unauthenticatedError(reason: string): DomainError {
  return new DomainError("not_signed_in", `Cannot authenticate: ${reason}`);
}

function headerOf(typ: TokenType): string {
  return base64url.encode(JSON.stringify({ alg: "HS256", typ }));
}

/**
 * Whether a part is canonical base64url: decoding is lenient, so encode again and compare. A text
 * of 4n + 1 characters makes decoding throw.
 */
function isCanonical(part: string): boolean {
  const isText = /^[\w-]+$/.test(part) && part.length % 4 !== 1;
  return isText && base64url.encode(base64url.decode(part)) === part;
}
