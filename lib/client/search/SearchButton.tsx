import { Search } from "lucide";
import { useSearchPanel } from "./use_search_panel.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Icon } from "../../../components/Icon.tsx";

/** Opens the search: what looks like its field, and on a phone a button with an icon. */
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
