import type { Entry, PageConfig } from "../../../shared/api_types.ts";
import type { ShareLinks } from "./share_links.ts";

/** The largest SVG shown as its own thumbnail, in bytes: rendering takes the browser's time. */
const largestDrawing = 2 ** 20;

/** Photos up to this size are shown as they are, in bytes. */
const smallPhoto = 256 * 1024;

/** Image formats that browsers show and whose preview would lose animation or sharp edges. */
const alwaysWhole = new Set([".apng", ".avif", ".cur", ".gif", ".ico", ".svg", ".webp"]);

/** Image formats that browsers show; the others are seen by their preview alone. */
const photos = new Set([".bmp", ".jfif", ".jpe", ".jpeg", ".jpg", ".pjp", ".pjpeg", ".png"]);

/** The address of an entry's thumbnail; null where there is none. */
export function thumbOf(
  entry: Entry,
  links: ShareLinks,
  { ThumbKinds }: Pick<PageConfig, "ThumbKinds">,
): string | null {
  if (entry.size === 0) return null;
  if (entry.extension === ".svg") {
    return entry.size <= largestDrawing ? links.download(entry.path, { inline: true }) : null;
  }
  return ThumbKinds.some((kind) => kind === entry.type)
    ? links.preview("thumb", entry.path, keyOf(entry))
    : null;
}

/** The address that a picture is shown from: a smaller one for large photos. */
export function pictureOf(
  entry: Entry,
  links: ShareLinks,
  { ResizePreview }: Pick<PageConfig, "ResizePreview">,
): string {
  const whole = links.download(entry.path, { inline: true });
  const { extension, size } = entry;
  if (alwaysWhole.has(extension)) return whole;
  const isSmall = photos.has(extension) && (!ResizePreview || size <= smallPhoto);
  return isSmall ? whole : links.preview("big", entry.path, keyOf(entry));
}

/** The address of a smaller picture, made by the server, whatever the format. */
export function previewOf(entry: Entry, links: ShareLinks): string {
  return links.preview("big", entry.path, keyOf(entry));
}

/** The cache key of a preview: it changes with the file. */
function keyOf({ modified, size }: Entry): string {
  return `${Date.parse(modified)}-${size}`;
}
