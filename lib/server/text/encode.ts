import { DomainError } from "../../shared/errors.ts";
import { codeBeyond, codeTableOf } from "./code_table.ts";

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
