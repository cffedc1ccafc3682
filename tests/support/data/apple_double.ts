/** AppleDouble files (RFC 1740, appendix B), as macOS writes them beside others. */

/** Kinds of the parts of such a file. */
export const [resourceFork, finderInfo] = [2, 9];

/** A part of such a file. */
interface Part {
  kind: number;
  bytes: Uint8Array;
}

/** The resource fork that macOS writes where there is none. */
export const blankFork: Part = { kind: resourceFork, bytes: new Uint8Array(286) };
blankFork.bytes.set(new TextEncoder().encode("This resource fork intentionally left blank   "), 20);

/** An AppleDouble file of these parts. */
export function appleDouble(
  parts: readonly Part[] = [{ kind: finderInfo, bytes: new Uint8Array(32) }, blankFork],
): Uint8Array<ArrayBuffer> {
  const start = 26 + parts.length * 12;
  const file = new Uint8Array(parts.reduce((sum, { bytes }) => sum + bytes.length, start));
  const view = new DataView(file.buffer);
  view.setUint32(0, 0x0005_1607);
  view.setUint32(4, 0x0002_0000);
  file.set(new TextEncoder().encode("Mac OS X        "), 8);
  view.setUint16(24, parts.length);
  let offset = start;
  for (const [index, { kind, bytes }] of parts.entries()) {
    const at = 26 + index * 12;
    for (const [field, value] of [kind, offset, bytes.length].entries()) {
      view.setUint32(at + field * 4, value);
    }
    file.set(bytes, offset);
    offset += bytes.length;
  }
  return file;
}
