import { createHash } from "node:crypto";

/**
 * A random id in base64url, for records that people name on a command line: it never begins with a
 * hyphen, as a flag does.
 *
 * @param bytes how many random ones; a hyphen at the beginning costs a new attempt, and no strength
 */
export function randomId(bytes: number): string {
  while (true) {
    const id = crypto.getRandomValues(new Uint8Array(bytes))
      .toBase64({ alphabet: "base64url", omitPadding: true });
    if (!id.startsWith("-")) return id;
  }
}

/** 256 random bits in base64url: 43 characters that addresses and cookies may have. */
export function randomSecret(): string {
  return randomId(32);
}

/**
 * A new secret, and the id by which the store knows it: {@linkcode digestOf} the secret. The id can
 * be named on a command line.
 *
 * @param prefix of the secret
 */
export function secretWithId(prefix = ""): { secret: string; id: string } {
  while (true) {
    const secret = prefix + randomSecret();
    const id = digestOf(secret);
    if (!id.startsWith("-")) return { secret, id };
  }
}

/** A whole number from 1 to 2^31 - 1 that follows from a text: other texts may have the same. */
export function numberOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE() >>> 1 || 1;
}

/**
 * The SHA-256 digest of a text in base64url. Of 256 random bits it needs no salt and no slow hash:
 * they cannot be guessed.
 */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
