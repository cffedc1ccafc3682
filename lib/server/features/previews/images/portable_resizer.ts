import { encode } from "jpeg-js";
import { readJpegHeader } from "./jpeg_header.ts";
import { cellsOf } from "./folder_cover.ts";
import { NoPreview, tooLarge, unreadable } from "./no_preview.ts";
import type { EncodedPicture, Pixels } from "./picture.ts";
import { type PreviewSize, shapes, squareSide } from "./preview.ts";
import { hashSide, type Resizer } from "./resizer.ts";
import { decodeBmp } from "./bmp.ts";
import { decodeHeif } from "./heif_decoder.ts";
import { orientationIn } from "../../../../shared/exif_orientation.ts";

const quality = 80;

/**
 * Decodes in WebAssembly and JavaScript: slow, but works on every system. Supports JPEG, PNG, GIF,
 * HEIC and bitmaps; always makes JPEG.
 */
export function openPortableResizer(): Resizer {
  return {
    name: "imagescript: native decoders do not load here",
    async resize(picture, size) {
      try {
        const upright = turn(await shrunk(picture, size), orientationOf(picture));
        const { bytes, width, height } = blendWithWhite(
          shapes[size].isSquare
            ? square(upright, squareSide(size, upright), picture.isPage)
            : upright,
        );
        return new Uint8Array(encode({ data: bytes, width, height }, quality).data);
      } catch (error) {
        throw error instanceof NoPreview ? error : new NoPreview(unreadable);
      }
    },
    async compose(pictures, size) {
      const { side } = shapes[size];
      const cover = { bytes: new Uint8Array(side * side * 4).fill(255), width: side, height: side };
      for (const [index, cell] of cellsOf(pictures.length, side).entries()) {
        const picture = pictures[index];
        if (picture) paste(cover, square(await decodePortably(picture, side), side), cell);
      }
      return new Uint8Array(encode({ ...cover, data: cover.bytes }, quality).data);
    },
    async tiny(preview) {
      return square(shrink(await decodePortably(preview, hashSide), hashSide), hashSide);
    },
  };
}

async function shrunk(picture: EncodedPicture, size: PreviewSize): Promise<Pixels> {
  const { side, isSquare, width: most } = shapes[size];
  const pixels = await decodePortably(picture, side);
  const { width, height } = pixels;
  // For a thumbnail the shorter side counts: the rest is cropped.
  const long = Math.max(width, height) / Math.min(width, height);
  const ratio = isSquare ? long : Math.min(most / side, width > height ? width / height : 1);
  return shrink(pixels, Math.ceil(side * ratio));
}

function orientationOf({ kind, bytes }: EncodedPicture): number {
  if (kind === "jpeg") return readJpegHeader(bytes)?.orientation ?? 1;
  return kind === "png" ? pngOrientation(bytes) : 1;
}

/** The orientation by the chunk of a PNG that has EXIF data, 1 to 8. */
function pngOrientation(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const exif = 0x65584966;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    if (view.getUint32(at + 4) !== exif) continue;
    return orientationIn(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  return 1;
}

/** All pixels are in memory several times; a photograph of 24 megapixels is accepted. */
const maxPixels = 25_000_000;

/** One of imagescript's decoders; each instance has its own memory, freed with it. */
interface Decoder<Instance> {
  init(): Promise<Instance>;
}

interface PngDecoder {
  decode(bytes: Uint8Array): { width: number; height: number; framebuffer: Uint8Array };
}

interface JpegDecoder {
  /** Decodes at 1/8, 1/4, 1/2 or full size: not below the given one. */
  decode(bytes: Uint8Array, width: number, height: number): {
    width: number;
    height: number;
    /** 0 is grey, 1 is red, green, blue, 2 is cyan, magenta, yellow, black. */
    format: number;
    buffer: Uint8Array;
  };
}

interface GifDecoder {
  Decoder: new (bytes: Uint8Array) => { width: number; height: number; frame(): GifFrame | null };
}

interface GifFrame {
  x: number;
  y: number;
  width: number;
  height: number;
  buffer: Uint8Array;
}

/**
 * Decodes JPEG, PNG, GIF, HEIC and bitmaps in WebAssembly and JavaScript. Bypasses the package's
 * main module, which loads native code.
 *
 * @param minSide minimum length of the shorter side after scaling, in pixels
 * @throws NoPreview, and errors of the decoders
 */
async function decodePortably(picture: EncodedPicture, minSide: number): Promise<Pixels> {
  if (picture.kind === "bmp") return decodeBmp(picture.bytes);
  if (picture.kind === "heif") return await decodeHeif(picture.bytes);
  const [width, height] = claimedSize(picture);
  if (width * height > maxPixels) throw new NoPreview(tooLarge);
  switch (picture.kind) {
    case "jpeg":
      return await decodeJpeg(picture.bytes, minSide / Math.min(width, height), width, height);
    case "png":
      return await decodePng(picture.bytes);
    default:
      return await decodeGif(picture.bytes);
  }
}

/** Read from the headers: a decoder would allocate the memory first. */
function claimedSize({ kind, bytes }: EncodedPicture): [width: number, height: number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = kind === "jpeg" ? readJpegHeader(bytes) : null;
  if (header) return [header.width, header.height];
  if (kind === "png" && bytes.length > 24) return [view.getUint32(16), view.getUint32(20)];
  if (kind === "gif" && bytes.length > 10) {
    return [view.getUint16(6, true), view.getUint16(8, true)];
  }
  throw new NoPreview(unreadable);
}

async function decodeJpeg(
  bytes: Uint8Array,
  scale: number,
  fullWidth: number,
  fullHeight: number,
): Promise<Pixels> {
  const { default: library } = await import("imagescript/wasm/node/jpeg.js");
  const decoder = await (library as Decoder<JpegDecoder>).init();
  const wanted = [fullWidth, fullHeight].map((side) => Math.ceil(side * Math.min(1, scale)));
  const [minWidth = 1, minHeight = 1] = wanted;
  const { width, height, format, buffer } = decoder.decode(bytes, minWidth, minHeight);
  const colours = coloursOf(format);
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let index = 0; index < width * height; index++) colours(buffer, pixels, index);
  return { bytes: pixels, width, height };
}

type ColourCopy = (from: Uint8Array, to: Uint8Array, index: number) => void;

function coloursOf(format: number): ColourCopy {
  if (format === 0) return (from, to, index) => to.fill(from[index] ?? 0, index * 4, index * 4 + 3);
  if (format === 1) {
    return (from, to, index) => {
      for (let part = 0; part < 3; part++) to[index * 4 + part] = from[index * 3 + part] ?? 0;
    };
  }
  return (from, to, index) => {
    const light = 255 - (from[index * 4 + 3] ?? 0);
    for (let part = 0; part < 3; part++) {
      to[index * 4 + part] = (255 - (from[index * 4 + part] ?? 0)) * light / 255;
    }
  };
}

async function decodePng(bytes: Uint8Array): Promise<Pixels> {
  const { default: library } = await import("imagescript/wasm/node/png.js");
  const decoder = await (library as Decoder<PngDecoder>).init();
  const { width, height, framebuffer } = decoder.decode(bytes);
  return { bytes: new Uint8Array(framebuffer), width, height };
}

/** The first frame, at its position on the canvas. */
async function decodeGif(bytes: Uint8Array): Promise<Pixels> {
  const { default: library } = await import("imagescript/wasm/node/gif.js");
  const decoder = new (await (library as Decoder<GifDecoder>).init()).Decoder(bytes);
  const { width, height } = decoder;
  const frame = decoder.frame();
  if (!frame || width * height > maxPixels) throw new NoPreview(unreadable);
  const pixels = new Uint8Array(width * height * 4);
  const columns = Math.min(frame.width, width - frame.x);
  for (let row = 0; row < Math.min(frame.height, height - frame.y) && columns > 0; row++) {
    const start = row * frame.width * 4;
    const line = frame.buffer.subarray(start, start + columns * 4);
    pixels.set(line, ((frame.y + row) * width + frame.x) * 4);
  }
  return { bytes: pixels, width, height };
}

/**
 * Scales a picture down: every new pixel is the mean of the old ones that it covers, weighted by
 * opacity. Never enlarges.
 *
 * @param side the longest side of the result, in pixels
 */
function shrink(picture: Pixels, side: number): Pixels {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  if (scale === 1) return picture;
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const bytes = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    const rows = span(row, height, picture.height);
    for (let column = 0; column < width; column++) {
      const columns = span(column, width, picture.width);
      setMean(bytes, (row * width + column) * 4, picture, rows, columns);
    }
  }
  return { bytes, width, height };
}

type Span = [from: number, to: number];

/** The old rows or columns that a new one covers; at least one. */
function span(index: number, count: number, oldCount: number): Span {
  const from = Math.floor(index * oldCount / count);
  return [from, Math.max(from + 1, Math.floor((index + 1) * oldCount / count))];
}

function setMean(
  target: Uint8Array,
  at: number,
  { bytes, width }: Pixels,
  [top, bottom]: Span,
  [left, right]: Span,
): void {
  let [red, green, blue, solid] = [0, 0, 0, 0];
  for (let row = top; row < bottom; row++) {
    const end = (row * width + right) * 4;
    for (let from = (row * width + left) * 4; from < end; from += 4) {
      const opacity = bytes[from + 3] ?? 0;
      red += (bytes[from] ?? 0) * opacity;
      green += (bytes[from + 1] ?? 0) * opacity;
      blue += (bytes[from + 2] ?? 0) * opacity;
      solid += opacity;
    }
  }
  if (solid === 0) return;
  target[at] = red / solid;
  target[at + 1] = green / solid;
  target[at + 2] = blue / solid;
  target[at + 3] = solid / ((bottom - top) * (right - left));
}

/**
 * Rotates a picture upright.
 *
 * @param orientation EXIF value, 1 to 8
 */
function turn(picture: Pixels, orientation: number): Pixels {
  if (orientation === 1) return picture;
  const { width, height } = picture;
  const isLying = orientation >= 5;
  const [newWidth, newHeight] = isLying ? [height, width] : [width, height];
  return map(picture, newWidth, newHeight, (column, row) => {
    const [x, y] = isLying ? [row, column] : [column, row];
    const isFlipped = [2, 3, 7, 8].includes(orientation);
    const isUpsideDown = [3, 4, 6, 7].includes(orientation);
    return (isUpsideDown ? height - 1 - y : y) * width + (isFlipped ? width - 1 - x : x);
  });
}

/**
 * Crops a square, padding it where the picture has less.
 *
 * @param isPage takes the top of a high picture rather than the centre, and a wide one whole,
 * between transparent strips
 */
function square(picture: Pixels, side: number, isPage = false): Pixels {
  const { width, height } = picture;
  const cut = isPage ? width : Math.min(width, height);
  const middle = (height - cut) >> 1;
  const [left, top] = [(width - cut) >> 1, isPage ? Math.min(middle, 0) : middle];
  const old = (index: number) => Math.floor(index * cut / side);
  return map(picture, side, side, (column, row) => (top + old(row)) * width + left + old(column));
}

/** Fills a rectangle of a picture with the middle of a square one, scaled to its longer side. */
function paste(
  target: Pixels,
  { bytes, width: side }: Pixels,
  cell: { left: number; top: number; width: number; height: number },
): void {
  const { left, top, width, height } = cell;
  const scale = side / Math.max(width, height);
  const [skipLeft, skipTop] = [width, height].map((length) => (side - length * scale) / 2);
  const from = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const to = new Uint32Array(target.bytes.buffer, target.bytes.byteOffset, target.bytes.length / 4);
  for (let row = 0; row < height; row++) {
    const oldRow = Math.floor((skipTop ?? 0) + row * scale);
    for (let column = 0; column < width; column++) {
      const oldColumn = Math.floor((skipLeft ?? 0) + column * scale);
      to[(top + row) * target.width + left + column] = from[oldRow * side + oldColumn] ?? 0;
    }
  }
}

/** Blends transparent pixels with white, for formats without opacity. */
function blendWithWhite(picture: Pixels): Pixels {
  const bytes = new Uint8Array(picture.bytes);
  for (let at = 0; at < bytes.length; at += 4) {
    const opacity = bytes[at + 3] ?? 0;
    for (let part = at; part < at + 3; part++) {
      bytes[part] = Math.round(((bytes[part] ?? 0) * opacity + 255 * (255 - opacity)) / 255);
    }
    bytes[at + 3] = 255;
  }
  return { ...picture, bytes };
}

/** A rearranged picture: each pixel is one of the old ones. */
function map(
  picture: Pixels,
  width: number,
  height: number,
  source: (column: number, row: number) => number,
): Pixels {
  const { bytes } = picture;
  const from = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const to = new Uint32Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      to[row * width + column] = from[source(column, row)] ?? 0;
    }
  }
  return { bytes: new Uint8Array(to.buffer), width, height };
}
