import { encode } from "jpeg-js";
import { readJpegHeader } from "./jpeg_header.ts";
import { cellsOf } from "./folder_cover.ts";
import { NoPreview, unreadable } from "./no_preview.ts";
import type { EncodedPicture, Pixels } from "./picture.ts";
import { blendWithWhite, paste, shrink, square, turn } from "./pixel_work.ts";
import { decodePortably } from "./portable_decoders.ts";
import { type PreviewSize, shapes, squareSide } from "./preview.ts";
import { hashSide, type Resizer } from "./resizer.ts";

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
  const { side, isSquare } = shapes[size];
  const pixels = await decodePortably(picture, side);
  const { width, height } = pixels;
  // For a thumbnail the shorter side counts: the rest is cropped.
  const ratio = isSquare ? Math.max(width, height) / Math.min(width, height) : 1;
  return shrink(pixels, Math.ceil(side * ratio));
}

function orientationOf({ kind, bytes }: EncodedPicture): number {
  return kind === "jpeg" ? readJpegHeader(bytes)?.orientation ?? 1 : 1;
}
