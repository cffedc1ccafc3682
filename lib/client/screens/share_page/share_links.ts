import type { PageConfig, SharePageData } from "../../../shared/page_data.ts";
import type { ArchiveFormat } from "../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { isEditedInOffice } from "../../../shared/file_kinds.ts";
import { encodePath, parsePath } from "../../../shared/path.ts";
import { bigPreviewQuery, pictureForms } from "../../../shared/picture_forms.ts";

/** The addresses on the page of a share. */
export interface ShareLinks {
  /** The page of an entry in the share: "/deep/sky.txt". */
  page(path: string, folder?: boolean): string;
  /** The download address of a file, or of a folder as an archive, without a token. */
  bytes(path: string): string;
  /** The download address of an entry, with the token. */
  download(path: string, options?: { inline?: boolean; algo?: ArchiveFormat }): string;
  /** The address of a smaller picture of a file. */
  preview(size: "thumb" | "big", entry: Entry): string;
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
    preview(size, entry) {
      const { k, optional } = bigPreviewQuery(entry);
      const address = `${baseUrl}/api/public/preview/${size}/${hash}${below(entry.path)}`;
      return withToken(address, { k, optional: String(optional) });
    },
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
  return ThumbKinds.some((kind) => kind === entry.type) ? links.preview("thumb", entry) : null;
}

/** The address that a picture is shown from: a smaller one for large photos. */
export function pictureOf(
  entry: Entry,
  links: ShareLinks,
  config: Pick<PageConfig, "ResizePreview">,
): string {
  return pictureForms(entry, config)[0] === "big"
    ? previewOf(entry, links)
    : links.download(entry.path, { inline: true });
}

/** The address of a smaller picture, made by the server, whatever the format. */
export function previewOf(entry: Entry, links: ShareLinks): string {
  return links.preview("big", entry);
}
