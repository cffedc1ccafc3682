import { isEditedInOffice } from "../../../shared/file_kinds.ts";
import { encodePath, parsePath } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { usePage } from "../core/page.ts";
import { useRootAccess } from "../core/root_access.ts";
import { useMay } from "../core/use_site.ts";

/** The page of a document in the office server. */
export interface OfficeLink {
  href: string;
  right: "view" | "edit";
}

/** The page of the office server for a file of the user or of a share; null where there is none. */
export function useOfficeLink(): (
  entry: Pick<Entry, "name" | "path" | "type" | "isDir">,
) => OfficeLink | null {
  const { config, share } = usePage().data;
  const may = useMay();
  const rootAccess = useRootAccess();
  return ({ name, path, type, isDir }) => {
    if (!config.EnableOffice || isDir || type === "invalid_link") return null;
    if (!isEditedInOffice(name) || !may("download")) return null;
    const at = parsePath(path).path;
    const mayEdit = share ? share.mayEdit : may("modify") && rootAccess.canChange(at);
    const href = share
      ? sharedOfficeHref(config.BaseURL, share.hash, at)
      : `${config.BaseURL}/office${encodePath(at)}`;
    return { href, right: mayEdit ? "edit" : "view" };
  };
}

/** The address of a shared document in the office server. @param path in the share */
export function sharedOfficeHref(baseUrl: string, hash: string, path: string): string {
  return `${baseUrl}/share/${hash}${encodePath(parsePath(path).path)}?${officeQuery}`;
}

/** The query by which the page of a share opens a document in the office server. */
export const officeQuery = "office";
