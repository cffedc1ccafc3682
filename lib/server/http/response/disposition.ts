import { displayName } from "../../../shared/entry_names.ts";

/**
 * The value of `Content-Disposition` for a file's name (RFC 6266): `filename` in plain ASCII for
 * old clients, `filename*` with the whole name in UTF-8 (RFC 8187).
 *
 * Names are untrusted. Quotes, backslashes, line ends and everything outside ASCII are replaced in
 * the former and percent-encoded in the latter, so that no name can end the value or inject a
 * header. Bytes that are not UTF-8 appear in neither.
 */
export function disposition(kind: "attachment" | "inline", name: string): string {
  const shown = displayName(name);
  const plain = shown.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encodeExtended(shown)}`;
}

/** Percent-encodes all but the attribute characters of RFC 8187. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/['()*]/g, (character) => "%" + character.charCodeAt(0).toString(16).toUpperCase());
}
