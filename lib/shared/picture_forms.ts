import type { PageConfig } from "./page_data.ts";
import type { Entry } from "./schemas/entry.ts";

/** The size in bytes up to which pictures are shown without a preview. */
const small = 256 * 1024;

/** Image formats that browsers show and whose preview would lose animation or sharp edges. */
const alwaysWhole = new Set([".apng", ".avif", ".cur", ".gif", ".ico", ".svg", ".webp"]);

/** Other image formats of browsers. For the rest only the server's preview works. */
const photos = new Set([".bmp", ".jfif", ".jpe", ".jpeg", ".jpg", ".pjp", ".pjpeg", ".png"]);

/** What a picture is shown from: the file itself, or a smaller picture by the server. */
export type PictureForm = "whole" | "big";

/** The forms of a picture, in the order in which they are tried. */
export function pictureForms(
  { extension, size }: Pick<Entry, "extension" | "size">,
  { ResizePreview }: Pick<PageConfig, "ResizePreview">,
): PictureForm[] {
  const isSmall = photos.has(extension) && (!ResizePreview || size <= small);
  return isSmall || alwaysWhole.has(extension) ? ["whole"] : ["big", "whole"];
}

/** The cache key of a file's previews: it changes with the file. */
export function previewKey({ modified, size }: Pick<Entry, "modified" | "size">): string {
  return `${Date.parse(modified)}-${size}`;
}

/**
 * The query of the preview that a picture is shown from: the same on every page, so that browsers
 * fetch it once.
 */
export function bigPreviewQuery(entry: Pick<Entry, "modified" | "size">) {
  return { k: previewKey(entry), optional: true } as const;
}
