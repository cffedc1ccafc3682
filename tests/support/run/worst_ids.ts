/**
 * Spells every random id as badly as it may be spelled, loaded before the tests of `unit` and
 * `routes` (`--preload`): an id that some part of the server misreads is met in the first run and
 * not in one of 64. Each text that may be no id, as it begins with hyphens, comes before one that
 * may. Other random bytes, and those of the crypto of Node.js, stay as they are.
 */
import { createHash } from "node:crypto";

const alphabet = "base64url";

/** Spells a number in an id of so many characters; no number twice, so that no id is made twice. */
const spellings: readonly ((count: number, length: number) => string)[] = [
  // What Markdown and shells read as more than letters, at both ends.
  (count, length) => `_--${digits(count, length - 6)}_--`,
  // Digits alone, too many for a number.
  (count, length) => `99${digits(count, length - 2)}`,
  // A number with an exponent, another with a base.
  (count, length) => `1e${digits(count, length - 2)}`,
  (count, length) => `0x${digits(count, length - 2)}`,
  // What a flag or an option would be without its first character.
  (count, length) => `_-no-${digits(count, length - 6)}-`,
];

const { getRandomValues } = crypto;
/** How often so many bytes were asked for. */
const calls = new Map<number, number>();

crypto.getRandomValues = (array) => {
  getRandomValues.call(crypto, array);
  if (array instanceof Uint8Array) {
    const count = calls.get(array.length) ?? 0;
    calls.set(array.length, count + 1);
    if (array.length === 8) array.set(Uint8Array.fromHex(inHex(count)));
    else if (array.length === 12 || array.length === 16) array.set(inId(count, array.length));
    else if (array.length === 32) array.set(unlikely(count));
  }
  return array;
};

function inId(count: number, bytes: number): Uint8Array {
  // The last character of 22 spells two bits alone.
  const whole = Math.floor(bytes * 8 / 6);
  const spell = spellings[(count >> 1) % spellings.length] ?? digits;
  const text = spell(count, whole);
  const given = count % 2 === 0 ? `--${text.slice(2)}` : text;
  return Uint8Array.fromBase64(given.padEnd(Math.ceil(bytes * 8 / 6), "A"), { alphabet });
}

/** An id of the trash: digits alone, or with an exponent. */
function inHex(count: number): string {
  return (count % 2 === 0 ? "1e" : "00") + digits(count, 14);
}

/**
 * A secret by whose digest a token or an invite is known: a hyphen begins one, an underscore
 * the next. Of the two kinds in turn, as both at once take too many attempts.
 */
function unlikely(count: number): Uint8Array {
  const first = count % 2 === 0 ? "-" : "_";
  const prefix = (count >> 1) % 2 === 0 ? "" : "cubby_";
  const bytes = new Uint8Array(32);
  while (true) {
    getRandomValues.call(crypto, bytes);
    const secret = prefix + bytes.toBase64({ alphabet, omitPadding: true });
    if (createHash("sha256").update(secret).digest(alphabet).startsWith(first)) return bytes;
  }
}

/** Ends in no digit that divides 10, so that no two numbers below 10 ** length give equal digits. */
const factor = 9_754_610_248_387_912_036_417n;

/**
 * Digits of a number, all of which differ from those of the next: codes that are made of parts of
 * these bytes must differ too.
 */
function digits(count: number, length: number): string {
  const spread = BigInt(count + 1) * factor % 10n ** BigInt(length);
  return String(spread).padStart(length, "0");
}
