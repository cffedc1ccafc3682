import { GIF, Image } from "imagescript";
import { decodeBmp } from "./bmp.ts";
import { readJpegHeader } from "./jpeg_header.ts";
import { NoPreview, tooLarge, unreadable } from "./no_preview.ts";
import type { EncodedPicture, Pixels } from "./picture.ts";
import { onWhite, shrink, square, turn } from "./pixel_work.ts";
import { type PreviewSize, sides } from "./preview.ts";
import type { Resizer } from "./resizer.ts";

/** It takes some forty bytes a pixel; a photograph of 24 megapixels is let through. */
const mostPixels = 25_000_000;
const quality = 80;

/**
 * Decodes in WebAssembly and JavaScript: slow and hungry, but at home on every system. It takes
 * JPEG, PNG, GIF and bitmaps, and makes JPEG whatever is wanted.
 */
export function openPortableResizer(): Resizer {
  return {
    name: "imagescript (no native decoders on this system)",
    // The memory of WebAssembly never shrinks.
    hoards: true,
    async resize(picture, size) {
      try {
        const upright = turn(await shrunk(picture, size), orientationOf(picture));
        const cut = size === "thumb" ? square(upright, sides.thumb) : upright;
        return new Uint8Array(await imageOf(onWhite(cut)).encodeJPEG(quality));
      } catch (error) {
        throw error instanceof NoPreview ? error : new NoPreview(unreadable);
      }
    },
  };
}

async function shrunk(picture: EncodedPicture | Pixels, size: PreviewSize): Promise<Pixels> {
  const pixels = await decode(picture);
  const { width, height } = pixels;
  const ratio = Math.max(width, height) / Math.min(width, height);
  // Of a thumbnail the shorter side counts: the rest is cut off.
  return shrink(pixels, size === "thumb" ? Math.ceil(sides.thumb * ratio) : sides.big);
}

async function decode(picture: EncodedPicture | Pixels): Promise<Pixels> {
  if (picture.kind === "bmp") return decodeBmp(picture.bytes);
  if ("width" in picture) return picture;
  if (pixelCount(picture) > mostPixels) throw new NoPreview(tooLarge);
  const image = picture.kind === "gif"
    ? (await GIF.decode(picture.bytes, true))[0]
    : await Image.decode(picture.bytes);
  if (!image) throw new NoPreview(unreadable);
  const { width, height, bitmap } = image;
  return { kind: "pixels", bytes: new Uint8Array(bitmap), width, height };
}

/** Read from the headers: a decoder would take the memory before it tells. */
function pixelCount({ kind, bytes }: EncodedPicture): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = kind === "jpeg" ? readJpegHeader(bytes) : null;
  if (header) return header.width * header.height;
  if (kind === "png" && bytes.length > 24) return view.getUint32(16) * view.getUint32(20);
  if (kind === "gif" && bytes.length > 10) return view.getUint16(6, true) * view.getUint16(8, true);
  throw new NoPreview(unreadable);
}

function orientationOf({ kind, bytes }: EncodedPicture | Pixels): number {
  return kind === "jpeg" ? readJpegHeader(bytes)?.orientation ?? 1 : 1;
}

function imageOf({ bytes, width, height }: Pixels): Image {
  const image = new Image(width, height);
  image.bitmap.set(bytes);
  return image;
}
