import type { ThumbSide } from "../../../../shared/schemas/choices/choices.ts";

/** The bounds of a preview, in pixels. */
interface Shape {
  /** The side of a square; of a whole picture the greatest height. */
  side: number;
  isSquare: boolean;
  /** The greatest width of a whole picture. */
  width: number;
  /** Whether listings show it, so that it gets a ThumbHash. */
  isThumb: boolean;
}

const square = (side: number): Shape => ({ side, isSquare: true, width: side, isThumb: true });
/** A row of pictures has one height: wide ones are as sharp as the others, up to a panorama. */
const whole = (side: number): Shape => ({
  ...{ side, isSquare: false, width: 3 * side, isThumb: true },
});

/** Kinds of previews: squares or whole pictures for listings, or large ones for the screen. */
export type PreviewSize =
  | ("thumb" | "thumb360" | "thumb640")
  | ("whole" | "whole360" | "whole640")
  | "big";

/** The bounds of each kind. */
export const shapes: Readonly<Record<PreviewSize, Shape>> = {
  ...{ thumb: square(256), thumb360: square(360), thumb640: square(640) },
  ...{ whole: whole(256), whole360: whole(360), whole640: whole(640) },
  big: { side: 1080, isSquare: false, width: 1080, isThumb: false },
};

/** The format of an encoded preview. */
export type PreviewFormat = "webp" | "jpeg";

/**
 * The thumbnail with this side, in pixels.
 *
 * @param isWhole the whole picture with this height, rather than a square
 */
export function thumbWith(side: ThumbSide, isWhole = false): PreviewSize {
  const kind = isWhole ? "whole" : "thumb";
  return side === 256 ? kind : `${kind}${side}`;
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

/** The same for JPEG, which shrinks while it is decoded: phones make pictures of 200 megapixels. */
export const maxJpegPixels = 210_000_000;

/** Larger files are not read, as decoding needs the whole file in memory; in bytes. */
export const maxFileBytes = 200 * 2 ** 20;

/** The longest ThumbHash, in bytes. */
export const maxHashBytes = 32;

/** The media type of a format. */
export function mediaTypeOfFormat(format: PreviewFormat): string {
  return `image/${format}`;
}
