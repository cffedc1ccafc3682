import { DomainError } from "../../../../shared/errors.ts";
import { byteLength, canonical, maxPasswordBytes } from "./passwords.ts";
import { minPasswordLength } from "../../../../shared/schemas/choices/choices.ts";
import { wellKnownPasswords } from "./well_known_passwords.ts";

/** Words that digits and signs around them do not save. */
const commonWords = new Set(
  ("admin administrator root user guest test password passwort passwd pass motdepasse contrasena " +
    "senha secret letmein welcome login qwerty changeme default iloveyou monkey dragon master " +
    "football baseball sunshine princess superman starwars hello love abc").split(" "),
);

/** Runs of neighbouring keys and characters, forwards and (added below) backwards. */
const runs = [
  "01234567890123456789",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
].flatMap((run) => [run, [...run].reverse().join("")]);

/** The digits and signs that replace letters in "p@ssw0rd". */
const disguises: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  "$": "s",
  "!": "i",
};

/**
 * Refuses a password that is short, cut off by bcrypt, or guessed early: well-known ones,
 * repetitions, runs of the keyboard, a common word or the user's own name with only digits and
 * signs around it. Length counts, composition does not (NIST SP 800-63B).
 *
 * @param minLength the fewest characters, from the settings
 * @throws DomainError `invalid_password`
 */
export function checkPolicy(
  password: string,
  username = "",
  minLength: number = minPasswordLength,
): void {
  const text = canonical(password);
  if ([...text].length < minLength) refuse(`it needs at least ${minLength} characters`);
  if (byteLength(text) > maxPasswordBytes) refuse(`it has more than ${maxPasswordBytes} bytes`);
  if (text.includes("\0")) refuse("it has a NUL character");
  const folded = text.toLowerCase();
  const name = canonical(username).toLowerCase().trim();
  if (isWellKnown(folded) || isRepetition(folded) || isRun(folded) || isName(folded, name)) {
    refuse("it is a well-known password");
  }
}

function refuse(reason: string): never {
  throw new DomainError("invalid_password", `Cannot use this password: ${reason}`);
}

/** A password of the list, or a common word with digits and signs around it; disguised or not. */
function isWellKnown(text: string): boolean {
  const plain = undisguise(text);
  if (wellKnownPasswords.has(text) || wellKnownPasswords.has(plain)) return true;
  const bare = withoutEdges(text);
  return commonWords.has(bare) || commonWords.has(undisguise(bare));
}

/** "abcabcabcabc": at most four characters, three times or more. */
function isRepetition(text: string): boolean {
  return /^(.{1,4})\1{2,}$/su.test(text);
}

/** "123456789012", "qwertyuiopas": one run from end to end. */
function isRun(text: string): boolean {
  return runs.some((run) => run.includes(text));
}

/** The user's name, once or more, with only digits and signs besides. */
function isName(text: string, name: string): boolean {
  if (name.length < 3 || !text.includes(name)) return false;
  return withoutEdges(text.replaceAll(name, "")) === "";
}

function undisguise(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => disguises[sign] ?? sign);
}

/** The text from its first letter to its last. */
function withoutEdges(text: string): string {
  return text.replace(/^\P{L}+|\P{L}+$/gu, "");
}

/** Letters and digits that look distinct in print. */
const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";

/** 20 of them are 116 bits. */
const passwordLength = 20;

/** An unguessable password of letters and digits. */
export function randomPassword(): string {
  let password = "";
  while (password.length < passwordLength) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // 56 * 4 < 256: larger bytes are rejected, so that no letter is likelier.
    if (byte < alphabet.length * 4) password += alphabet[byte % alphabet.length];
  }
  return password;
}
