import { CircleQuestionMark, FilePlus, FolderPlus, Folders, LogOut, Menu, Settings } from "lucide";
import type { ReactNode } from "react";
import { useDrawer } from "../core/use_panels.ts";
import { useTranslation } from "../core/use_translation.ts";
import { IconButton } from "../../../components/Button.tsx";
import { Icon, Logo } from "../../../components/Icon.tsx";

interface SidebarContentProps {
  /** The name of this installation. */
  name: string;
  version: string;
  username: string;
  /** The href of "My files". */
  home: string;
  /** The href of "Settings". */
  settings: string;
  /** The current page: the root folder, a folder below it, or the settings. */
  at: "home" | "below" | "settings";
  /** Absent without permission to create. */
  onNewFolder?: () => void;
  onNewFile?: () => void;
  /** Absent on pages without shortcuts. */
  onHelp?: () => void;
  /** Absent without sign-in. */
  onSignOut?: () => void;
  /** The disk usage. */
  disk?: ReactNode;
}

/** The content of the sidebar, and of the drawer on phones. */
export function SidebarContent(
  { name, version, username, home, settings, at, onNewFolder, onNewFile, onHelp, onSignOut, disk }:
    SidebarContentProps,
) {
  const { t } = useTranslation();
  return (
    <>
      <a className="brand" data-place href={home} aria-current="false">
        <Logo />
        <span className="brand__name">{name}</span>
      </a>
      <nav aria-label={t("sidebar.label")}>
        <ul className="sidebar__list">
          <li>
            <a
              className="sidebar__item"
              data-place
              href={home}
              aria-current={at === "home" ? "page" : at === "below"}
            >
              <Icon glyph={Folders} />
              {t("files.myFiles")}
            </a>
          </li>
          {onNewFolder && (
            <li>
              <button type="button" className="sidebar__item" onClick={onNewFolder}>
                <Icon glyph={FolderPlus} />
                {t("buttons.newFolder")}
              </button>
            </li>
          )}
          {onNewFile && (
            <li>
              <button type="button" className="sidebar__item" onClick={onNewFile}>
                <Icon glyph={FilePlus} />
                {t("commands.newFile")}
              </button>
            </li>
          )}
          <li>
            <a
              className="sidebar__item"
              href={settings}
              aria-current={at === "settings" ? "page" : "false"}
            >
              <Icon glyph={Settings} />
              {t("settings.title")}
            </a>
          </li>
        </ul>
      </nav>
      <div className="sidebar__foot">
        {disk}
        <div className="sidebar__who">
          <span className="sidebar__name">{username}</span>
          {onHelp && (
            <IconButton label={t("buttons.help")} glyph={CircleQuestionMark} onClick={onHelp} />
          )}
          {onSignOut && (
            <IconButton label={t("sidebar.logout")} glyph={LogOut} mirror onClick={onSignOut} />
          )}
        </div>
        <p className="sidebar__version">Cubby {version}</p>
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
