/** The kinds of previews: a square for listings, or as large as a screen wants it. */
export type PreviewSize = "thumb" | "big";

/** How a preview is encoded. */
export type PreviewFormat = "webp" | "jpeg";

/** A thumbnail's side, and the longest side of a big preview, in pixels. */
export const sides: Readonly<Record<PreviewSize, number>> = { thumb: 256, big: 1080 };

/** Pictures with more pixels than this are refused before they are decoded. */
export const mostPixels = 100_000_000;

/** Larger files are not read: the whole file must be in memory to be decoded, in bytes. */
export const mostFileBytes = 200 * 2 ** 20;

/** The media type of a format. */
export function mediaTypeOfFormat(format: PreviewFormat): string {
  return `image/${format}`;
}
