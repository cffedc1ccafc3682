import type { ThumbSide } from "../../shared/api_types.ts";

/** What previews are made to: the side of a square, or else the longest that a side may be, in pixels. */
export const shapes = {
  thumb: { side: 256, isSquare: true },
  thumb360: { side: 360, isSquare: true },
  thumb640: { side: 640, isSquare: true },
  big: { side: 1080, isSquare: false },
} as const;

/** The kinds of previews: squares for listings, or as large as a screen wants it. */
export type PreviewSize = keyof typeof shapes;

/** How a preview is encoded. */
export type PreviewFormat = "webp" | "jpeg";

/** The thumbnail with a side of so many pixels. */
export function thumbWith(side: ThumbSide): PreviewSize {
  return side === 256 ? "thumb" : `thumb${side}`;
}

/**
 * The side in pixels of the square that is made of a picture. A larger thumbnail is no larger than
 * the picture's shorter side: blowing it up would make the file larger, and show no more.
 */
export function squareSide(size: PreviewSize, picture: { width: number; height: number }): number {
  const shorter = Math.min(picture.width, picture.height);
  return Math.min(shapes[size].side, Math.max(shapes.thumb.side, shorter));
}

/** Pictures with more pixels than this are refused before they are decoded. */
export const mostPixels = 100_000_000;

/** Larger files are not read: the whole file must be in memory to be decoded, in bytes. */
export const mostFileBytes = 200 * 2 ** 20;

/** The media type of a format. */
export function mediaTypeOfFormat(format: PreviewFormat): string {
  return `image/${format}`;
}
