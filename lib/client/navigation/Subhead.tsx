import { Crumbs } from "./Crumbs.tsx";
import { parsePath, ROOT, segmentsOf } from "../../shared/path.ts";
import { useActionMenu } from "../menu/use_action_menu.ts";
import { useFiles } from "./use_files.ts";
import { useTranslation } from "../core/use_translation.ts";
import { SelectionBar } from "../selection/SelectionBar.tsx";

/** The line over the listing: the way here, and how much is here or selected. */
export function Subhead() {
  const { t } = useTranslation();
  const { listing, navigation } = useFiles();
  const menu = useActionMenu();
  const resource = listing.resource.value;
  const segments = segmentsOf(listing.path.value);
  const crumbs = segments.map((name, index) => {
    const { path } = parsePath(`/${segments.slice(0, index + 1).join("/")}`);
    const isFile = index === segments.length - 1 && resource?.isDir === false;
    return { name, href: navigation.href(path, !isFile) };
  });
  const folders = resource?.numDirs ?? 0;
  const files = resource?.numFiles ?? 0;
  const counts = [
    folders > 0 && t("files.folderCount", { count: folders }),
    files > 0 && t("files.fileCount", { count: files }),
  ].filter(Boolean);
  const { now, multiple } = listing.selection;
  const some = multiple.value || (now.value.size > 0 && !menu.value?.fleeting);

  return (
    <div className="subhead">
      <Crumbs home={navigation.href(ROOT)} crumbs={crumbs} />
      {some ? <SelectionBar /> : <p className="subhead__count">{counts.join(", ")}</p>}
    </div>
  );
}
