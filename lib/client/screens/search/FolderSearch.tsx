import { Search as SearchGlyph } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type EntryPath, nameOf, parentOf, parsePath, ROOT } from "../../../shared/path.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { useApi } from "../../base/core/use_site.ts";
import { EntryIcon } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { Search } from "./search.ts";
import { NO_FILTER, NOT_ASKED } from "./search_query.ts";
import { Icon } from "../../../../components/Icon.tsx";

/** The number of folders that are offered. */
const OFFERED = 50;

const FOLDER = { type: "listing", isDir: true, isSymlink: false, extension: "" } as const;

const LIST = "folder-hits";

interface FolderSearchProps {
  /** Called when a text has been typed, or is empty again. */
  onSearching: (isSearching: boolean) => void;
  onPick: (folder: EntryPath) => void;
  isRefused: (folder: EntryPath) => boolean;
}

/**
 * A field that finds folders of the whole scope by their names; answers to an earlier text are
 * dropped. The arrow keys choose one of those found, Enter picks
 * it; Esc goes back to the tree.
 */
export function FolderSearch({ onSearching, onPick, isRefused }: FolderSearchProps) {
  const { t } = useTranslation();
  const api = useApi();
  const [text, setText] = useState("");
  const [search, setSearch] = useState<Search | null>(null);
  useEffect(() => () => search?.close(), [search]);
  const isOpen = text.trim() !== "";
  const type = (typed: string) => {
    setText(typed);
    onSearching(typed.trim() !== "");
    if (typed.trim() === "") return search?.close();
    const filter = { ...NO_FILTER, types: new Set(["folder"] as const) };
    if (search) search.type(typed);
    else setSearch(new Search({ api, here: ROOT, asked: { ...NOT_ASKED, text: typed, filter } }));
  };
  const isSearching = search?.status.value === "searching";
  const shown = isOpen ? search?.found.value.hits.slice(0, OFFERED) ?? [] : [];
  const at = search?.at.value ?? 0;
  const pick = (index: number) => {
    const found = search?.pathOf(index);
    if (!found || isRefused(found.path)) return;
    type("");
    onPick(found.path);
  };
  const press = (key: string): boolean => {
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (shown.length > 0) {
        search?.moveTo(Math.min(shown.length - 1, at + (key === "ArrowDown" ? 1 : -1)));
      }
    } else if (key === "Enter") pick(at);
    else if (key === "Escape") type("");
    else return false;
    return true;
  };
  return (
    <>
      <div className="tree__search">
        <Icon glyph={SearchGlyph} />
        <input
          className="field__input"
          type="text"
          role="combobox"
          aria-label={t("tree.search")}
          placeholder={t("tree.search")}
          aria-expanded={isOpen}
          aria-controls={LIST}
          aria-autocomplete="list"
          aria-activedescendant={shown[at] ? `${LIST}-${at}` : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.isComposing || (text === "" && event.key !== "Enter")) return;
            if (!press(event.key)) return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      </div>
      {isOpen && (
        <ul
          className="tree"
          id={LIST}
          role="listbox"
          aria-label={t("tree.label")}
          aria-busy={isSearching}
        >
          {shown.map((hit, index) => {
            const { path } = parsePath(hit.path);
            return (
              <li
                key={hit.path}
                id={`${LIST}-${index}`}
                role="option"
                className="tree__row tree__hit"
                aria-selected={index === at}
                aria-disabled={isRefused(path) || undefined}
                ref={(row) => {
                  if (row && index === at) row.scrollIntoView({ block: "nearest" });
                }}
                onClick={() => pick(index)}
              >
                <EntryIcon entry={FOLDER} />
                <span className="tree__name" dir="auto">{displayName(hit.name)}</span>
                <span className="tree__place" dir="auto">
                  {displayName(nameOf(parentOf(path)) === "" ? t("files.myFiles") : parentOf(path))}
                </span>
              </li>
            );
          })}
          {shown.length === 0 && !isSearching && (
            <li role="presentation" className="prompt__more">{t("tree.none")}</li>
          )}
        </ul>
      )}
    </>
  );
}
