import { DomainError } from "../../../shared/errors.ts";

/** Encodes a text; it must not end with half a surrogate pair. */
export type Encode = (text: string) => Uint8Array<ArrayBuffer>;

/**
 * Makes an encoder, without a byte order mark.
 *
 * @param encoding as `TextDecoder` calls it; one that `parseTextFormat` accepts
 * @param action for the message: `Cannot save "/a.txt"`
 * @returns a function that throws {DomainError} `invalid_body` for a character that the encoding
 * lacks
 */
export function encoderOf(encoding: string, action: string): Encode {
  const utf8 = new TextEncoder();
  if (encoding === "utf-8") return (text) => utf8.encode(text);
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    return (text) => encodeUtf16(text, encoding === "utf-16le");
  }
  return (text) => encodeByTable(text, encoding, action);
}

function encodeUtf16(text: string, littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index++) {
    view.setUint16(index * 2, text.charCodeAt(index), littleEndian);
  }
  return bytes;
}

function encodeByTable(text: string, encoding: string, action: string): Uint8Array<ArrayBuffer> {
  const { basic, beyond } = codeTableOf(encoding);
  const bytes = new Uint8Array(text.length * 4);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    let character = text.charCodeAt(index);
    if (character < 0x80) {
      bytes[length++] = character;
      continue;
    }
    let code = basic[character] ?? 0;
    if (code === 0) {
      character = text.codePointAt(index) ?? 0;
      const isBeyond = character > 0xffff;
      if (isBeyond) index++;
      if (isBeyond && encoding === "gb18030") code = codeBeyond(character);
      else code = beyond.get(character) ?? 0;
      if (code === 0) throw unwritableError(character, encoding, action);
    }
    if (code > 0xffffff) bytes[length++] = code >>> 24;
    if (code > 0xffff) bytes[length++] = code >>> 16;
    if (code > 0xff) bytes[length++] = code >>> 8;
    bytes[length++] = code;
  }
  return bytes.slice(0, length);
}

function unwritableError(character: number, encoding: string, action: string): DomainError {
  const shown = String.fromCodePoint(character).toWellFormed();
  return new DomainError("invalid_body", `${action}: "${shown}" can't be written as ${encoding}`);
}

/** The code of each character: up to four bytes, packed into one number. 0: it has none. */
interface CodeTable {
  /** For characters below U+10000, by code point; ASCII maps to itself. */
  basic: Uint32Array;
  /** For those above. */
  beyond: Map<number, number>;
}

/** The first byte of three-byte characters in EUC-JP. */
const threeByteLead = 0x8f;

const tables = new Map<string, CodeTable>();

/**
 * Builds an encoder's table by inverting the platform's decoder: a text that was decoded encodes to
 * the same bytes. `iconv-lite` lacks code points that the decoder reads (9 Windows code pages, the
 * private area of Shift_JIS) and writes `～` of EUC-JP as JIS X 0212. Where several codes decode to one character, the usual one is used.
 *
 * @param encoding as `TextDecoder` calls it; not UTF-8, UTF-16 or "iso-2022-jp"
 */
function codeTableOf(encoding: string): CodeTable {
  let table = tables.get(encoding);
  if (!table) {
    table = makeTable(encoding);
    tables.set(encoding, table);
  }
  return table;
}

function makeTable(encoding: string): CodeTable {
  const table: CodeTable = { basic: new Uint32Array(0x10000), beyond: new Map() };
  for (const codes of candidates(encoding)) {
    for (const [code, character] of readAll(encoding, codes)) {
      if (character < 0x10000) table.basic[character] ||= code;
      else if (!table.beyond.has(character)) table.beyond.set(character, code);
    }
  }
  return table;
}

/** All codes that may be beyond ASCII, the usual ones first. */
function* candidates(encoding: string): Generator<number[]> {
  if (encoding !== "gb18030") yield range(0x80, 0x100);
  switch (encoding) {
    case "big5":
      // A few signs of the first rows are characters of later ones; Hong Kong's additions are below.
      return yield* [pairs(0xa4, 0xfe), pairs(0xa1, 0xa3), pairs(0x81, 0xa0)];
    case "shift_jis":
      // Two rows of NEC's repeat IBM's at the end.
      return yield* [pairs(0x81, 0xec), pairs(0xef, 0xfc), pairs(0xed, 0xee)];
    case "euc-jp":
      yield pairs(0x8e, 0xfe);
      return yield pairs(0xa1, 0xfe).map((pair) => threeByteLead * 0x10000 + pair);
    case "gbk":
    case "gb18030":
    case "euc-kr":
      yield pairs(0x81, 0xfe);
      if (encoding === "gb18030") yield range(0, 39_420).map(fourBytes);
  }
}

/** The code of a pointer in the linear part of GB 18030 (Encoding Standard, 10.1.1). */
function fourBytes(place: number): number {
  const [first, rest] = [Math.floor(place / 12_600), place % 12_600];
  const [second, last] = [Math.floor(rest / 1_260), rest % 1_260];
  const [third, fourth] = [Math.floor(last / 10), last % 10];
  return (0x81 + first) * 0x1000000 + (0x30 + second) * 0x10000 + (0x81 + third) * 0x100 +
    0x30 + fourth;
}

/** Where GB 18030 encodes the characters from U+10000 on. */
const beyondPlace = 189_000;

/** The code of a character above U+FFFF in GB 18030. */
function codeBeyond(character: number): number {
  return fourBytes(character - 0x10000 + beyondPlace);
}

/** No second byte is below 0x40. */
function pairs(firstLead: number, lastLead: number): number[] {
  const leads = range(firstLead, lastLead + 1);
  return leads.flatMap((lead) => range(lead * 0x100 + 0x40, lead * 0x100 + 0xff));
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** Decodes many codes at once, and keeps those that give one character. */
function* readAll(encoding: string, codes: number[]): Generator<[number, number]> {
  const bytes: number[] = [];
  for (const code of codes) bytes.push(...bytesOf(code), 0x0a);
  const lines = new TextDecoder(encoding, { ignoreBOM: true }).decode(Uint8Array.from(bytes))
    .split("\n");
  if (lines.length !== codes.length + 1) throw new Error(`Cannot turn "${encoding}" around`);
  for (const [index, code] of codes.entries()) {
    const character = lines[index]?.codePointAt(0);
    if (character === undefined || character === 0xfffd) continue;
    if (lines[index] === String.fromCodePoint(character)) yield [code, character];
  }
}

/** The bytes of a packed code, without leading zeros. */
function bytesOf(code: number): number[] {
  const bytes = [code >>> 24, (code >>> 16) & 0xff, (code >>> 8) & 0xff, code & 0xff];
  return bytes.slice(Math.max(0, Math.min(3, bytes.findIndex((byte) => byte !== 0))));
}
