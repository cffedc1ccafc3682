import { decodeBmp } from "./bmp.ts";
import { decodeHeif } from "./heif_decoder.ts";
import { readJpegHeader } from "./jpeg_header.ts";
import { NoPreview, tooLarge, unreadable } from "./no_preview.ts";
import type { EncodedPicture, Pixels } from "./picture.ts";

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
export async function decodePortably(picture: EncodedPicture, minSide: number): Promise<Pixels> {
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
