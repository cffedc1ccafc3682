/** The first bytes of an AppleDouble file (RFC 1740, appendix B). */
export const appleDouble = new Uint8Array([0, 5, 22, 7]);

/** The version that follows them, which macOS writes. */
const version = 0x0002_0000;

/** Bytes of an AppleDouble file before the list of its parts, and of each of these in the list. */
const headBytes = 26;
const partBytes = 12;

/** Most parts of an AppleDouble file: there are fifteen kinds. */
const maxParts = 15;

/** The most bytes that hold the list of the parts. */
export const maxListBytes = headBytes + maxParts * partBytes;

/** The kinds of parts that macOS writes. */
const resourceFork = 2;
const finderInfo = 9;

/** Bytes of what Finder itself keeps about an entry; attributes may follow. */
const infoBytes = 32;

/** The resource fork that macOS writes where there is none: a header, then a map of no resources. */
const blankForkBytes = 286;
const blankText = "This resource fork intentionally left blank";

/** Most bytes of such a fork, whoever wrote it. */
const maxBlankBytes = 512;

/** The header of the attributes: "ATTR", and the bytes before the list. */
const attributesStart = 0x4154_5452;
const attributesBytes = 36;
const maxAttributes = 64;

/** Bytes of an attribute in the list before its name. */
const attributeBytes = 11;

/**
 * Attributes that say nothing once the file is gone. macOS sets them by itself: from where and when
 * it was downloaded, which program may open it, when that was last, its encoding, and that it is a
 * screenshot. What people or programs write is none of them: tags, comments, keywords, ratings.
 */
const worthless = new Set([
  "com.apple.quarantine",
  "com.apple.provenance",
  "com.apple.macl",
  "com.apple.lastuseddate#PS",
  "com.apple.TextEncoding",
  "com.apple.metadata:kMDItemWhereFroms",
  "com.apple.metadata:kMDItemDownloadedDate",
  "com.apple.metadata:kMDItemIsScreenCapture",
  "com.apple.metadata:kMDItemScreenCaptureType",
  "com.apple.metadata:kMDItemScreenCaptureGlobalRect",
]);

/** A part of an AppleDouble file. */
interface Part {
  kind: number;
  /** From the start of the file. */
  offset: number;
  length: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The parts of an AppleDouble file.
 *
 * @param start its first {@linkcode maxListBytes}, or all of it
 * @returns null when it is none, or is cut short
 */
function partsOf(start: Bytes, size: number): Part[] | null {
  if (start.length < headBytes || !beginsWith(start, appleDouble)) return null;
  const view = viewOf(start);
  const count = view.getUint16(headBytes - 2);
  if (count === 0 || count > maxParts) return null;
  if (start.length < headBytes + count * partBytes) return null;
  const parts = Array.from({ length: count }, (_, index) => {
    const at = headBytes + index * partBytes;
    return {
      kind: view.getUint32(at),
      offset: view.getUint32(at + 4),
      length: view.getUint32(at + 8),
    };
  });
  return parts.every(({ offset, length }) => offset + length <= size) ? parts : null;
}

/**
 * Whether an AppleDouble file is whole and holds no resource fork.
 *
 * @param start as of {@linkcode partsOf}
 * @param read reads a range of the file; null where it is shorter
 */
export function lacksFork(
  start: Bytes,
  size: number,
  read: (offset: number, length: number) => Bytes | null,
): boolean {
  const isBlank = ({ offset, length }: Part) => {
    const fork = length <= maxBlankBytes ? read(offset, length) : null;
    return fork !== null && textOf(fork).includes(blankText);
  };
  return partsOf(start, size)?.every((part) =>
    part.kind !== resourceFork || part.length === 0 || isBlank(part)
  ) ?? false;
}

/**
 * Whether an AppleDouble file is as macOS writes it, and holds nothing that is worth anything without
 * the entry that it belongs to: no resource fork, no tags, no type or colour, no attributes but those
 * that macOS sets by itself. What it does not know is of worth.
 */
export function isWorthless(file: Bytes): boolean {
  const parts = partsOf(file, file.length);
  if (!parts || viewOf(file).getUint32(4) !== version) return false;
  let end = headBytes + parts.length * partBytes;
  for (const part of parts.toSorted((a, b) => a.offset - b.offset)) {
    // Nothing lies between the parts, or behind them.
    if (part.offset !== end || !isWorthlessPart(file, part)) return false;
    end += part.length;
  }
  return end === file.length;
}

function isWorthlessPart(file: Bytes, { kind, offset, length }: Part): boolean {
  if (kind === resourceFork) {
    return length === 0 || isBlankFork(file.subarray(offset, offset + length));
  }
  return kind === finderInfo && isBlankInfo(file, offset, offset + length);
}

/** A fork without resources: no data, a map that lists no type, and a text that says so. */
function isBlankFork(fork: Bytes): boolean {
  if (fork.length !== blankForkBytes) return false;
  const view = viewOf(fork);
  const [dataAt, mapAt, dataBytes, mapBytes] = [0, 4, 8, 12].map((at) => view.getUint32(at));
  const isEmpty = dataAt === 256 && mapAt === 256 && dataBytes === 0 && mapBytes === 30 &&
    // The number of types, less one.
    view.getUint16(blankForkBytes - 2) === 0xffff;
  return isEmpty && textOf(fork.subarray(16, 256)).replaceAll("\0", " ").trimEnd() === blankText;
}

/** Whether Finder keeps nothing, and the attributes behind it are worthless. */
function isBlankInfo(file: Bytes, offset: number, end: number): boolean {
  const after = offset + infoBytes;
  if (end < after || !file.subarray(offset, after).every(isZero)) return false;
  // Two bytes align the attributes.
  return file.subarray(after, end).every(isZero) || hasWorthlessAttributes(file, after + 2, end);
}

/** @param at where their header begins; it counts from the start of the file as well */
function hasWorthlessAttributes(file: Bytes, at: number, end: number): boolean {
  const view = viewOf(file);
  if (at + attributesBytes > end || view.getUint32(at) !== attributesStart) return false;
  const [total, data] = [view.getUint32(at + 8), view.getUint32(at + 12)];
  const count = view.getUint16(at + attributesBytes - 2);
  if (total > end || data > total || count > maxAttributes) return false;
  let next = at + attributesBytes;
  for (let index = 0; index < count; index++) {
    const nameAt = next + attributeBytes;
    if (nameAt > data) return false;
    const [valueAt, valueBytes] = [view.getUint32(next), view.getUint32(next + 4)];
    const nameBytes = view.getUint8(nameAt - 1);
    const nameEnd = nameAt + nameBytes;
    if (nameEnd > data || valueAt < data || valueAt + valueBytes > total) return false;
    const name = textOf(file.subarray(nameAt, nameEnd));
    if (!name.endsWith("\0") || !worthless.has(name.slice(0, -1))) return false;
    // Each begins at a multiple of four.
    next += (attributeBytes + nameBytes + 3) & ~3;
  }
  return true;
}

/** Whether bytes begin with others. */
export function beginsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => byte === bytes[index]);
}

function isZero(byte: number): boolean {
  return byte === 0;
}

function viewOf({ buffer, byteOffset, byteLength }: Bytes): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** One character a byte. */
function textOf(bytes: Bytes): string {
  return new TextDecoder("latin1").decode(bytes);
}
