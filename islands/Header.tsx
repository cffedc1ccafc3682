import { Download, EllipsisVertical, FolderPlus, Menu as MenuGlyph, Trash2, Upload } from "lucide";
import { Button, IconButton } from "../components/Button.tsx";
import { MORE_MENU, UPLOAD_MENU } from "../components/menu_ids.ts";
import { SearchButton } from "../components/search/SearchButton.tsx";
import { VIEW_GLYPHS } from "../components/view_glyphs.ts";
import { ShellButton } from "../components/shell/ShellButton.tsx";
import { useDrawer } from "../lib/client/use_drawer.ts";
import { useFileActions } from "../lib/client/use_file_actions.ts";
import { useFiles } from "../lib/client/use_files.ts";
import { usePlaceName } from "../lib/client/use_place_name.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";

/** The head of the files page: where one is, and what can be done here. */
export function Header() {
  const { t } = useTranslation();
  const { actions, view } = useFiles();
  const drawer = useDrawer();
  const title = usePlaceName();
  const may = useFileActions();

  return (
    <header className="header">
      <IconButton
        className="header__menu"
        label={t("buttons.openMenu")}
        glyph={MenuGlyph}
        aria-haspopup="dialog"
        onClick={() => drawer.value = true}
      />
      <h1 className="header__title" title={title} dir="auto">{title}</h1>
      <SearchButton />
      {may.here && (
        <div className="header__actions">
          {may.download.allowed && (
            <IconButton
              className="header__wide"
              label={t("buttons.download")}
              glyph={Download}
              disabled={!may.download.now}
              onClick={() => void actions.downloadSelection()}
            />
          )}
          {may.remove.allowed && (
            <IconButton
              className="header__wide"
              label={t("buttons.delete")}
              glyph={Trash2}
              disabled={!may.remove.now}
              onClick={() => void actions.deleteSelection()}
            />
          )}
          <ShellButton />
          <IconButton
            className="header__wide"
            label={t(`view.${view.next}`)}
            glyph={VIEW_GLYPHS[view.next]}
            onClick={() => view.choose(view.next)}
          />
          {may.create && (
            <>
              <span className="header__gap" />
              <Button
                className="header__wide"
                glyph={FolderPlus}
                onClick={() => void actions.newFolder()}
              >
                {t("buttons.newFolder")}
              </Button>
              <Button look="primary" glyph={Upload} popovertarget={UPLOAD_MENU}>
                {t("buttons.upload")}
              </Button>
            </>
          )}
          <IconButton
            className="header__more"
            label={t("buttons.more")}
            glyph={EllipsisVertical}
            popovertarget={MORE_MENU}
          />
        </div>
      )}
    </header>
  );
}
