import { CircleAlert, Search as SearchGlyph, X } from "lucide";
import { useEffect, useRef } from "react";
import { nameOf, ROOT } from "../../shared/path.ts";
import { letterOf } from "../core/keyboard.ts";
import { MOST_HITS, type Search } from "./search.ts";
import { MAX_QUERY } from "./search_query.ts";
import { reasonOf } from "../api/reasons.ts";
import { usePressBeside } from "../ui/dialog_press.ts";
import { useSearch } from "./use_search.ts";
import { useTranslation } from "../core/use_translation.ts";
import { IconButton } from "../../../components/Button.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { SearchFilters } from "./SearchFilters.tsx";
import { hitId } from "./SearchHitRow.tsx";
import { SearchResults } from "./SearchResults.tsx";
import { SearchState } from "./SearchState.tsx";

/** The number of results that Page Up and Page Down move by. */
const PAGE = 8;

const GRID = "search-hits";

interface SearchPanelProps {
  /** Called when it is closed and the focus has been restored. */
  onClose: () => void;
}

/** Finds entries by name, in a panel; on phones in full screen. */
export function SearchPanel({ onClose }: SearchPanelProps) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const close = () => dialog.current?.close();
  const { search, here, show, open } = useSearch(close);
  useEffect(() => dialog.current?.showModal(), []);

  const beside = usePressBeside(dialog, close);
  const choose = (index: number, itself: boolean) => {
    const chosen = search.pathOf(index);
    if (!chosen) return;
    close();
    if (itself) open(chosen);
    else show(chosen);
  };
  const press = (event: KeyboardEvent): boolean => {
    if (event.isComposing || event.altKey) return false;
    const held = event.ctrlKey || event.metaKey;
    if (held && letterOf(event) === "f") {
      input.current?.select();
      return true;
    }
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: PAGE,
      PageUp: -PAGE,
    };
    const step = steps[event.key] ?? 0;
    if (step !== 0 && !held) search.step(step);
    else if (held && event.key === "Home") search.step(-Infinity);
    else if (held && event.key === "End") search.step(Infinity);
    else if (event.key === "Enter") choose(search.at.peek(), held);
    else return false;
    return true;
  };

  const some = search.found.value.count > 0;
  const place = search.everywhere.value || here === ROOT ? "" : nameOf(here);
  return (
    <dialog
      ref={dialog}
      className="search"
      aria-label={t("search.label")}
      onClose={onClose}
      {...beside}
    >
      <div className="search__sheet">
        <div className="search__head">
          <Icon glyph={SearchGlyph} />
          <input
            ref={input}
            className="search__input"
            type="text"
            role="combobox"
            aria-label={t("search.label")}
            aria-expanded={some}
            aria-controls={GRID}
            aria-haspopup="grid"
            aria-autocomplete="list"
            aria-activedescendant={some ? hitId(search.at.value) : undefined}
            placeholder={place
              ? t("search.placeholderIn", { name: place })
              : t("search.placeholder")}
            value={search.text.value}
            maxLength={MAX_QUERY}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellcheck={false}
            enterKeyHint="search"
            autofocus
            onInput={(event) => search.type(event.currentTarget.value)}
            onKeyDown={(event) => press(event) && event.preventDefault()}
          />
          <IconButton label={t("search.close")} glyph={X} onClick={close} />
        </div>
        <SearchFilters search={search} here={here} />
        <div className="search__body">
          {some
            ? <SearchResults search={search} id={GRID} onChoose={choose} />
            : <SearchState search={search} here={here} />}
        </div>
        <SearchFoot search={search} />
      </div>
    </dialog>
  );
}

/** The number of results, the error, and the shortcuts. */
function SearchFoot({ search }: { search: Search }) {
  const { t } = useTranslation();
  const { count } = search.found.value;
  const failure = search.failure.value;
  const searching = search.status.value === "searching";
  return (
    <div className="search__foot">
      {count > 0 && failure && (
        <p role="alert" className="search__broken">
          <Icon glyph={CircleAlert} />
          {t("search.broken", { reason: reasonOf(t, failure) })}
        </p>
      )}
      <p className="search__count" aria-hidden="true">{told()}</p>
      <p role="status" className="unseen">{searching ? t("search.searching") : told()}</p>
      <p className="search__keys" aria-hidden="true">
        <kbd>↵</kbd> {t("search.keyShow")}
        <kbd>{t("search.keyCtrl")}</kbd>
        <kbd>↵</kbd> {t("search.keyOpen")}
      </p>
    </div>
  );

  function told(): string {
    if (search.isCut.value) return t("search.cut", { count: MOST_HITS });
    if (searching) return count > 0 ? t("search.soFar", { count }) : t("search.searching");
    if (search.status.value === "done" || count > 0) return t("search.count", { count });
    return "";
  }
}
