import { encodePath, parsePath } from "../../shared/path.ts";
import type { SharePageData } from "../../shared/api_types.ts";

/** The addresses on the page of a share. */
export interface ShareLinks {
  /** The page of an entry in it: "/deep/sky.txt". */
  page(path: string, folder?: boolean): string;
  /** The bytes of an entry, or a folder as an archive, without what proves that one may have them. */
  bytes(path: string): string;
  /** The bytes of an entry, ready to be asked for. */
  download(path: string, options?: { inline?: boolean }): string;
}

/** @param baseUrl "" or "/base" */
export function shareLinks(baseUrl: string, { hash, token }: SharePageData): ShareLinks {
  const below = (path: string, folder = false) => {
    const encoded = encodePath(parsePath(path).path, { folder });
    return encoded === "/" ? "" : encoded;
  };
  const bytes = (path: string) => `${baseUrl}/api/public/dl/${hash}${below(path)}`;
  return {
    bytes,
    page: (path, folder) => `${baseUrl}/share/${hash}${below(path, folder) || "/"}`,
    download(path, { inline } = {}) {
      const query = new URLSearchParams();
      if (token !== "") query.set("token", token);
      if (inline) query.set("inline", "true");
      return query.size > 0 ? `${bytes(path)}?${query}` : bytes(path);
    },
  };
}
