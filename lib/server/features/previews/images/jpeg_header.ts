/** Fields of a JPEG header. */
export interface JpegHeader {
  width: number;
  height: number;
  /** Orientation, 1 to 8 (EXIF, tag 0x0112); 1 is upright. */
  orientation: number;
}

/** Reads the header of a JPEG, past EXIF data that are broken; null without one. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let orientation = 1;
  // Whatever lies between two segments is left out, as decoders do.
  for (let at = 2; (at = bytes.indexOf(0xff, at)) >= 0 && at + 10 <= bytes.length;) {
    const marker = view.getUint16(at);
    if (!hasLength(marker)) {
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (isFrame(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), orientation };
    }
    const [application1, exif] = [0xffe1, 0x45786966];
    if (marker === application1 && view.getUint32(at + 4) === exif) {
      orientation = orientationIn(bytes.subarray(at + 10, at + 2 + length));
    }
    at += 2 + Math.max(2, length);
  }
  return null;
}

/** Whether a marker begins a segment: it is no byte of data, and does not stand alone. */
function hasLength(marker: number): boolean {
  return marker >= 0xffc0 && marker < 0xffff && !(marker >= 0xffd0 && marker <= 0xffd8);
}

/** A start-of-frame marker; three markers in the range mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
}

/** The orientation in EXIF data; upright where they are broken. */
function orientationIn(bytes: Uint8Array): number {
  try {
    return readOrientation(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** Reads the first directory of EXIF data, which has the layout of a TIFF file. */
function readOrientation(view: DataView): number {
  const little = view.getUint16(0) === 0x4949;
  const start = view.getUint32(4, little);
  const count = view.getUint16(start, little);
  for (let index = 0; index < count; index++) {
    const entry = start + 2 + index * 12;
    if (view.getUint16(entry, little) !== 0x0112) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
