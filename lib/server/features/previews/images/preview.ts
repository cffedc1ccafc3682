import type { ThumbSide } from "../../../../shared/schemas/choices/choices.ts";

/** Target sizes: the side of a square, or the longest side, in pixels. */
export const shapes = {
  thumb: { side: 256, isSquare: true },
  thumb360: { side: 360, isSquare: true },
  thumb640: { side: 640, isSquare: true },
  big: { side: 1080, isSquare: false },
} as const;

/** Kinds of previews: squares for listings, or large ones for the screen. */
export type PreviewSize = keyof typeof shapes;

/** The format of an encoded preview. */
export type PreviewFormat = "webp" | "jpeg";

/** The thumbnail with this side, in pixels. */
export function thumbWith(side: ThumbSide): PreviewSize {
  return side === 256 ? "thumb" : `thumb${side}`;
}

/**
 * The side of a picture's square thumbnail, in pixels. A larger thumbnail is no larger than the
 * picture's shorter side: enlarging adds bytes but no detail.
 */
export function squareSide(size: PreviewSize, picture: { width: number; height: number }): number {
  const shorter = Math.min(picture.width, picture.height);
  return Math.min(shapes[size].side, Math.max(shapes.thumb.side, shorter));
}

/** Pictures with more pixels than this are refused before they are decoded. */
export const maxPixels = 100_000_000;

/** Larger files are not read, as decoding needs the whole file in memory; in bytes. */
export const maxFileBytes = 200 * 2 ** 20;

/** The longest ThumbHash, in bytes. */
export const maxHashBytes = 32;

/** The media type of a format. */
export function mediaTypeOfFormat(format: PreviewFormat): string {
  return `image/${format}`;
}
