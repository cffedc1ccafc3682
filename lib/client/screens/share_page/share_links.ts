import type { PageConfig, SharePageData } from "../../../shared/page_data.ts";
import type { ArchiveFormat } from "../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { isEditedInOffice } from "../../../shared/file_kinds.ts";
import { encodePath, parsePath } from "../../../shared/path.ts";

/** The addresses on the page of a share. */
export interface ShareLinks {
  /** The page of an entry in the share: "/deep/sky.txt". */
  page(path: string, folder?: boolean): string;
  /** The download address of a file, or of a folder as an archive, without a token. */
  bytes(path: string): string;
  /** The download address of an entry, with the token. */
  download(path: string, options?: { inline?: boolean; algo?: ArchiveFormat }): string;
  /** The address of a smaller picture. @param key changes whenever the file does */
  preview(size: "thumb" | "big", path: string, key: string): string;
}

/** The share that addresses belong to, and the token that opens it. */
export type LinkedShare = Pick<SharePageData, "hash" | "token">;

/** @param baseUrl "" or "/base" */
export function shareLinks(baseUrl: string, { hash, token }: LinkedShare): ShareLinks {
  const below = (path: string, folder = false) => {
    const encoded = encodePath(parsePath(path).path, { folder });
    return encoded === "/" ? "" : encoded;
  };
  const bytes = (path: string) => `${baseUrl}/api/public/dl/${hash}${below(path)}`;
  const withToken = (address: string, fields: Record<string, string>) => {
    const query = new URLSearchParams(token === "" ? fields : { ...fields, token });
    return query.size > 0 ? `${address}?${query}` : address;
  };
  return {
    bytes,
    page: (path, folder) => `${baseUrl}/share/${hash}${below(path, folder) || "/"}`,
    download: (path, { inline, algo } = {}) =>
      withToken(bytes(path), { ...inline && { inline: "true" }, ...algo && { algo } }),
    preview: (size, path, key) =>
      withToken(`${baseUrl}/api/public/preview/${size}/${hash}${below(path)}`, {
        k: key,
        optional: "true",
      }),
  };
}

/**
 * Whether a shared file can be opened in the office server, which reads it: not where downloads are
 * counted, unless files are only shown anyway.
 */
export function opensInOffice(
  { resource: { name, isDir, type }, isLimited, viewOnly }: Pick<
    SharePageData,
    "resource" | "isLimited" | "viewOnly"
  >,
  { EnableOffice }: Pick<PageConfig, "EnableOffice">,
): boolean {
  if (!EnableOffice || isDir || type === "invalid_link") return false;
  return isEditedInOffice(name) && (viewOnly || !isLimited);
}

/** Selects the radio button of a view on the page. */
export function viewChoice(view: "list" | "grid" | "photos"): string {
  return `.shared__views input[value="${view}"]`;
}

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
