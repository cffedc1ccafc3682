import { Plus, Search, Upload } from "lucide";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import { useSearchPanel } from "../../../base/core/use_panels.ts";
import { useFileActions } from "../../../base/files/use_files.ts";
import { useMenuButton } from "../../menu/use_action_menu.ts";
import { chooseFiles } from "../../../base/files/page_dom.ts";
import { UploadInputs } from "../../uploads/UploadInputs.tsx";
import { SidebarButton } from "../sidebar/SidebarContent.tsx";
import { BellButton } from "./BellButton.tsx";

/** The head of the files page: the search, the news, and what can be added to the open folder. */
export function Header() {
  const { t } = useTranslation();
  const opensNew = useMenuButton("new");
  const may = useFileActions();
  return (
    <header className="header">
      <SidebarButton />
      <SearchButton />
      <BellButton />
      {may.create && may.here && (
        <div className="header__actions">
          <Button glyph={Plus} {...opensNew}>{t("buttons.new")}</Button>
          <Button variant="primary" glyph={Upload} onClick={() => chooseFiles()}>
            {t("buttons.upload")}
          </Button>
        </div>
      )}
      {may.create && <UploadInputs />}
    </header>
  );
}

/** Opens the search: it looks like a search field. */
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
