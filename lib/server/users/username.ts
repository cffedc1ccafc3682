import { DomainError } from "../../shared/errors.ts";

/** The longest name in UTF-16 units: it keeps keys below the store's limit. */
const longestName = 255;

/** Control characters, surrogates, line breaks, and invisible or bidirectional marks. */
const unprintable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/**
 * The canonical spelling in which a name is stored and looked up: trimmed and in Unicode's NFC, so
 * that "é" is the same name whether it was typed as one character or two. Case-sensitive. Null for
 * a text that is no valid name.
 */
export function canonicalName(username: string): string | null {
  const name = username.normalize("NFC").trim();
  const possible = name !== "" && name.length <= longestName && !unprintable.test(name);
  return possible ? name : null;
}

/**
 * Reads the name of a user to be stored.
 *
 * @throws DomainError `invalid_name` when it is empty, too long or has unprintable characters
 */
export function parseUsername(username: string): string {
  const name = canonicalName(username);
  if (name !== null) return name;
  throw new DomainError(
    "invalid_name",
    `Cannot use this user name: it needs 1 to ${longestName} printable characters`,
  );
}
