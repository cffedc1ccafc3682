/** The encodings that `TextDecoder` lacks. */
const wide = new Set(["utf-32le", "utf-32be"]);

/** Whether an encoding is one of UTF-32, which the platform neither reads nor writes. */
export function isUtf32(encoding: string): boolean {
  return wide.has(encoding);
}

/**
 * Makes a decoder for text that arrives in parts, as `TextDecoder` with `ignoreBOM` does: invalid
 * bytes become U+FFFD, and a byte order mark is a character. It knows UTF-32, too.
 *
 * @param encoding as `TextDecoder` calls it, or "utf-32le" and "utf-32be"
 */
export function decoderOf(encoding: string): Pick<TextDecoder, "decode"> {
  if (!isUtf32(encoding)) return new TextDecoder(encoding, { ignoreBOM: true });
  return new Utf32Decoder(encoding === "utf-32le");
}

const [replacement, lastCharacter, firstSurrogate, lastSurrogate] = [
  0xfffd,
  0x10ffff,
  0xd800,
  0xdfff,
];

/** Characters that become a string at a time: each is an argument. */
const stride = 4096;

class Utf32Decoder {
  readonly #isLittle: boolean;
  /** A character that the end of a part has cut. */
  #rest = new Uint8Array();

  constructor(isLittle: boolean) {
    this.#isLittle = isLittle;
  }

  decode(part: Uint8Array = new Uint8Array(), { stream = false }: TextDecodeOptions = {}): string {
    const bytes = new Uint8Array(this.#rest.length + part.length);
    bytes.set(this.#rest);
    bytes.set(part, this.#rest.length);
    const end = bytes.length - bytes.length % 4;
    this.#rest = stream ? bytes.slice(end) : new Uint8Array();
    const view = new DataView(bytes.buffer);
    let text = "";
    for (let start = 0; start < end; start += 4 * stride) {
      const codes: number[] = [];
      for (let at = start; at < Math.min(end, start + 4 * stride); at += 4) {
        const code = view.getUint32(at, this.#isLittle);
        const isCharacter = code <= lastCharacter &&
          !(code >= firstSurrogate && code <= lastSurrogate);
        codes.push(isCharacter ? code : replacement);
      }
      text += String.fromCodePoint(...codes);
    }
    return !stream && end < bytes.length ? text + String.fromCodePoint(replacement) : text;
  }
}
