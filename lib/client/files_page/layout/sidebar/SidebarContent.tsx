import {
  Clock3,
  FilePlus,
  FileText,
  FolderPlus,
  Folders,
  History,
  type IconNode,
  Image,
  Menu,
  Settings,
  Share2,
  Trash2,
} from "lucide";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { usePage } from "../../../base/core/page.ts";
import { useMay } from "../../../base/core/use_site.ts";
import { useDrawer } from "../../../base/core/use_panels.ts";
import { IconButton } from "../../../../../components/Button.tsx";
import { Icon, Logo } from "../../../../../components/Icon.tsx";
import { AccountButton } from "../header/AccountButton.tsx";

/**
 * The pages that the sidebar leads to, the root folder or one below it, and a favourite, whose own
 * link is the current one.
 */
export type SidebarPlace =
  | "home"
  | "below"
  | "favorite"
  | "photos"
  | "recent"
  | "shared"
  | "sharedWithMe"
  | "settings"
  | "trash";

interface SidebarContentProps {
  /** The current page. */
  at: SidebarPlace;
  /** Beside the link to the root folder, where there is one. */
  toggle?: ReactNode;
  /** Below the link to the root folder: the tree of folders, while it is open. */
  tree?: ReactNode;
  /** The favourites. */
  favorites: ReactNode;
  /** Nothing can be made here now. */
  isIdle?: boolean;
  /** Absent without permission to create. */
  onNewFolder?: () => void;
  onNewFile?: () => void;
  /** Absent without an office server, too. */
  onNewDocument?: () => void;
  /** Absent on pages where nothing is done with entries. */
  onHistory?: () => void;
  /** Absent on pages without shortcuts. */
  onHelp?: () => void;
  onSignOut: () => void;
  /** The disk usage. */
  disk?: ReactNode;
}

/** The content of the sidebar, and of the drawer on phones. */
export function SidebarContent(
  {
    at,
    toggle,
    tree,
    favorites,
    isIdle = false,
    onNewFolder,
    onNewFile,
    onNewDocument,
    onHistory,
    onHelp,
    onSignOut,
    disk,
  }: SidebarContentProps,
) {
  const { t } = useTranslation();
  const may = useMay();
  const { config: { Name, Version, BaseURL: base }, isSharedWith } = usePage().data;
  const home = `${base}/files/`;
  const page = (name: SidebarPlace, to: string, glyph: IconNode, words: string) => (
    <li>
      <a
        className="sidebar__item"
        href={base + to}
        aria-current={at === name ? "page" : "false"}
      >
        <Icon glyph={glyph} />
        {words}
      </a>
    </li>
  );
  const act = (
    onClick: (() => void) | undefined,
    glyph: IconNode,
    words: string,
    disabled = false,
  ) =>
    onClick && (
      <li>
        <button type="button" className="sidebar__item" disabled={disabled} onClick={onClick}>
          <Icon glyph={glyph} />
          {words}
        </button>
      </li>
    );
  return (
    <>
      {/* For the mouse: the keyboard has the same link below it. */}
      <a className="brand" data-place href={home} tabIndex={-1} aria-current="false">
        <Logo />
        <span className="brand__name">{Name}</span>
      </a>
      <nav className="sidebar__places" aria-label={t("sidebar.label")}>
        <ul className="sidebar__list">
          <li className="place">
            <a
              className="sidebar__item"
              data-place
              href={home}
              aria-current={at === "home" ? "page" : at === "below"}
            >
              <Icon glyph={Folders} />
              {t("files.myFiles")}
            </a>
            {toggle}
          </li>
        </ul>
        <div className="sidebar__folders scrolls scrolls--down">
          {tree}
          {favorites}
        </div>
        <ul className="sidebar__list">
          {may("download") && page("photos", "/photos", Image, t("places.photos"))}
          {page("recent", "/recent", Clock3, t("places.recent"))}
          {isSharedWith &&
            page("sharedWithMe", "/shared-with-me", Share2, t("places.sharedWithMe"))}
          {may("share") && page("shared", "/shared", Share2, t("places.shared"))}
          {page("trash", "/trash", Trash2, t("trash.title"))}
        </ul>
        <ul className="sidebar__list sidebar__acts">
          {act(onNewFolder, FolderPlus, t("buttons.newFolder"), isIdle)}
          {act(onNewFile, FilePlus, t("commands.newFile"), isIdle)}
          {act(onNewDocument, FileText, t("commands.newDocument"), isIdle)}
          {act(onHistory, History, t("history.title"))}
          {page("settings", "/settings/profile", Settings, t("settings.title"))}
        </ul>
      </nav>
      <div className="sidebar__foot">
        {disk}
        <AccountButton onHelp={onHelp} onSignOut={onSignOut} />
        <p className="sidebar__version">Cubby {Version}</p>
      </div>
    </>
  );
}

/** Opens the drawer, on narrow screens. */
export function SidebarButton() {
  const { t } = useTranslation();
  const drawer = useDrawer();
  return (
    <IconButton
      className="header__menu"
      label={t("buttons.openMenu")}
      glyph={Menu}
      aria-haspopup="dialog"
      onClick={() => drawer.value = true}
    />
  );
}
