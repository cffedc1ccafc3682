/**
 * Names on the disk are bytes. Here they are texts: UTF-8 where the bytes are that, and every other
 * byte becomes one character of U+EF80 to U+EFFF, 0xEF00 above it (as in MirBSD's OPTU-8). A real
 * character of that range is encoded by its bytes as well, so the mapping is one-to-one, and the
 * text survives JSON and URLs.
 */
const firstEscape = 0xef80;
const lastEscape = 0xefff;
const escapes = /[\uef80-\uefff]/;
const allEscapes = /[\uef80-\uefff]/g;

const encoder = /* @__PURE__ */ new TextEncoder();
const strict = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Raw bytes that are valid UTF-8, except for the characters that are always encoded by bytes. */
const otherSpelling =
  /[\uefc2-\uefdf][\uef80-\uefbf]|\uefe0[\uefa0-\uefbf][\uef80-\uefbf]|[\uefe1-\uefec\uefef][\uef80-\uefbf]{2}|\uefed[\uef80-\uef9f][\uef80-\uefbf]|\uefee(?![\uefbe\uefbf])[\uef80-\uefbf]{2}|\ueff0[\uef90-\uefbf][\uef80-\uefbf]{2}|[\ueff1-\ueff3][\uef80-\uefbf]{3}|\ueff4[\uef80-\uef8f][\uef80-\uefbf]{2}/;

/** Whether a name has bytes that are not UTF-8 (or one of the rare characters that stand for such). */
export function hasRawBytes(name: string): boolean {
  return escapes.test(name);
}

/** A name or path for other programs: U+FFFD for each byte that is not UTF-8. */
export function wellFormedName(name: string): string {
  return name.replace(allEscapes, "\ufffd");
}

/** Characters that reorder others: "a\u202egpj.exe" looks like "aexe.jpg". */
const overrides = /[\u202a-\u202e]/g;
const isolates = /[\u2066-\u2069]/g;

/** A name or path for people: U+FFFD for these as well. */
export function displayName(name: string): string {
  return displayText(name).replace(isolates, "\ufffd");
}

/** The same for a part of a sentence, which isolates may set apart from the others. */
export function displayText(text: string): string {
  return wellFormedName(text).replace(overrides, "\ufffd");
}

/**
 * Whether a received name is canonical. Otherwise "ü" could be encoded by its two bytes, and would
 * slip past a rule for "ü".
 */
export function isCanonical(name: string): boolean {
  return !otherSpelling.test(name);
}

/** The text of a name's bytes. */
export function decodeName(bytes: Uint8Array): string {
  try {
    const text = strict.decode(bytes);
    if (!hasRawBytes(text)) return text;
  } catch {
    // Not UTF-8: character by character.
  }
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    const character = length > 0 ? strict.decode(bytes.subarray(at, at + length)) : "";
    if (length > 0 && !hasRawBytes(character)) {
      text += character;
      at += length;
    } else {
      text += String.fromCharCode(0xef00 + (bytes[at] ?? 0));
      at++;
    }
  }
  return text;
}

/** The bytes of a name's text: the inverse of {@link decodeName}. */
export function encodeName(name: string): Uint8Array<ArrayBuffer> {
  if (!hasRawBytes(name)) return encoder.encode(name);
  const bytes: number[] = [];
  for (const character of name) {
    const code = character.charCodeAt(0);
    if (code >= firstEscape && code <= lastEscape) bytes.push(code - 0xef00);
    else bytes.push(...encoder.encode(character));
  }
  return new Uint8Array(bytes);
}

/** The length of the valid UTF-8 sequence at a position, in bytes; 0 where there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length === 0 || at + length > bytes.length) return 0;
  try {
    strict.decode(bytes.subarray(at, at + length));
    return length;
  } catch {
    return 0;
  }
}
