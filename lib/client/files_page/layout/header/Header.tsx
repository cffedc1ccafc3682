import {
  Download,
  EllipsisVertical,
  FolderPlus,
  Info,
  Search,
  SquareTerminal,
  Upload,
} from "lucide";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../../components/Button.tsx";
import { ViewSwitch } from "../../listing/view/ViewSwitch.tsx";
import { UPLOAD_MENU, UploadMenu } from "../../uploads/UploadMenu.tsx";
import { BellButton } from "./BellButton.tsx";
import { SidebarButton } from "../sidebar/SidebarContent.tsx";
import { below, useActionMenu } from "../../menu/use_action_menu.ts";
import { useFileActions, useFiles, usePlaceName } from "../../../base/files/use_files.ts";
import { useSearchPanel, useShellPanel } from "../../../base/core/use_panels.ts";
import { Icon } from "../../../../../components/Icon.tsx";

/** The head of the files page: where one is, and what can be done here. */
export function Header() {
  const { t } = useTranslation();
  const { actions, details } = useFiles();
  const menu = useActionMenu();
  const title = usePlaceName();
  const may = useFileActions();

  return (
    <header className="header">
      <SidebarButton />
      <h1 className="header__title" title={title} dir="auto">{title}</h1>
      <SearchButton />
      <BellButton />
      {may.here && (
        <div className="header__actions">
          {may.download && (
            <IconButton
              className="header__wide"
              label={t("keys.download")}
              glyph={Download}
              onClick={() => void actions.downloadFolder()}
            />
          )}
          {may.shell && <ShellButton />}
          <ViewSwitch />
          <IconButton
            className="header__wide"
            label={t("buttons.info")}
            glyph={Info}
            aria-pressed={details.value}
            aria-keyshortcuts="i"
            onClick={() => actions.toggleInfo()}
          />
          <IconButton
            className="header__more"
            label={t("buttons.more")}
            glyph={EllipsisVertical}
            aria-haspopup="menu"
            aria-expanded={menu.value?.of === "folder"}
            onClick={(event) => menu.value = { of: "folder", ...below(event.currentTarget) }}
          />
          {may.create && (
            <>
              <Button
                className="header__wide"
                glyph={FolderPlus}
                onClick={() => void actions.newFolder()}
              >
                {t("buttons.newFolder")}
              </Button>
              <Button variant="primary" glyph={Upload} popovertarget={UPLOAD_MENU}>
                {t("buttons.upload")}
              </Button>
            </>
          )}
        </div>
      )}
      {may.create && <UploadMenu />}
    </header>
  );
}

/** Opens the search: it looks like a search field, on phones like an icon button. */
function SearchButton() {
  const { t } = useTranslation();
  const open = useSearchPanel();
  return (
    <button
      type="button"
      className="search-button"
      title={t("search.label")}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+F"
      onClick={() => open.value = true}
    >
      <Icon glyph={Search} />
      <span className="search-button__word">{t("search.label")}</span>
      <kbd className="search-button__key" aria-hidden="true">{t("search.shortcut")}</kbd>
    </button>
  );
}

/** Opens and closes the shell. */
function ShellButton() {
  const { t } = useTranslation();
  const { open } = useShellPanel();
  return (
    <IconButton
      className="header__wide"
      label={t("shell.label")}
      glyph={SquareTerminal}
      aria-pressed={open.value}
      aria-keyshortcuts="Control+`"
      onClick={() => open.value = !open.value}
    />
  );
}
