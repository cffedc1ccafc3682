import { ArrowUp, Download, EllipsisVertical, Info, SquareTerminal } from "lucide";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Crumbs } from "./Crumbs.tsx";
import { parsePath, ROOT, segmentsOf } from "../../../shared/path.ts";
import { below } from "../menu/row_menu.ts";
import { useActionMenu, useMenuButton } from "../menu/use_action_menu.ts";
import { useFileActions, useFiles } from "../../base/files/use_files.ts";
import { useShellPanel, useViewMenu } from "../../base/core/use_panels.ts";
import { VIEW_GLYPHS } from "../../base/files/glyphs.ts";
import { CHUNK } from "../../base/files/rows.ts";
import { lazy } from "../../base/core/lazy.ts";
import { usePage } from "../../base/core/page.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { formatList } from "../../base/core/format.ts";

const listingParts = lazy(() => import("../listing/late_listing.ts"));

/**
 * The line above the listing: the breadcrumbs, which are the title of the page, the number of
 * entries, and the buttons of the folder; while entries are selected the bar of the selection, on
 * phones at the bottom of the screen.
 */
export function Toolbar() {
  const { t, i18n: { language } } = useTranslation();
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
  ];
  const filter = listing.filter.value !== null;
  const { now, multiple } = listing.selection;
  const some = multiple.value || (now.value.size > 0 && !menu.value?.transientSelection);
  const [...first] = listing.rows.value.entries({ from: 0, to: CHUNK });
  const hasMusic = first.some(([, { type }]) => type === "audio");
  const parts = useLazy(listingParts, filter || some || hasMusic);
  const bar = some ? parts : null;

  return (
    <div className="subhead">
      {filter && parts
        ? <parts.FilterBar />
        : <Crumbs isTitle home={navigation.href(ROOT)} crumbs={crumbs} />}
      <div className={bar ? "chosen" : "subhead__count"}>
        <p role="status" aria-live={bar ? "polite" : "off"}>
          {bar ? <bar.SelectedText /> : formatList(counts, language)}
        </p>
        {bar && <bar.SelectionActs />}
      </div>
      <FolderActs>
        {hasMusic && resource && parts && <parts.PlayButton folder={resource} isShort />}
      </FolderActs>
    </div>
  );
}

/** The buttons of the open folder. Where there is no room, the menu has what is left out. */
function FolderActs({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { actions, details } = useFiles();
  const opensMenu = useMenuButton("folder");
  const may = useFileActions();
  if (!may.here) return null;
  return (
    <div className="subhead__acts">
      {may.download && children}
      {may.download && (
        <IconButton
          className="subhead__wide"
          label={t("keys.download")}
          glyph={Download}
          onClick={() => void actions.downloadFolder()}
        />
      )}
      {may.shell && <ShellButton />}
      <ViewButton />
      <IconButton
        className="subhead__info"
        label={t("buttons.info")}
        glyph={Info}
        aria-pressed={details.value}
        aria-keyshortcuts="i"
        onClick={() => actions.toggleInfo()}
      />
      <IconButton label={t("buttons.more")} glyph={EllipsisVertical} {...opensMenu} />
    </div>
  );
}

/** Opens and closes the shell; not for users who have no command to type. */
function ShellButton() {
  const { t } = useTranslation();
  const { user } = usePage().data;
  const { open } = useShellPanel();
  if (!user?.commands.length) return null;
  return (
    <IconButton
      className="subhead__wide"
      label={t("shell.label")}
      glyph={SquareTerminal}
      aria-pressed={open.value}
      aria-keyshortcuts="Control+`"
      onClick={() => open.value = !open.value}
    />
  );
}

/** Opens the menu of the view; on phones, which have no column heads, it tells the order. */
function ViewButton() {
  const { t } = useTranslation();
  const { listing, view } = useFiles();
  const menu = useViewMenu();
  const { by, asc } = listing.sorting.value;
  const options = t("views.options");
  return (
    <Button
      variant="quiet"
      className="view-button"
      glyph={VIEW_GLYPHS[view.mode.value]}
      aria-haspopup="dialog"
      aria-expanded={menu.value !== null}
      title={options}
      onClick={(event) => menu.value = below(event.currentTarget)}
    >
      <span className="view-button__word">{options}</span>
      <span className="view-button__order" data-descending={!asc || undefined}>
        {t(`files.column.${by}`)}
        <Icon glyph={ArrowUp} />
      </span>
    </Button>
  );
}
