import { History, Search as SearchGlyph, X } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type EntryPath, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import { displayName } from "../../../shared/entry_names.ts";
import type { RecentEntry } from "../../../shared/schemas/places.ts";
import { formatRelative } from "../../base/core/format.ts";
import { lazy } from "../../base/core/lazy.ts";
import { usePage } from "../../base/core/page.ts";
import { useApi, useLazy } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { EntryName } from "../../files_page/listing/EntryRow.tsx";
import { EntryIcon, usePictured } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { StatusScreen } from "../../../../components/StatusScreen.tsx";
import type { RecentSearchUse } from "./recent_searches.ts";
import type { Search } from "./search.ts";
import { addressOf, type Asked, isRange } from "./search_query.ts";

const thumbs = lazy(() => import("../../files_page/listing/thumbs/Thumb.tsx"));

/** The characters of a name that are nearly always in view. */
const ROOM = 24;

/** The number of recent files that are offered. */
const MOST_FILES = 6;

interface SearchIdleProps {
  search: Search;
  recent: RecentSearchUse;
  /** Opens a recent file. */
  onOpen: (path: EntryPath) => void;
}

/** The panel before anything is searched for: recent searches and files, and a hint. */
export function SearchIdle({ search, recent, onOpen }: SearchIdleProps) {
  const { t } = useTranslation();
  const files = useRecentFiles();
  const { searches } = recent;
  if (searches.length === 0 && files?.length === 0) {
    return (
      <StatusScreen glyph={SearchGlyph} title={t("search.idleTitle")} text={t("search.tip")} />
    );
  }
  return (
    <div className="search__idle" onKeyDown={stepOnKey}>
      {searches.length > 0 && (
        <section aria-labelledby="recent-searches">
          <div className="search__title">
            <h2 id="recent-searches">{t("search.recent")}</h2>
            <Button variant="quiet" onClick={() => recent.forget()}>{t("search.forgetAll")}</Button>
          </div>
          <ul>
            {searches.map((asked) => (
              <RecentSearch
                key={addressOf(asked)}
                asked={asked}
                onAsk={() => search.ask(asked)}
                onForget={() => recent.forget(asked)}
              />
            ))}
          </ul>
        </section>
      )}
      {files && files.length > 0 && (
        <section aria-labelledby="recent-files">
          <div className="search__title">
            <h2 id="recent-files">{t("search.recentFiles")}</h2>
          </div>
          <RecentFiles files={files} onOpen={onOpen} />
        </section>
      )}
      <p className="search__tip">{t("search.tip")}</p>
    </div>
  );
}

/** Moves the focus to the first suggestion. @returns whether there is one */
export function focusFirst(panel: HTMLElement | null): boolean {
  const [first] = stopsIn(panel);
  first?.focus();
  return first !== undefined;
}

function stopsIn(panel: HTMLElement | null): HTMLElement[] {
  return [...panel?.querySelectorAll<HTMLElement>("[data-suggestion]") ?? []];
}

/** The arrow keys go from one suggestion to the next, and back to the field. */
function stepOnKey(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const panel = (event.currentTarget as HTMLElement).closest("dialog");
  const row = (event.target as HTMLElement).closest("li");
  if (by === undefined || !row) return;
  const stops = stopsIn(panel);
  const at = stops.findIndex((stop) => row.contains(stop)) + by;
  event.preventDefault();
  if (at < 0) panel?.querySelector("input")?.focus();
  else stops[at]?.focus();
}

interface RecentSearchProps {
  asked: Asked;
  onAsk: () => void;
  onForget: () => void;
}

function RecentSearch({ asked, onAsk, onForget }: RecentSearchProps) {
  const { t } = useTranslation();
  const { text, filter } = asked;
  const types = [...filter.types].map((type) => t(`search.type.${type}`));
  const [from, to] = isRange(filter.age) ? filter.age.split("..") : [];
  const age = isRange(filter.age)
    ? filter.age !== ".." && `${from} – ${to}`
    : filter.age !== "" && t(`search.age.${filter.age}`);
  const place = asked.hereOnly && t("search.hereOnly");
  const name = [text, ...types, age, place].filter(Boolean).join(" · ") || t("search.filters");
  return (
    <li className="search__suggestion">
      <button type="button" className="search__ask" data-suggestion onClick={onAsk}>
        <Icon glyph={History} />
        <bdi>{name}</bdi>
      </button>
      <IconButton label={t("search.forget", { name })} glyph={X} onClick={onForget} />
    </li>
  );
}

interface RecentFilesProps {
  files: readonly RecentEntry[];
  onOpen: (path: EntryPath) => void;
}

function RecentFiles({ files, onOpen }: RecentFilesProps) {
  const { t, i18n: { language } } = useTranslation();
  const { navigation } = useFiles();
  const isPictured = usePictured(false);
  const code = useLazy(thumbs, files.some(isPictured));
  const now = Date.now();
  return (
    <ul>
      {files.map((entry) => {
        const { path } = parsePath(entry.path);
        return (
          <li key={path} className="search__suggestion">
            <a
              className="search__ask"
              data-suggestion
              href={navigation.href(path, false)}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
                event.preventDefault();
                onOpen(path);
              }}
            >
              {code && isPictured(entry)
                ? <code.Thumb entry={entry} small />
                : <EntryIcon entry={entry} />}
              <span className="search__file">
                <span className="search__name" dir="auto">
                  <EntryName name={displayName(entry.name)} room={ROOM} />
                </span>
                <small className="search__note" dir="auto">
                  {displayName(nameOf(parentOf(path)) || t("files.myFiles"))}
                </small>
              </span>
              <small className="search__note">{formatRelative(entry.at, language, now)}</small>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** The files that the user has used last; null until they are known. */
function useRecentFiles(): readonly RecentEntry[] | null {
  const { user } = usePage().data;
  const api = useApi();
  const isKept = user !== undefined && user?.keepRecent !== false;
  const [files, setFiles] = useState<readonly RecentEntry[] | null>(isKept ? null : []);
  useEffect(() => {
    if (!isKept) return;
    const running = new AbortController();
    void (async () => {
      const answer = await api.calls.json("GET /api/recent", { signal: running.signal });
      if (!running.signal.aborted) setFiles(answer.ok ? answer.value.slice(0, MOST_FILES) : []);
    })();
    return () => running.abort();
  }, []);
  return files;
}
