import { readJpegHeader } from "../../images/jpeg_header.ts";
import { NoPreview } from "../../images/no_preview.ts";
import type { ByteSource } from "./byte_source.ts";
import { findTiffPictures, type TiffPart } from "./tiff.ts";

/** A JPEG picture in another file. */
export interface EmbeddedJpeg extends TiffPart {
  width: number;
  height: number;
  /** Orientation by the file around it, 1 to 8, which counts where the JPEG has no EXIF data. */
  orientation: number;
}

/** Bytes in which the header of a JPEG, with all its EXIF data and profiles, is looked for. */
const headBytes = 256 * 1024;
/** The largest JPEG that is read, in bytes. */
const maxBytes = 48 * 2 ** 20;
/** The part of a file that is searched for pictures without a directory, in bytes. */
const searchedBytes = 16 * 2 ** 20;
/** The most places that are looked at. */
const maxPlaces = 64;

/**
 * Finds the largest JPEG in a RAW file: cameras of all makers put one in, for their own screens.
 * TIFF files (CR2, NEF, ARW, DNG, RW2) have directories, as X3F has; RAF has a header. In others
 * (CR3, CRW, MRW) the first megabytes are searched.
 *
 * @returns null without one
 */
export function findEmbeddedJpeg(source: ByteSource): EmbeddedJpeg | null {
  const tiff = findTiffPictures(source);
  const orientation = tiff?.orientation ?? canonOrientation(source);
  const known = tiff?.parts ?? [...fujiPart(source), ...sigmaParts(source)];
  const found = largest(source, known, orientation);
  return found ?? largest(source, search(source), orientation);
}

/**
 * The JPEG's bytes, turned upright by an EXIF header of its own where only the file around it knows
 * the orientation.
 */
export function readEmbeddedJpeg(
  source: ByteSource,
  { offset, length, orientation }: EmbeddedJpeg,
): Uint8Array<ArrayBuffer> {
  const bytes = source.bytes(offset, Math.min(length, maxBytes));
  if (!isJpeg(bytes)) throw new NoPreview("it contains no picture");
  bytes[0] = 0xff;
  if (orientation === 1 || hasExif(bytes)) return bytes.slice();
  const header = orientationHeader(orientation);
  const turned = new Uint8Array(bytes.length + header.length);
  turned.set(bytes.subarray(0, 2));
  turned.set(header, 2);
  turned.set(bytes.subarray(2), 2 + header.length);
  return turned;
}

function largest(
  source: ByteSource,
  parts: readonly TiffPart[],
  orientation: number,
): EmbeddedJpeg | null {
  let best: EmbeddedJpeg | null = null;
  for (const part of parts.slice(0, maxPlaces)) {
    const head = source.bytes(part.offset, Math.min(part.length, headBytes));
    const size = isJpeg(head) && !isLossless(head) ? readJpegHeader(head) : null;
    if (!size || size.width * size.height <= (best ? best.width * best.height : 0)) continue;
    best = { ...part, width: size.width, height: size.height, orientation };
  }
  return best;
}

/** Places that look like the beginning of a JPEG. It ends by itself, wherever that is. */
function search(source: ByteSource): TiffPart[] {
  const bytes = source.bytes(0, searchedBytes);
  const parts: TiffPart[] = [];
  for (let at = bytes.indexOf(0xd8); at >= 0; at = bytes.indexOf(0xd8, at + 1)) {
    const offset = at - 1;
    if (offset < 0 || !isJpeg(bytes.subarray(offset, offset + 4))) continue;
    parts.push({ offset, length: source.size - offset });
    if (parts.length === maxPlaces) break;
  }
  return parts;
}

/** RAF: the place of the JPEG is in the header. */
function fujiPart(source: ByteSource): TiffPart[] {
  const magic = new TextDecoder().decode(source.bytes(0, 15));
  if (magic !== "FUJIFILMCCD-RAW" || source.size < 100) return [];
  const view = source.view(84, 8);
  const [offset, length] = [view.getUint32(0), view.getUint32(4)];
  return offset + length <= source.size ? [{ offset, length }] : [];
}

/** X3F: a directory at the end of the file lists sections, of which some are JPEG pictures. */
function sigmaParts(source: ByteSource): TiffPart[] {
  if (new TextDecoder().decode(source.bytes(0, 4)) !== "FOVb" || source.size < 100) return [];
  try {
    const directory = source.view(source.size - 4, 4).getUint32(0, true);
    const count = Math.min(source.view(directory + 8, 4).getUint32(0, true), maxPlaces);
    return Array.from({ length: count }, (_, index) => {
      const view = source.view(directory + 12 + index * 12, 12);
      const [offset, length] = [view.getUint32(0, true), view.getUint32(4, true)];
      return { offset: offset + sigmaHeadBytes, length: length - sigmaHeadBytes };
    }).filter(({ offset, length }) => length > 0 && offset + length <= source.size);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** The header of a section of X3F, in bytes. */
const sigmaHeadBytes = 28;

/** CR3: the first of Canon's boxes is a TIFF header with the orientation. */
function canonOrientation(source: ByteSource): number {
  const start = source.bytes(0, 64 * 1024);
  const [c, m, t, one] = new TextEncoder().encode("CMT1");
  for (let at = start.indexOf(0x43); at >= 0; at = start.indexOf(0x43, at + 1)) {
    const isBox = start[at] === c && start[at + 1] === m && start[at + 2] === t &&
      start[at + 3] === one;
    if (isBox) return findTiffPictures(source, at + 4)?.orientation ?? 1;
  }
  return 1;
}

/** Minolta has another first byte in front of its pictures, which begin with a table. */
function isJpeg(bytes: Uint8Array): boolean {
  return bytes[1] === 0xd8 && bytes[2] === 0xff && (bytes[0] === 0xff || bytes[3] === 0xdb);
}

/** Sensor data of some cameras are lossless JPEG, which no decoder of pictures reads. */
function isLossless(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = view.getUint16(at);
    if (marker === 0xffc3) return true;
    if (marker < 0xff01 || marker === 0xffda || isBaseline(marker)) return false;
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return false;
}

function isBaseline(marker: number): boolean {
  return marker >= 0xffc0 && marker <= 0xffc2;
}

function hasExif(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 2; at + 10 <= bytes.length;) {
    const marker = view.getUint16(at);
    if (marker === 0xffe1 && view.getUint32(at + 4) === 0x45786966) return true;
    if (marker < 0xffe0 || marker > 0xffef) return false;
    at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return false;
}

/** An EXIF segment with the orientation alone. */
function orientationHeader(orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation];
  const body = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff, 0, 0, 0, 0, 0, 0];
  return new Uint8Array([0xff, 0xe1, 0, body.length + 2, ...body]);
}
