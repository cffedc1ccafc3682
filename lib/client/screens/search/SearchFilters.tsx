import {
  FileArchive,
  FileText,
  Film,
  Folder,
  FolderSearch,
  type IconNode,
  Image,
  Music,
  ScrollText,
  SlidersHorizontal,
  TextSearch,
} from "lucide";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ROOT } from "../../../shared/path.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { SEARCH_ORDERS } from "./ranking.ts";
import type { Search } from "./search.ts";
import {
  isRange,
  SEARCH_AGES,
  SEARCH_SIZES,
  SEARCH_TYPES,
  type SearchSize,
  type SearchType,
} from "./search_query.ts";
import { VIEW_GLYPHS } from "../../base/files/glyphs.ts";
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
  /** The folder that is searched first. */
  here: EntryPath;
}

/** The filters of a search: kinds, date, size and the scope; and the order of the results. */
export function SearchFilters({ search, here }: SearchFiltersProps) {
  const { t, i18n: { language } } = useTranslation();
  const { filter, order, hereOnly, contents, photos } = search.asked.value;
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  const canLookInside = usePage().data.config.EnableContents && may("download");
  const sizeText = (bound: SearchSize, bytes: number) => {
    if (bound === "") return t("search.anySize");
    const size = formatBytes(bytes, language);
    return bound.startsWith("<") ? t("search.sizeUnder", { size }) : t("search.sizeOver", { size });
  };
  return (
    <div className="search__filters" data-open={isOpen || undefined}>
      <button
        type="button"
        className="chip search__unfold"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon glyph={SlidersHorizontal} />
        {t("search.filters")}
      </button>
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
        {here !== ROOT && (
          <button
            type="button"
            className="chip"
            aria-pressed={hereOnly}
            onClick={() => search.stayHere(!hereOnly)}
          >
            <Icon glyph={FolderSearch} />
            {t("search.hereOnly")}
          </button>
        )}
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
        <ChipSelect
          label={t("search.date")}
          hint={t("search.dateHint")}
          value={isRange(filter.age) ? ".." : filter.age}
          choices={[
            ...SEARCH_AGES.map((age) =>
              [age, age === "" ? t("search.age.any") : t(`search.age.${age}`)] as const
            ),
            ["..", t("search.age.range")] as const,
          ]}
          onChange={(age) => search.narrow({ age })}
        />
        {isRange(filter.age) && <DateRange search={search} age={filter.age} />}
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
            one === "relevance"
              ? t("search.relevance")
              : one === "modified"
              ? t("search.date")
              : t(`files.column.${one}`),
          ])}
          onChange={(order) => search.sort(order)}
        />
        <div role="group" className="search__views" aria-label={t("views.title")}>
          {([["list", false], ["mosaic gallery", true]] as const).map(([mode, isPhotos]) => (
            <button
              key={mode}
              type="button"
              className="chip search__view"
              aria-label={t(`views.${mode}`)}
              title={t(`views.${mode}`)}
              aria-pressed={photos === isPhotos}
              onClick={() => search.show(isPhotos)}
            >
              <Icon glyph={VIEW_GLYPHS[mode]} />
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}

interface DateRangeProps {
  search: Search;
  age: `${string}..${string}`;
}

/** The first and the last day of a range; each may be left open. */
function DateRange({ search, age }: DateRangeProps) {
  const { t } = useTranslation();
  const [from = "", to = ""] = age.split("..");
  return (
    <div role="group" className="search__range" aria-label={t("search.age.range")}>
      <input
        type="date"
        className="chip"
        aria-label={t("search.from")}
        value={from}
        max={to || undefined}
        onChange={({ currentTarget }) => search.narrow({ age: `${currentTarget.value}..${to}` })}
      />
      <span aria-hidden="true">–</span>
      <input
        type="date"
        className="chip"
        aria-label={t("search.to")}
        value={to}
        min={from || undefined}
        onChange={({ currentTarget }) => search.narrow({ age: `${from}..${currentTarget.value}` })}
      />
    </div>
  );
}

interface ChipSelectProps<T extends string> {
  label: string;
  /** What it is about, where the label alone does not tell. */
  hint?: string;
  value: T;
  /** The values with their texts; the first one is that of a filter that is not set. */
  choices: (readonly [T, string])[];
  onChange: (value: T) => void;
}

/** A choice that looks like a chip; set off while it is not the first one. */
function ChipSelect<T extends string>(
  { label, hint, value, choices, onChange }: ChipSelectProps<T>,
) {
  return (
    <select
      className="chip chip--select"
      aria-label={label}
      title={hint ?? label}
      aria-description={hint}
      data-set={value !== choices[0]?.[0] || undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as T)}
    >
      {choices.map(([choice, text]) => <option key={choice} value={choice}>{text}</option>)}
    </select>
  );
}
