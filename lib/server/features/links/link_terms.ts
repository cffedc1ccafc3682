/** What the links of shares and of requests have in common. */
import { latestTime } from "../../../shared/time.ts";
import { DomainError } from "../../../shared/errors.ts";
import { signJwt, type TokenType, verifyJwt } from "../accounts/auth/jwt.ts";
import { digestOf, randomId } from "../../core/kv/random_id.ts";
import type { Passwords } from "../accounts/passwords/passwords.ts";

/** bcrypt ignores the bytes beyond. */
const maxPasswordBytes = 72;

/** An address that gives its holder a right: 128 random bits, in base64url. */
export function makeCapability(): string {
  return randomId(16);
}

/** The units of a lifetime, in seconds. */
export const secondsIn = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };

/**
 * The end of a lifetime, in seconds since 1970; 0 for none.
 *
 * @param now milliseconds since 1970
 * @throws DomainError `invalid_body` for an end after the year 9999, which no reader of times takes
 */
export function endAfter(seconds: number, now: number): number {
  if (seconds === 0) return 0;
  const end = Math.floor(now / 1000) + seconds;
  if (end * 1000 <= latestTime) return end;
  throw new DomainError(
    "invalid_body",
    "Cannot read expires: the end must be before the year 10000",
  );
}

/**
 * The hash of a link's password; null for "", which is none.
 *
 * @throws DomainError `invalid_password` when it has more than 72 bytes
 */
export async function hashLinkPassword(
  passwords: Passwords,
  password: string,
): Promise<string | null> {
  if (password === "") return null;
  if (new TextEncoder().encode(password.normalize("NFC")).length > maxPasswordBytes) {
    throw new DomainError(
      "invalid_password",
      `Cannot protect the share: a password has at most ${maxPasswordBytes} bytes`,
    );
  }
  return await passwords.hash(password);
}

/** The tokens of visitors, by which they return to a link without its password. */
export class VisitorTokens<Link extends { hash: string }> {
  readonly #type: TokenType;
  readonly #lifeMs: number;
  readonly #edition: (link: Link) => string;

  /** @param edition tells the present password and terms of a link from former ones */
  constructor(type: TokenType, lifeMs: number, edition: (link: Link) => string) {
    this.#type = type;
    this.#lifeMs = lifeMs;
    this.#edition = edition;
  }

  /** A token that opens one link; it may be sent in an address instead of a header. */
  sign(key: CryptoKey, link: Link): Promise<string> {
    const now = Date.now();
    return signJwt(key, this.#type, this.#claims(link), { iat: now, exp: now + this.#lifeMs });
  }

  /** Whether a token was made for this link, with its current password and terms. */
  async accepts(key: CryptoKey, link: Link, token: string): Promise<boolean> {
    try {
      const claims = await verifyJwt(key, this.#type, token, Date.now());
      const current = this.#claims(link);
      return claims.hash === current.hash && claims.for === current.for;
    } catch (error) {
      if (error instanceof DomainError && error.code === "not_signed_in") return false;
      throw error;
    }
  }

  #claims(link: Link): { hash: string; for: string } {
    return { hash: link.hash, for: digestOf(this.#edition(link)).slice(0, 16) };
  }
}
