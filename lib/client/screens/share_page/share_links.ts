import type { SharePageData } from "../../../shared/api_types.ts";
import { encodePath, parsePath } from "../../../shared/path.ts";

/** The addresses on the page of a share. */
export interface ShareLinks {
  /** The page of an entry in the share: "/deep/sky.txt". */
  page(path: string, folder?: boolean): string;
  /** The download address of a file, or of a folder as an archive, without a token. */
  bytes(path: string): string;
  /** The download address of an entry, with the token. */
  download(path: string, options?: { inline?: boolean }): string;
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
    download: (path, { inline } = {}) => withToken(bytes(path), inline ? { inline: "true" } : {}),
    preview: (size, path, key) =>
      withToken(`${baseUrl}/api/public/preview/${size}/${hash}${below(path)}`, {
        k: key,
        optional: "true",
      }),
  };
}
