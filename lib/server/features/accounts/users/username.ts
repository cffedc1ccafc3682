import { DomainError } from "../../../../shared/errors.ts";

/** The longest name in UTF-16 units: it keeps keys below the store's limit. */
const maxNameLength = 255;

/** Control characters, surrogates, line breaks, and invisible or bidirectional marks. */
const unprintable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/**
 * The canonical spelling in which a name is stored and looked up: trimmed and in Unicode's NFC, so
 * that "é" is the same name whether it was typed as one character or two. Case-sensitive. Null for
 * a text that no name in the store can be: older versions took more than {@linkcode readName} does.
 */
export function canonicalName(username: string): string | null {
  const name = username.normalize("NFC").trim();
  const possible = name !== "" && name.length <= maxNameLength && !unprintable.test(name);
  return possible ? name : null;
}

/** Characters that are not seen, and spaces that look like others: braille and music have blanks. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]|(?! )\p{Zs}| {2}/u;

/**
 * Reads the name of a user or a group to be stored, in its canonical spelling; null for one that is
 * none, or that could be shown like another one: with characters that are not seen, or with more
 * than one space at a place (CWE-1007).
 *
 * @param former the name that there is: it stays valid, whatever an older version has taken
 */
export function readName(name: string, former?: string): string | null {
  if (name === former) return name;
  const canonical = canonicalName(name);
  return canonical === null || unseen.test(canonical) ? null : canonical;
}

/**
 * As {@linkcode readName}, for users.
 *
 * @throws DomainError `invalid_name`
 */
export function parseUsername(username: string, former?: string): string {
  const name = readName(username, former);
  if (name !== null) return name;
  throw new DomainError(
    "invalid_name",
    `Cannot use this user name: it needs 1 to ${maxNameLength} printable characters`,
  );
}
