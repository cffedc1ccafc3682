import type { ReactNode } from "react";
import type { SharePageData } from "../../shared/api_types.ts";
import { archiveKinds } from "../actions/archive_kinds.ts";
import { useTranslation } from "../core/use_translation.ts";
import { encodePath, parsePath } from "../../shared/path.ts";

/** The addresses on the page of a share. */
export interface ShareLinks {
  /** The page of an entry in the share: "/deep/sky.txt". */
  page(path: string, folder?: boolean): string;
  /** The download address of a file, or of a folder as an archive, without a token. */
  bytes(path: string): string;
  /** The download address of an entry, with the token. */
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

interface ArchiveFormProps {
  shown: SharePageData;
  links: ShareLinks;
  className: string;
  children: ReactNode;
}

/** Downloads the folder on the page, or the ticked entries: works without scripts. */
export function ArchiveForm({ shown, links, className, children }: ArchiveFormProps) {
  return (
    <form className={className} method="get" action={links.bytes(shown.resource.path)}>
      {shown.token !== "" && <input type="hidden" name="token" value={shown.token} />}
      {children}
    </form>
  );
}

/** A select field for the archive format. */
export function FormatField() {
  const { t } = useTranslation();
  return (
    <label className="shared__format">
      {t("share.format")}
      <select name="algo" className="field__input">
        {archiveKinds.map((kind) => <option key={kind} value={kind}>{kind}</option>)}
      </select>
    </label>
  );
}
