import { FolderSearch } from "lucide";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "../../../shared/api_types.ts";
import { partsOf, type Terms } from "./search_query.ts";
import { IconButton, Tick } from "../../../../components/Button.tsx";
import { EntryIcon } from "../../files_page/listing/thumbs/EntryIcon.tsx";

interface SearchHitRowProps {
  entry: Entry;
  /** The folder of the entry, as it is shown. */
  folder: string;
  /** The position among the results, from 0. */
  index: number;
  terms: Terms;
  /** The text around the hits of a file found by its content, every second piece a hit. */
  snippet?: readonly string[];
  /** The page of the entry itself. */
  href: string;
  /** Whether the keyboard cursor is on it. */
  current: boolean;
  selected: boolean;
  /** Shown in place of the icon. */
  picture?: ReactNode;
  /** The size in words; "" for a folder. */
  size: string;
  /** When it was last changed: in words, and in full. */
  modified: string;
  modifiedFull: string;
}

/** The id of the row of a result. */
export function hitId(index: number): string {
  return `hit-${index}`;
}

/** One result: its picture, its name with the matches marked, its folder, size and date. */
export function SearchHitRow(props: SearchHitRowProps) {
  const { entry, folder, index, terms, href, current, selected, picture, snippet } = props;
  const { t } = useTranslation();
  const { name } = entry;
  return (
    <div
      role="row"
      id={hitId(index)}
      className="hit"
      data-index={index}
      aria-rowindex={index + 1}
      aria-selected={current}
    >
      <div role="gridcell" className="hit__tick">
        <Tick label={t("files.selectEntry", { name })} checked={selected} tabIndex={-1} readOnly />
      </div>
      <div role="gridcell" className="hit__main">
        {picture ?? <EntryIcon entry={entry} />}
        <a className="hit__words" href={href} tabIndex={-1} draggable={false}>
          <span className="hit__name" dir="auto">
            {partsOf(name, terms).map(({ text, hit }, position) =>
              hit ? <mark key={position}>{text}</mark> : text
            )}
            {snippet && (
              <span className="hit__place">
                {"\u2002"}
                <bdi>{folder}</bdi>
              </span>
            )}
          </span>
          <span className="hit__folder" dir="auto">
            {snippet?.map((text, position) =>
              position % 2 === 1 ? <mark key={position}>{text}</mark> : text
            ) ?? folder}
          </span>
        </a>
      </div>
      <div role="gridcell" className="hit__size">{props.size}</div>
      <time
        role="gridcell"
        className="hit__modified"
        dateTime={entry.modified}
        title={props.modifiedFull}
      >
        {props.modified}
      </time>
      <div role="gridcell">
        <IconButton
          className="hit__show"
          label={t("search.showHit", { name })}
          glyph={FolderSearch}
          tabIndex={-1}
          data-show
        />
      </div>
    </div>
  );
}
