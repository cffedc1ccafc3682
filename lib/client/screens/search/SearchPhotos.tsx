import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { parsePath } from "../../../shared/path.ts";
import { formatBytes, formatExact } from "../../base/core/format.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { EntryRow } from "../../files_page/listing/EntryRow.tsx";
import { GroupHeading } from "../../files_page/listing/GroupHeading.tsx";
import { arrangeBy } from "../../files_page/listing/photos/photo_layout.ts";
import { isPhoto, usePictured } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { useWindow } from "../../files_page/listing/use_window.ts";
import { entryOfHit } from "./hits.ts";
import {
  hitId,
  type SearchResultsProps,
  useHitEvents,
  useHitParts,
  useHitScroll,
} from "./SearchResults.tsx";

const thumbs = lazy(() => import("../../files_page/listing/thumbs/Thumb.tsx"));

/** The characters of a name that are nearly always in view. */
const ROOM = 11;

/** What has no shape of its own is a square. */
const SQUARE = 100;

/** The results as photos, in justified lines as those of a folder; only those in view are drawn. */
export function SearchPhotos({ search, id, onChoose, onMenu }: SearchResultsProps) {
  const { t, i18n: { language } } = useTranslation();
  const { navigation, view } = useFiles();
  const isPictured = usePictured(true);
  const code = useLazy(thumbs, true);
  const { base, hits } = search.found.value;
  const chosen = search.chosen.value;
  const total = Math.min(hits.length, search.shown.value);
  const { parts, starts } = useHitParts(search.found.value, total);
  const { entries, arrange } = useMemo(() => {
    const entries = hits.slice(0, total).map((hit) => entryOfHit(hit, base));
    const ratios = entries.map((entry, index) => isPhoto(entry) ? hits[index]?.ratio ?? 0 : SQUARE);
    return { entries, arrange: arrangeBy(ratios) };
  }, [hits, total, base]);
  const tiles = view.now.value.tileSize;
  const list = useWindow(total, `photos ${tiles}`, () => 0, starts, arrange);
  const { scroller, rows, first, last, lines } = list;
  useHitScroll(search, list, last);
  return (
    <div
      className="listing hits"
      ref={scroller}
      tabIndex={-1}
      data-view="mosaic gallery"
      data-tiles={tiles}
      data-selecting={chosen.size > 0 || undefined}
      aria-busy={search.status.value === "searching"}
      {...useHitEvents(search, onChoose, onMenu)}
    >
      <div
        role="grid"
        id={id}
        aria-label={t("search.results")}
        aria-rowcount={hits.length}
      >
        <div
          role="rowgroup"
          className="rows"
          ref={rows}
          data-placed={lines ? true : undefined}
          style={lines ? { blockSize: `${lines.height}px` } : undefined}
        >
          {entries.slice(first, last).flatMap((entry, position) => {
            const index = first + position;
            const { path } = parsePath(entry.path);
            // The heading stays in view, also that of a part which began further up.
            const at = starts === undefined
              ? -1
              : position === 0
              ? starts.findLastIndex((start) => start <= index)
              : starts.indexOf(index);
            const part = parts[at];
            const hit = hits[index];
            const isPicture = isPhoto(entry) && isPictured(entry);
            return [
              ...part
                ? [
                  <GroupHeading
                    key={`part ${part.title}`}
                    {...part}
                    span={starts && lines?.spanOf(starts, at)}
                  />,
                ]
                : [],
              <EntryRow
                t={t}
                key={entry.path}
                id={hitId(index)}
                current={index === search.at.value}
                entry={entry}
                room={ROOM}
                index={index}
                href={navigation.href(path, entry.isDir, hit?.line)}
                selected={chosen.has(hit?.path ?? "")}
                tabIndex={-1}
                size={entry.isDir ? "" : formatBytes(entry.size, language)}
                modified=""
                modifiedFull={formatExact(entry.modified, language)}
                style={lines?.styleOf(index)}
                tile={isPicture ? "photo" : "named"}
                picture={code && isPictured(entry) ? <code.Thumb entry={entry} /> : undefined}
              />,
            ];
          })}
        </div>
      </div>
    </div>
  );
}
