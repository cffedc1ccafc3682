import { useComputed } from "@preact/signals";
import { EllipsisVertical, X } from "lucide";
import { Crumbs } from "./Crumbs.tsx";
import { parsePath, ROOT, segmentsOf } from "../../shared/path.ts";
import { below, useActionMenu, useCommands } from "../menu/use_action_menu.ts";
import { useFiles } from "./use_files.ts";
import { useTranslation } from "../core/use_translation.ts";
import { IconButton } from "../../../components/Button.tsx";
import { COMMAND_GLYPHS } from "../menu/glyphs.ts";
import { formatBytes } from "../core/format.ts";

/** The line above the listing: breadcrumbs, and the number of entries or selected ones. */
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
  const { now, multiple } = listing.selection;
  const some = multiple.value || (now.value.size > 0 && !menu.value?.transientSelection);

  return (
    <div className="subhead">
      <Crumbs home={navigation.href(ROOT)} crumbs={crumbs} />
      {some ? <SelectionBar /> : <p className="subhead__count">{counts.join(", ")}</p>}
    </div>
  );
}

/** The buttons shown on phones; the other actions are in the menu. */
const BUTTONS = ["download", "delete"] as const;

/** The number of selected entries; on narrow screens also buttons for them. */
function SelectionBar() {
  const { t, language } = useTranslation();
  const { listing: { selection } } = useFiles();
  const menu = useActionMenu();
  const commands = useCommands();
  const bytes = useSelectedBytes();
  const { size } = selection.now.value;
  const selected = t("files.selected", { count: size });

  return (
    <div className="chosen">
      <p className="chosen__count" role="status">
        {bytes === 0
          ? selected
          : t("files.selectedWithSize", { selected, size: formatBytes(bytes, language) })}
      </p>
      {size > 0 && (
        <div className="chosen__acts">
          {BUTTONS.map((name) =>
            commands[name] && (
              <IconButton
                key={name}
                label={t(`commands.${name}`)}
                glyph={COMMAND_GLYPHS[name]}
                onClick={commands[name]}
              />
            )
          )}
          <IconButton
            label={t("files.actionsOfSelection")}
            glyph={EllipsisVertical}
            aria-haspopup="menu"
            aria-expanded={menu.value?.of === "selection"}
            onClick={(event) => menu.value = { of: "selection", ...below(event.currentTarget) }}
          />
        </div>
      )}
      <IconButton
        className="chosen__clear"
        label={t("files.clearSelection")}
        glyph={X}
        onClick={() => {
          selection.clear();
          selection.multiple.value = false;
        }}
      />
    </div>
  );
}

/**
 * The total size of the selected files in bytes; 0 if a folder is selected, as its size is unknown.
 */
function useSelectedBytes(): number {
  const { listing } = useFiles();
  return useComputed(() => {
    const rows = listing.rows.value;
    const selected = listing.selection.now.value;
    if (selected.size === 0) return 0;
    let bytes = 0;
    let seen = 0;
    for (let index = 0; index < rows.total && seen < selected.size; index++) {
      if (!selected.has(index)) continue;
      const entry = rows.at(index);
      if (!entry || entry.isDir) return 0;
      bytes += entry.size;
      seen++;
    }
    return bytes;
  }).value;
}
