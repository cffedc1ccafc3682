import { Film, type IconNode, Image, Music, ScrollText } from "lucide";
import { nameOf, ROOT } from "../../shared/path.ts";
import type { EntryPath } from "../../shared/path.ts";
import type { Search } from "./search.ts";
import { SEARCH_TYPES, type SearchType } from "./search_query.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Icon } from "../../../components/Icon.tsx";

const GLYPHS: Record<SearchType, IconNode> = {
  image: Image,
  music: Music,
  pdf: ScrollText,
  video: Film,
};

interface SearchFiltersProps {
  search: Search;
  /** The folder to search, unless everywhere is chosen. */
  here: EntryPath;
}

/** The filters of a search: types of files, and the scope. */
export function SearchFilters({ search, here }: SearchFiltersProps) {
  const { t } = useTranslation();
  const everywhere = search.everywhere.value;
  return (
    <div className="search__filters">
      <div role="group" className="search__types" aria-label={t("search.types")}>
        {SEARCH_TYPES.map((type) => (
          <button
            key={type}
            type="button"
            className="chip"
            aria-pressed={search.types.value.has(type)}
            onClick={() => search.toggleType(type)}
          >
            <Icon glyph={GLYPHS[type]} />
            {t(`search.type.${type}`)}
          </button>
        ))}
      </div>
      {here !== ROOT && (
        <div role="group" className="search__scope" aria-label={t("search.scope")}>
          <button
            type="button"
            className="chip"
            aria-pressed={!everywhere}
            onClick={() => search.widen(false)}
          >
            <span className="chip__name">{t("search.inFolder", { name: nameOf(here) })}</span>
          </button>
          <button
            type="button"
            className="chip"
            aria-pressed={everywhere}
            onClick={() => search.widen(true)}
          >
            {t("search.everywhere")}
          </button>
        </div>
      )}
    </div>
  );
}
