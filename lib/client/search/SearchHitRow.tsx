import { SquareArrowOutUpRight } from "lucide";
import { partsOf, type SearchHit, type Terms } from "./search_query.ts";
import { useTranslation } from "../core/use_translation.ts";
import { IconButton } from "../../../components/Button.tsx";
import { EntryIcon } from "../listing/EntryIcon.tsx";
import { entryOfHit } from "./hit_kind.ts";

interface SearchHitRowProps {
  hit: SearchHit;
  /** The position among the results, from 0. */
  index: number;
  terms: Terms;
  /** The name of the folder that was searched. */
  base: string;
  /** The page of the entry itself. */
  href: string;
  /** Whether the keyboard cursor is on it. */
  current: boolean;
}

/** The id of the row of a result. */
export function hitId(index: number): string {
  return `hit-${index}`;
}

/** One result: its name with the matches marked, and its folder. */
export function SearchHitRow({ hit, index, terms, base, href, current }: SearchHitRowProps) {
  const { t } = useTranslation();
  const entry = entryOfHit(hit);
  const folder = hit.path.slice(0, -entry.name.length - 1);
  return (
    <div
      role="row"
      id={hitId(index)}
      className="hit"
      data-index={index}
      aria-rowindex={index + 1}
      aria-selected={current}
    >
      <div role="gridcell" className="hit__main">
        <EntryIcon entry={entry} />
        <a className="hit__words" href={href} tabIndex={-1} draggable={false}>
          <span className="hit__name" dir="auto">
            {partsOf(entry.name, terms).map(({ text, hit }, position) =>
              hit ? <mark key={position}>{text}</mark> : text
            )}
          </span>
          <span className="hit__folder" dir="auto">{folder || base}</span>
        </a>
      </div>
      <div role="gridcell">
        <IconButton
          className="hit__open"
          label={t("search.openItself", { name: entry.name })}
          glyph={SquareArrowOutUpRight}
          mirror
          tabIndex={-1}
          data-open
        />
      </div>
    </div>
  );
}
