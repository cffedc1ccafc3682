/**
 * The length of a code's time step, in milliseconds. With six digits and HMAC SHA-1 it is what
 * authenticator apps take without exception.
 */
const stepMs = 30_000;

/** The length of a secret in bytes: the 160 bits that RFC 4226 recommends. */
const secretBytes = 20;

/** The longest account name in the address, in characters: a QR code must stay readable. */
const maxLabelLength = 60;

/** The account that an authenticator app shows. */
export interface TotpAccount {
  secret: string;
  /** The name of the site. */
  issuer: string;
  username: string;
}

/** A random secret, in base32. */
export async function makeSecret(): Promise<string> {
  const { Secret } = await import("otpauth");
  return new Secret({ size: secretBytes }).base32;
}

/** The address by which an authenticator app takes a secret in (`otpauth://totp/…`). */
export async function totpAddress({ secret, issuer, username }: TotpAccount): Promise<string> {
  const { TOTP } = await import("otpauth");
  const label = [...username].slice(0, maxLabelLength).join("");
  return new TOTP({ secret, issuer, label }).toString();
}

/**
 * The time step that a code belongs to: the present one, or one of its two neighbours, as clocks
 * differ. Null for a wrong code. The comparison takes the same time for each.
 *
 * @param now milliseconds since 1970
 */
export async function stepOfCode(
  secret: string,
  code: string,
  now: number,
): Promise<number | null> {
  const { TOTP } = await import("otpauth");
  const delta = new TOTP({ secret }).validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : stepAt(now) + delta;
}

/** The time step of a moment. */
export function stepAt(now: number): number {
  return Math.floor(now / stepMs);
}
