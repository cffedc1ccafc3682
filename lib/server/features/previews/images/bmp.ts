import { NoPreview, tooLarge, unreadable } from "./no_preview.ts";
import type { Pixels } from "./picture.ts";

/** Every pixel is in memory twice: a lower limit than that of other formats. */
const maxPixels = 25_000_000;

/** Fields of the headers. */
interface Header {
  width: number;
  /** Number of rows, in either order. */
  height: number;
  /** The first row in the file is the top one, which is unusual. */
  isTopDown: boolean;
  bitsPerPixel: number;
  /** Offset of the first row. */
  start: number;
  /** Colour table as red, green, blue; for up to 8 bits a pixel. */
  palette: Uint8Array;
  /** Bit masks of red, green, blue and opacity; for 16 and 32 bits a pixel. */
  masks: [number, number, number, number];
}

/**
 * Decodes a Windows bitmap: uncompressed, of any depth. Neither libvips nor the portable decoders
 * support it.
 *
 * @throws NoPreview
 */
export function decodeBmp(bytes: Uint8Array): Pixels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readHeader(bytes, view);
  const { width, height, isTopDown, bitsPerPixel, start } = header;
  const stride = Math.ceil(width * bitsPerPixel / 32) * 4;
  if (start + stride * height > bytes.length) throw new NoPreview(unreadable);

  const colours = coloursOf(header);
  const pixels = new Uint8Array(width * height * 4);
  const target = new DataView(pixels.buffer);
  for (let row = 0; row < height; row++) {
    const from = start + stride * (isTopDown ? row : height - 1 - row);
    const to = row * width * 4;
    for (let column = 0; column < width; column++) {
      target.setUint32(to + column * 4, colours(view, from, column));
    }
  }
  return { bytes: pixels, width, height };
}

/** https://learn.microsoft.com/windows/win32/gdi/bitmap-storage */
function readHeader(bytes: Uint8Array, view: DataView): Header {
  const infoStart = 14;
  const [minLength, withMasks, withOpacity] = [40, 52, 56];
  if (bytes.length < infoStart + minLength) throw new NoPreview(unreadable);
  const infoLength = view.getUint32(infoStart, true);
  const width = view.getInt32(18, true);
  const height = view.getInt32(22, true);
  const bitsPerPixel = view.getUint16(28, true);
  const compression = view.getUint32(30, true);
  const [none, bitFields] = [0, 3];
  const hasFields = compression === bitFields && (bitsPerPixel === 16 || bitsPerPixel === 32);
  const isPlain = compression === none && [1, 4, 8, 16, 24, 32].includes(bitsPerPixel);
  if (infoLength < minLength || width <= 0 || height === 0 || !(hasFields || isPlain)) {
    throw new NoPreview(unreadable);
  }
  if (width * Math.abs(height) > maxPixels) throw new NoPreview(tooLarge);

  const paletteStart = infoStart + infoLength;
  const mask = (offset: number) => view.byteLength >= offset + 4 ? view.getUint32(offset, true) : 0;
  const opacity = infoLength >= withOpacity ? mask(66) : 0;
  return {
    ...{ width, height: Math.abs(height), isTopDown: height < 0, bitsPerPixel },
    start: view.getUint32(10, true),
    palette: bytes.subarray(paletteStart, paletteStart + 4 * 2 ** Math.min(8, bitsPerPixel)),
    masks: hasFields && (infoLength >= withMasks || infoLength === minLength)
      ? [mask(54), mask(58), mask(62), opacity]
      : plainMasks(bitsPerPixel),
  };
}

function plainMasks(bitsPerPixel: number): Header["masks"] {
  return bitsPerPixel === 16 ? [0x7c00, 0x03e0, 0x001f, 0] : [0xff0000, 0xff00, 0xff, 0];
}

/** Reads one pixel of a row: red, green, blue and opacity in one number. */
type ColourReader = (view: DataView, row: number, column: number) => number;

function coloursOf({ bitsPerPixel, palette, masks }: Header): ColourReader {
  if (bitsPerPixel === 24) {
    return (view, row, column) => {
      const at = row + column * 3;
      const [blue, green, red] = [view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2)];
      return (red << 24 | green << 16 | blue << 8 | 0xff) >>> 0;
    };
  }
  if (bitsPerPixel > 8) {
    const [red, green, blue, opacity] = masks.map(partReader);
    if (!red || !green || !blue || !opacity) throw new NoPreview(unreadable);
    return (view, row, column) => {
      const pixel = bitsPerPixel === 16
        ? view.getUint16(row + column * 2, true)
        : view.getUint32(row + column * 4, true);
      const solid = masks[3] === 0 ? 0xff : opacity(pixel);
      return (red(pixel) << 24 | green(pixel) << 16 | blue(pixel) << 8 | solid) >>> 0;
    };
  }
  const lowest = 2 ** bitsPerPixel - 1;
  return (view, row, column) => {
    const bit = column * bitsPerPixel;
    const index = view.getUint8(row + (bit >> 3)) >> (8 - bitsPerPixel - (bit & 7)) & lowest;
    const [blue = 0, green = 0, red = 0] = palette.subarray(index * 4);
    return (red << 24 | green << 16 | blue << 8 | 0xff) >>> 0;
  };
}

/** Scales the masked part of a pixel to 0 to 255. */
function partReader(mask: number): (pixel: number) => number {
  const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
  const max = mask >>> shift;
  return (pixel) => max === 0 ? 0 : Math.round(((pixel & mask) >>> shift) * 255 / max);
}
