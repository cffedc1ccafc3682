/**
 * The text of bytes whose encoding is not told: by their byte order mark, as UTF-8 when they are
 * that, else as the usual one of Windows.
 */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/**
 * The encoding of a text, by its first bytes.
 *
 * @param isCut the bytes are not all, so that the last character may be cut
 */
export function encodingOf(bytes: Uint8Array, isCut = false): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}
