import { EllipsisVertical, Search, SquareTerminal, Upload } from "lucide";
import { Button, IconButton } from "../components/Button.tsx";
import { COMMAND_GLYPHS, VIEW_GLYPHS } from "../lib/client/menu/glyphs.ts";
import { UPLOAD_MENU } from "../lib/client/uploads/UploadMenu.tsx";
import { SidebarButton } from "../lib/client/navigation/SidebarContent.tsx";
import { below, useActionMenu, useCommands } from "../lib/client/menu/use_action_menu.ts";
import { useFileActions, useFiles, usePlaceName } from "../lib/client/navigation/use_files.ts";
import { useTranslation } from "../lib/client/core/use_translation.ts";
import { useSearchPanel, useShellPanel } from "../lib/client/core/use_panels.ts";
import { Icon } from "../components/Icon.tsx";

/**
 * The actions that have a button on wide screens. Those for a selection are placed before the
 * search, so that no other button moves.
 */
const CHOSEN = ["share", "rename", "moveTo", "copyTo", "delete"] as const;

/** The head of the files page: where one is, and what can be done here. */
export function Header() {
  const { t } = useTranslation();
  const { view } = useFiles();
  const menu = useActionMenu();
  const title = usePlaceName();
  const may = useFileActions();
  const commands = useCommands();
  const wide = (name: (typeof CHOSEN)[number] | "download", stays = false) =>
    (stays || commands[name]) && (
      <IconButton
        key={name}
        className="header__wide"
        label={t(`commands.${name}`)}
        glyph={COMMAND_GLYPHS[name]}
        disabled={!commands[name]}
        onClick={commands[name]}
      />
    );

  return (
    <header className="header">
      <SidebarButton />
      <h1 className="header__title" title={title} dir="auto">{title}</h1>
      {may.here && CHOSEN.map((name) => wide(name))}
      <SearchButton />
      {may.here && (
        <div className="header__actions">
          {wide("download", may.download)}
          <ShellButton />
          <IconButton
            className="header__wide"
            label={t(`view.${view.next}`)}
            glyph={VIEW_GLYPHS[view.next]}
            onClick={() => view.choose(view.next)}
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
                glyph={COMMAND_GLYPHS.newFolder}
                onClick={commands.newFolder}
              >
                {t("buttons.newFolder")}
              </Button>
              <Button look="primary" glyph={Upload} popovertarget={UPLOAD_MENU}>
                {t("buttons.upload")}
              </Button>
            </>
          )}
        </div>
      )}
    </header>
  );
}

/** Opens the search: it looks like a search field, on phones like an icon button. */
export function SearchButton() {
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

/** Opens and closes the shell, where there is one. */
export function ShellButton() {
  const { t } = useTranslation();
  const { allowed, open } = useShellPanel();
  if (!allowed) return null;
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
