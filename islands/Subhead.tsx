import { Crumbs } from "../components/Crumbs.tsx";
import { parsePath, ROOT, segmentsOf } from "../lib/access/path.ts";
import { useFiles } from "../lib/client/use_files.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";
import { SelectionBar } from "./SelectionBar.tsx";

/** The line over the listing: the way here, and how much is here or selected. */
export function Subhead() {
  const { t } = useTranslation();
  const { listing, navigation } = useFiles();
  const resource = listing.resource.value;
  const segments = segmentsOf(listing.path.value);
  const crumbs = segments.map((name, index) => {
    const { path } = parsePath(`/${segments.slice(0, index + 1).join("/")}`);
    const isFile = index === segments.length - 1 && resource?.isDir === false;
    return { name, href: navigation.href(path, !isFile) };
  });
  const some = listing.selection.now.value.size > 0 || listing.selection.multiple.value;

  return (
    <div className="subhead">
      <Crumbs home={navigation.href(ROOT)} crumbs={crumbs} />
      {some ? <SelectionBar /> : resource?.isDir && (
        <p className="subhead__count">
          {t("files.counts", {
            folders: t("files.folderCount", { count: resource.numDirs ?? 0 }),
            files: t("files.fileCount", { count: resource.numFiles ?? 0 }),
          })}
        </p>
      )}
    </div>
  );
}
