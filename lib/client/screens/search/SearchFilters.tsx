import {
  FileArchive,
  FileText,
  Film,
  Folder,
  type IconNode,
  Image,
  Music,
  ScrollText,
  TextSearch,
} from "lucide";
import { useTranslation } from "react-i18next";
import { nameOf, ROOT } from "../../../shared/path.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { SEARCH_ORDERS } from "./ranking.ts";
import type { Search } from "./search.ts";
import {
  SEARCH_AGES,
  SEARCH_SIZES,
  SEARCH_TYPES,
  type SearchSize,
  type SearchType,
} from "./search_query.ts";
import { formatBytes } from "../../base/core/format.ts";
import { usePage } from "../../base/core/page.ts";
import { useMay } from "../../base/core/use_site.ts";
import { Icon } from "../../../../components/Icon.tsx";

const GLYPHS: Record<SearchType, IconNode> = {
  folder: Folder,
  document: FileText,
  image: Image,
  music: Music,
  pdf: ScrollText,
  video: Film,
  archive: FileArchive,
};

interface SearchFiltersProps {
  search: Search;
  /** The folder to search, unless everywhere is chosen. */
  here: EntryPath;
}

/** The filters of a search: kinds, date, size and the scope; and the order of the results. */
export function SearchFilters({ search, here }: SearchFiltersProps) {
  const { t, i18n: { language } } = useTranslation();
  const { filter, order, everywhere, contents } = search.asked.value;
  const may = useMay();
  const canLookInside = usePage().data.config.EnableContents && may("download");
  const sizeText = (bound: SearchSize, bytes: number) => {
    if (bound === "") return t("search.anySize");
    const size = formatBytes(bytes, language);
    return bound.startsWith("<") ? t("search.sizeUnder", { size }) : t("search.sizeOver", { size });
  };
  return (
    <div className="search__filters">
      <div role="group" className="search__types" aria-label={t("search.types")}>
        {SEARCH_TYPES.map((type) => (
          <button
            key={type}
            type="button"
            className="chip"
            aria-pressed={filter.types.has(type)}
            onClick={() => search.toggleType(type)}
          >
            <Icon glyph={GLYPHS[type]} />
            {t(`search.type.${type}`)}
          </button>
        ))}
      </div>
      <div className="search__more">
        {canLookInside && (
          <button
            type="button"
            className="chip"
            aria-pressed={contents}
            onClick={() => search.lookInside(!contents)}
          >
            <Icon glyph={TextSearch} />
            {t("search.inContents")}
          </button>
        )}
        {here !== ROOT && (
          <div role="group" className="search__scope" aria-label={t("search.scope")}>
            <button
              type="button"
              className="chip"
              aria-pressed={!everywhere}
              onClick={() =>
                search.widen(false)}
            >
              <span className="chip__name">{t("search.inFolder", { name: nameOf(here) })}</span>
            </button>
            <button
              type="button"
              className="chip"
              aria-pressed={everywhere}
              onClick={() =>
                search.widen(true)}
            >
              {t("search.everywhere")}
            </button>
          </div>
        )}
        <ChipSelect
          label={t("files.column.modified")}
          value={filter.age}
          choices={SEARCH_AGES.map((age) => [
            age,
            age === "" ? t("search.age.any") : t(`search.age.${age}`),
          ])}
          onChange={(age) => search.narrow({ age })}
        />
        <ChipSelect
          label={t("files.column.size")}
          value={filter.size}
          choices={SEARCH_SIZES.map(([size, bytes]) => [size, sizeText(size, bytes)])}
          onChange={(size) => search.narrow({ size })}
        />
        <ChipSelect
          label={t("search.order")}
          value={order}
          choices={SEARCH_ORDERS.map((one) => [
            one,
            one === "relevance" ? t("search.relevance") : t(`files.column.${one}`),
          ])}
          onChange={(order) => search.sort(order)}
        />
      </div>
    </div>
  );
}

interface ChipSelectProps<T extends string> {
  label: string;
  value: T;
  /** The values with their texts; the first one is that of a filter that is not set. */
  choices: (readonly [T, string])[];
  onChange: (value: T) => void;
}

/** A choice that looks like a chip; set off while it is not the first one. */
function ChipSelect<T extends string>({ label, value, choices, onChange }: ChipSelectProps<T>) {
  return (
    <select
      className="chip chip--select"
      aria-label={label}
      title={label}
      data-set={value !== choices[0]?.[0] || undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as T)}
    >
      {choices.map(([choice, text]) => <option key={choice} value={choice}>{text}</option>)}
    </select>
  );
}
