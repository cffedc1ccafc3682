import { CircleAlert, CloudAlert, Search as SearchGlyph, SearchX, X } from "lucide";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type EntryPath, nameOf, ROOT } from "../../../shared/path.ts";
import { letterOf } from "../../base/core/keyboard.ts";
import { MAX_QUERY } from "./search_query.ts";
import { usePressBeside } from "../../base/ui/dialog_press.ts";
import { useSearch } from "./use_search.ts";
import { Button, IconButton, Tick } from "../../../../components/Button.tsx";
import { Icon, Spinner } from "../../../../components/Icon.tsx";
import { useRecentSearches } from "./recent_searches.ts";
import { SearchFilters } from "./SearchFilters.tsx";
import { focusFirst, SearchIdle } from "./SearchIdle.tsx";
import { SearchPhotos } from "./SearchPhotos.tsx";
import { type Choice, hitId, SearchResults } from "./SearchResults.tsx";
import { useHitActs, useHitMenu } from "./use_hit_acts.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import type { Search } from "./search.ts";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";
import { ActMenu } from "../../files_page/selection/Acts.tsx";
import { below } from "../../files_page/menu/row_menu.ts";
import { MOST_HITS } from "./hits.ts";

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

  const recent = useRecentSearches();
  const openRecent = (path: EntryPath) => {
    close();
    open({ path, folder: false });
    finish();
  };
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
    const asked = search.sent.peek();
    if (asked && search.found.peek().count > 0) recent.remember(asked);
    end();
    onClose();
  };
  const menuOf = useHitMenu(search, choose);
  const [menu, setMenu] = useState<{ index: number; x: number; y: number } | null>(null);
  const opened = menu && menuOf(menu.index);
  const openMenu = (index: number, point: { x: number; y: number }) => {
    search.moveTo(index);
    setMenu({ index, ...point });
  };
  const press = (event: KeyboardEvent): boolean => {
    if (event.isComposing || event.altKey) return false;
    if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      const at = search.at.peek();
      const row = dialog.current?.querySelector(`#${hitId(at)}`);
      if (row) openMenu(at, below(row));
      return !!row;
    }
    const held = event.ctrlKey || event.metaKey;
    if (search.status.peek() === "idle" && event.key === "ArrowDown") {
      return focusFirst(dialog.current);
    }
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
  const Results = search.asked.value.photos ? SearchPhotos : SearchResults;
  const { text, hereOnly } = search.asked.value;
  const place = hereOnly && here !== ROOT ? nameOf(here) : "";
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
            ? <Results search={search} id={GRID} onChoose={choose} onMenu={openMenu} />
            : search.status.value === "idle"
            ? <SearchIdle search={search} recent={recent} onOpen={openRecent} />
            : <SearchState search={search} here={here} />}
        </div>
        <SearchFoot search={search} />
      </div>
      {menu && opened && (
        <ActMenu
          request={menu}
          title={opened.title}
          onOpen={opened.isOne ? () => choose(menu.index, "open") : undefined}
          acts={opened.acts}
          onClose={() => setMenu(null)}
        />
      )}
      {children}
    </dialog>
  );
}

interface SearchStateProps {
  search: Search;
  here: EntryPath;
}

/** The placeholder of a search without results. */
function SearchState({ search, here }: SearchStateProps) {
  const { t } = useTranslation();
  const failure = search.failure.value;
  switch (search.status.value) {
    case "idle":
      return null;
    case "short":
      return (
        <StatusScreen
          glyph={SearchGlyph}
          title={t("search.shortTitle")}
          text={t("search.shortText")}
        />
      );
    case "searching":
      return (
        <div className="search__wait">
          <Spinner />
          <p>{t("search.searching")}</p>
        </div>
      );
    case "failed":
      return (
        <StatusScreen
          variant="error"
          glyph={CloudAlert}
          title={t("search.failedTitle")}
          text={failure ? reasonOf(t, failure) : ""}
        >
          <Button onClick={() => search.again()}>{t("buttons.retry")}</Button>
        </StatusScreen>
      );
    case "done": {
      const narrow = here !== ROOT && search.asked.value.hereOnly;
      return (
        <StatusScreen
          glyph={SearchX}
          title={t("search.noneTitle")}
          text={narrow ? t("search.noneHere", { name: nameOf(here) }) : t("search.noneText")}
        >
          {narrow && (
            <Button onClick={() => search.stayHere(false)}>{t("search.searchEverywhere")}</Button>
          )}
        </StatusScreen>
      );
    }
  }
}

interface SearchFootProps {
  search: Search;
}

/** The number of results, the error, and the shortcuts; what can be done with selected results. */
function SearchFoot({ search }: SearchFootProps) {
  const { t } = useTranslation();
  const { count } = search.found.value;
  const failure = search.failure.value;
  const searching = search.status.value === "searching";
  const told = useStatusText(search);
  return (
    <div className="search__foot">
      {count > 0 && failure && (
        <p role="alert" className="search__broken">
          <Icon glyph={CircleAlert} />
          {t("search.broken", { reason: reasonOf(t, failure) })}
        </p>
      )}
      <p role="status" className="unseen">{searching ? t("search.searching") : told}</p>
      {search.unread.value > 0 && (
        <p className="search__unread">
          <Spinner />
          {t("search.stillReading", { amount: search.unread.value })}
        </p>
      )}
      {search.chosen.value.size > 0 ? <SelectedHits search={search} /> : (
        <>
          <p className="search__count" aria-hidden="true">{told}</p>
          <p className="search__keys" aria-hidden="true">
            <kbd>↵</kbd> {t("search.keyOpen")}
            <kbd>{t("search.keyCtrl")}</kbd>
            <kbd>↵</kbd> {t("search.keyShow")}
            <kbd>⇧</kbd>
            <kbd>↵</kbd> {t("files.select")}
          </p>
        </>
      )}
    </div>
  );
}

/** The number of results, in words. */
function useStatusText(search: Search): string {
  const { t } = useTranslation();
  const { count } = search.found.value;
  const status = search.status.value;
  if (status === "searching") {
    return count > 0 ? t("search.soFar", { count }) : t("search.searching");
  }
  if (count > MOST_HITS) return t("search.cut", { amount: count, most: MOST_HITS });
  if (status === "done" || count > 0) return t("search.count", { count });
  return "";
}

/** The number of selected results, and the actions on them; in a list its head selects all. */
function SelectedHits({ search }: SearchFootProps) {
  const { t } = useTranslation();
  const { size } = search.chosen.value;
  const { hits } = search.found.value;
  const acts = useHitActs(search)(search.chosenHits());
  return (
    <div className="search__selected" role="group" aria-label={t("files.actionsOfSelection")}>
      {search.asked.value.photos && (
        <Tick
          label={t("files.selectAll")}
          checked={size === hits.length}
          partly={size < hits.length}
          onChange={() => search.chooseAll(size < hits.length)}
        />
      )}
      <p className="search__count" role="status">{t("files.selected", { count: size })}</p>
      {acts.map(({ id, label, glyph, run }) => (
        <IconButton key={id} label={label} glyph={glyph} onClick={run} />
      ))}
      <IconButton
        label={t("files.clearSelection")}
        glyph={X}
        onClick={() => search.chooseAll(false)}
      />
    </div>
  );
}
