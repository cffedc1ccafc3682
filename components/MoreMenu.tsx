import {
  ClipboardPaste,
  Copy,
  FilePlus,
  FolderInput,
  FolderPlus,
  Info,
  Keyboard,
  ListChecks,
  Pencil,
  Share2,
  SquareCheck,
  SquareTerminal,
} from "lucide";
import { useFileActions } from "../lib/client/use_file_actions.ts";
import { useFiles } from "../lib/client/use_files.ts";
import { useShellPanel } from "../lib/client/use_shell_panel.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";
import { Menu, MenuItem } from "./Menu.tsx";
import { MORE_MENU } from "./menu_ids.ts";
import { VIEW_GLYPHS } from "./view_glyphs.ts";

/** The actions that find no room in the header of a phone. */
export function MoreMenu() {
  const { t } = useTranslation();
  const { listing, view, actions, clipboard } = useFiles();
  const may = useFileActions();
  const shell = useShellPanel();
  return (
    <Menu id={MORE_MENU} label={t("buttons.more")}>
      {may.create && (
        <MenuItem glyph={FolderPlus} onClick={() => void actions.newFolder()}>
          {t("buttons.newFolder")}
        </MenuItem>
      )}
      {may.create && (
        <MenuItem glyph={FilePlus} onClick={() => void actions.newFile()}>
          {t("buttons.newFile")}
        </MenuItem>
      )}
      {may.rename.allowed && (
        <MenuItem
          glyph={Pencil}
          disabled={!may.rename.now}
          onClick={() => void actions.rename()}
        >
          {t("buttons.rename")}
        </MenuItem>
      )}
      {may.move.allowed && (
        <MenuItem
          glyph={FolderInput}
          disabled={!may.move.now}
          onClick={() => void actions.move()}
        >
          {t("buttons.move")}
        </MenuItem>
      )}
      {may.copy.allowed && (
        <MenuItem
          glyph={Copy}
          disabled={!may.copy.now}
          onClick={() => void actions.copy()}
        >
          {t("buttons.copy")}
        </MenuItem>
      )}
      {may.share.allowed && (
        <MenuItem
          glyph={Share2}
          disabled={!may.share.now}
          onClick={() => void actions.share()}
        >
          {t("buttons.share")}
        </MenuItem>
      )}
      {clipboard.now.value && (
        <MenuItem glyph={ClipboardPaste} onClick={() => void actions.paste()}>
          {t("buttons.paste")}
        </MenuItem>
      )}
      <MenuItem glyph={Info} onClick={() => void actions.info()}>{t("buttons.info")}</MenuItem>
      <MenuItem glyph={SquareCheck} onClick={() => listing.selection.multiple.value = true}>
        {t("files.select")}
      </MenuItem>
      <MenuItem glyph={ListChecks} onClick={() => listing.selection.all()}>
        {t("files.selectAll")}
      </MenuItem>
      <MenuItem glyph={VIEW_GLYPHS[view.next]} onClick={() => view.choose(view.next)}>
        {t(`view.${view.next}`)}
      </MenuItem>
      {shell.allowed && (
        <MenuItem
          glyph={SquareTerminal}
          onClick={() => shell.open.value = !shell.open.peek()}
        >
          {t("shell.label")}
        </MenuItem>
      )}
      <MenuItem glyph={Keyboard} onClick={() => void actions.help()}>
        {t("buttons.help")}
      </MenuItem>
    </Menu>
  );
}
