import { createHash } from "node:crypto";

/** Number of codes that a user gets at once. */
const codeCount = 10;

/** Characters without those that look alike (Crockford's base 32). */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Characters of a code: 80 random bits. */
const codeLength = 16;

/** New recovery codes, as they are shown: `k3m9-7qzx-…`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: codeCount }, () => {
    // 256 is a multiple of 32, so each character is as likely as any other.
    const bytes = crypto.getRandomValues(new Uint8Array(codeLength));
    const text = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join("");
    return text.replace(/.{4}(?=.)/g, "$&-");
  });
}

/**
 * A typed code as it was issued, without gaps and in small letters; null for a text that is none.
 * Letters that are easily confused with digits count as these.
 */
export function readRecoveryCode(typed: string): string | null {
  const text = typed.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0")
    .replace(/[il]/g, "1");
  return text.length === codeLength && [...text].every((each) => alphabet.includes(each))
    ? text
    : null;
}

/**
 * The digest of a code that is stored. As a code has 80 random bits, no search through all of them
 * is possible, so a slow hash would protect nothing. The user is part of it: equal codes of two
 * users have different digests.
 *
 * @param code as `readRecoveryCode()` returns it
 */
export function digestOf(userId: number, code: string): string {
  return createHash("sha256").update(`${userId}:${code}`).digest("base64url");
}
