import { orientationIn } from "../../../../shared/exif_orientation.ts";

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
