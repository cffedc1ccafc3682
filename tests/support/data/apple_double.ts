/** AppleDouble files (RFC 1740, appendix B), as macOS writes them beside others. */

/** Kinds of the parts of such a file. */
export const [resourceFork, finderInfo] = [2, 9];

/** A part of such a file. */
interface Part {
  kind: number;
  bytes: Uint8Array;
}

/** The resource fork that macOS writes where there is none: a header, and a map of no types. */
export const blankFork: Part = { kind: resourceFork, bytes: new Uint8Array(286) };
{
  const view = new DataView(blankFork.bytes.buffer);
  for (const at of [0, 256]) {
    for (const [index, value] of [256, 256, 0, 30].entries()) view.setUint32(at + index * 4, value);
  }
  for (const [index, value] of [28, 30, 0xffff].entries()) view.setUint16(280 + index * 2, value);
  const text = "This resource fork intentionally left blank   ";
  blankFork.bytes.set(new TextEncoder().encode(text), 16);
}

/**
 * Finder info of nothing, with extended attributes behind it. It has to be the first of two parts.
 *
 * @param attributes their values by their names
 */
export function infoWith(attributes: Readonly<Record<string, string>>): Part {
  // The file before it, and what Finder itself keeps, aligned.
  const [start, header] = [50, 50 + 34];
  const list = Object.entries(attributes).map(([name, value]) => ({
    name: new TextEncoder().encode(`${name}\0`),
    value: new TextEncoder().encode(value),
  }));
  const lengthOf = (name: Uint8Array) => (11 + name.length + 3) & ~3;
  const data = list.reduce((sum, { name }) => sum + lengthOf(name), header + 36);
  const end = list.reduce((sum, { value }) => sum + value.length, data);
  const file = new Uint8Array(end);
  const view = new DataView(file.buffer);
  view.setUint32(header, 0x4154_5452);
  view.setUint32(header + 8, end);
  view.setUint32(header + 12, data);
  view.setUint32(header + 16, end - data);
  view.setUint16(header + 34, list.length);
  let [at, valueAt] = [header + 36, data];
  for (const { name, value } of list) {
    view.setUint32(at, valueAt);
    view.setUint32(at + 4, value.length);
    view.setUint8(at + 10, name.length);
    file.set(name, at + 11);
    file.set(value, valueAt);
    at += lengthOf(name);
    valueAt += value.length;
  }
  return { kind: finderInfo, bytes: file.slice(start) };
}

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
