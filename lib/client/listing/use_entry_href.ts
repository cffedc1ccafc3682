import { parsePath } from "../../shared/path.ts";
import type { Entry } from "../../shared/api_types.ts";
import { filesHref } from "../navigation/navigation.ts";
import { useMay, usePage } from "../core/page.ts";
import { useApi } from "../core/use_site.ts";

/**
 * The address that an entry's name links to: a folder's page, or a file's content to look at. Where
 * the user may not have the content, it is the page with the file's facts.
 */
export function useEntryHref(): (entry: Entry) => string {
  const api = useApi();
  const { config } = usePage().data;
  const mayRead = useMay()("download");
  return (entry) => {
    const { path } = parsePath(entry.path);
    if (entry.isDir || !mayRead) return filesHref(config.BaseURL, path, entry.isDir);
    return `${api.rawAddress(path)}?inline=true`;
  };
}
