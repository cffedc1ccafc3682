import { encodePath, parsePath } from "../../lib/access/path.ts";
import type { SharePageData } from "../../lib/api_types.ts";

/** The addresses on the page of a share. */
export interface ShareLinks {
  /** The page of an entry in it: "/deep/sky.txt". */
  page(path: string, folder?: boolean): string;
  /** The bytes of an entry, or a folder as an archive. */
  download(path: string, options?: { inline?: boolean; algo?: string }): string;
}

/** @param baseUrl "" or "/base" */
export function shareLinks(baseUrl: string, { hash, token }: SharePageData): ShareLinks {
  const below = (path: string, folder = false) => {
    const encoded = encodePath(parsePath(path).path, { folder });
    return encoded === "/" ? "" : encoded;
  };
  return {
    page: (path, folder) => `${baseUrl}/share/${hash}${below(path, folder) || "/"}`,
    download(path, { inline, algo } = {}) {
      const query = new URLSearchParams();
      if (token !== "") query.set("token", token);
      if (inline) query.set("inline", "true");
      if (algo) query.set("algo", algo);
      const address = `${baseUrl}/api/public/dl/${hash}${below(path)}`;
      return query.size > 0 ? `${address}?${query}` : address;
    },
  };
}
