import { Search as SearchGlyph, X } from "lucide";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { nameOf, ROOT } from "../../../shared/path.ts";
import { letterOf } from "../../base/core/keyboard.ts";
import { MAX_QUERY } from "./search_query.ts";
import { usePressBeside } from "../../base/ui/dialog_press.ts";
import { useSearch } from "./use_search.ts";
import { IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { SearchFilters } from "./SearchFilters.tsx";
import { SearchFoot } from "./SearchFoot.tsx";
import { hitId } from "./SearchHitRow.tsx";
import { type Choice, SearchResults } from "./SearchResults.tsx";
import { SearchState } from "./SearchState.tsx";

/** The number of results that Page Up and Page Down move by. */
const PAGE = 8;

const GRID = "search-hits";

interface SearchPanelProps {
  /** Called when it is closed and the focus has been restored. */
  onClose: () => void;
  /** Shown over it for a while, as the page itself can't be used. */
  children: ReactNode;
}

/** Finds entries by name, in a panel; on phones in full screen. */
export function SearchPanel({ onClose, children }: SearchPanelProps) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  const close = () => dialog.current?.close();
  const { search, here, show, open, end } = useSearch(close);
  // Before the results scroll to their place, which they cannot while the dialog is closed.
  useLayoutEffect(() => dialog.current?.showModal(), []);

  const beside = usePressBeside(dialog, close);
  const choose = (index: number, choice: Choice) => {
    const chosen = search.pathOf(index);
    if (!chosen) return;
    search.moveTo(index);
    if (choice === "toggle") return search.toggle(index);
    close();
    if (choice === "show") show(chosen);
    else open(chosen);
    // Not by the event: the way back may open the search anew before it fires.
    finish();
  };
  const finish = () => {
    if (isOver.current) return;
    isOver.current = true;
    end();
    onClose();
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
    else if (event.key === "Enter") {
      choose(search.at.peek(), event.shiftKey ? "toggle" : held ? "show" : "open");
    } else return false;
    return true;
  };

  const some = search.found.value.count > 0;
  const { text, everywhere } = search.asked.value;
  const place = everywhere || here === ROOT ? "" : nameOf(here);
  return (
    <dialog
      ref={dialog}
      className="search"
      aria-label={t("search.label")}
      onClose={finish}
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
            value={text}
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
      {children}
    </dialog>
  );
}
