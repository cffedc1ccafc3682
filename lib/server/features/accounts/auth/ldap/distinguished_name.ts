/** One attribute of a name, in the text it stands for: `cn` and `admins, read only`. */
export interface NamedAttribute {
  /** In lower case. */
  type: string;
  /** Without escapes; of a value in hexadecimal that is no text, `#` and its digits. */
  value: string;
}

/** A distinguished name: the entry's own attributes come first, several of one part together. */
export type DistinguishedName = NamedAttribute[][];

const typePattern = / *([a-z][a-z0-9-]*|(?:oid\.)?\d+(?:\.\d+)*) *= */iy;
const hexPattern = /#((?:[0-9a-f]{2})+) */iy;
const hexPair = /[0-9a-f]{2}/iy;

/**
 * Parses a distinguished name (RFC 4514), with the spaces around separators that servers write.
 * Cutting it by a pattern would take `cn=admins\, read only` for the group `admins`.
 *
 * @returns null for a text that is none
 */
export function parseDn(text: string): DistinguishedName | null {
  const names: DistinguishedName = [[]];
  let at = 0;
  while (true) {
    const [whole = "", type] = matchAt(typePattern, text, at) ?? [];
    if (type === undefined) return null;
    const read = readValue(text, at + whole.length);
    if (!read) return null;
    names.at(-1)?.push({ type: type.toLowerCase().replace(/^oid\./, ""), value: read.value });
    if (read.end === text.length) return names;
    if (text[read.end] === ",") names.push([]);
    at = read.end + 1;
  }
}

/**
 * The form in which names of one entry are equal texts, as far as directories say so: whatever their
 * escapes, the case, spaces in a row and the order within a part (RFC 4518). No plain name of a
 * group is such a text. Null for what is no distinguished name.
 */
export function canonicalDn(text: string): string | null {
  const name = parseDn(text);
  if (!name) return null;
  const parts = name.map((part) =>
    part.map(({ type, value }) => [type, foldValue(value)]).sort(([a = ""], [b = ""]) =>
      a < b ? -1 : 1
    )
  );
  return JSON.stringify(parts);
}

/**
 * The name within a distinguished name: `staff` of `cn=staff,ou=groups`. Null where it has several
 * attributes, of which none is its name alone.
 */
export function ownNameOf(text: string): string | null {
  const [own = []] = parseDn(text) ?? [];
  const [attribute] = own;
  return own.length === 1 && attribute && attribute.value !== "" ? attribute.value : null;
}

function foldValue(value: string): string {
  return value.normalize("NFC").toLowerCase().replace(/ +/g, " ").trim();
}

/** The value from a place on, and where it ends: at a separator or the end of the text. */
function readValue(text: string, start: number): { value: string; end: number } | null {
  const hex = matchAt(hexPattern, text, start);
  if (hex) {
    const end = start + hex[0].length;
    return end === text.length || /[,+]/.test(text[end] ?? "")
      ? { value: valueOfHex(hex[1] ?? ""), end }
      : null;
  }
  const bytes: number[] = [];
  // Spaces at the end belong to the value only if they are escaped.
  let kept = 0;
  let at = start;
  while (at < text.length && text[at] !== "," && text[at] !== "+") {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (character === "\\") {
      const [pair] = matchAt(hexPair, text, at + 1) ?? [];
      const escaped = text[at + 1] ?? "";
      if (pair === undefined && !/[ "#+,;<=>\\]/.test(escaped)) return null;
      bytes.push(pair === undefined ? escaped.charCodeAt(0) : parseInt(pair, 16));
      kept = bytes.length;
      at += 1 + (pair?.length ?? 1);
      continue;
    }
    if (/["#;<>\0]/.test(character) && (character !== "#" || bytes.length === 0)) return null;
    bytes.push(...new TextEncoder().encode(character));
    if (character !== " ") kept = bytes.length;
    at += character.length;
  }
  const value = textOf(bytes.slice(0, kept));
  return value === null ? null : { value, end: at };
}

/** The text of a BER-encoded string; other values stay as they are written. */
function valueOfHex(hex: string): string {
  const [tag = 0, length = -1, ...content] = [...hex.matchAll(/../g)].map(([pair]) =>
    parseInt(pair, 16)
  );
  // OCTET STRING, UTF8String, PrintableString, IA5String.
  const isText = [0x04, 0x0c, 0x13, 0x16].includes(tag) && length < 0x80 &&
    length === content.length;
  return (isText ? textOf(content) : null) ?? `#${hex.toLowerCase()}`;
}

function textOf(bytes: number[]): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(bytes),
    );
  } catch {
    return null;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
