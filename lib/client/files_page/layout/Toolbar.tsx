import { useTranslation } from "react-i18next";
import { Crumbs } from "./Crumbs.tsx";
import { parsePath, ROOT, segmentsOf } from "../../../shared/path.ts";
import { useActionMenu } from "../menu/use_action_menu.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";

const listingParts = lazy(() => import("../listing/late_listing.ts"));

/**
 * The line above the listing: breadcrumbs, and the number of entries; while some are selected the
 * bar of the selection, on phones at the bottom of the screen.
 */
export function Toolbar() {
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
  const filter = listing.filter.value !== null;
  const { now, multiple } = listing.selection;
  const some = multiple.value || (now.value.size > 0 && !menu.value?.transientSelection);
  const parts = useLazy(listingParts, filter || some);
  const bar = some ? parts : null;

  return (
    <div className="subhead">
      {filter && parts
        ? <parts.FilterBar />
        : <Crumbs home={navigation.href(ROOT)} crumbs={crumbs} />}
      <div className={bar ? "chosen" : "subhead__count"}>
        <p role="status" aria-live={bar ? "polite" : "off"}>
          {bar ? <bar.SelectedText /> : counts.join(", ")}
        </p>
        {bar && <bar.SelectionActs />}
      </div>
    </div>
  );
}
