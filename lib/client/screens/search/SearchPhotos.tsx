import { useLayoutEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { nameOf, parsePath, ROOT } from "../../../shared/path.ts";
import { formatBytes, formatExact } from "../../base/core/format.ts";
import { lazy } from "../../base/core/lazy.ts";
import { useLazy } from "../../base/core/use_site.ts";
import { useFiles } from "../../base/files/use_files.ts";
import { EntryRow } from "../../files_page/listing/EntryRow.tsx";
import { arrangeBy } from "../../files_page/listing/photos/photo_layout.ts";
import { isPhoto, usePictured } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { useWindow } from "../../files_page/listing/use_window.ts";
import { entryOfHit } from "./hits.ts";
import { chooseByClick, hitId, partsOfHits, type SearchResultsProps } from "./SearchResults.tsx";

const thumbs = lazy(() => import("../../files_page/listing/thumbs/Thumb.tsx"));

/** The characters of a name that are nearly always in view. */
const ROOM = 11;

/** What has no shape of its own is a square. */
const SQUARE = 100;

/** The results as photos, in justified lines as those of a folder; only those in view are drawn. */
export function SearchPhotos({ search, id, onChoose }: SearchResultsProps) {
  const { t, i18n: { language } } = useTranslation();
  const { navigation, view } = useFiles();
  const isPictured = usePictured(true);
  const code = useLazy(thumbs, true);
  const { base, hits, run } = search.found.value;
  const at = search.at.value;
  const chosen = search.chosen.value;
  const total = Math.min(hits.length, search.shown.value);
  const { entries, parts, starts, arrange } = useMemo(() => {
    const entries = hits.slice(0, total).map((hit) => entryOfHit(hit, base));
    const ratios = entries.map((entry, index) => isPhoto(entry) ? hits[index]?.ratio ?? 0 : SQUARE);
    const parts = partsOfHits(hits, total);
    const isWhole = parts.length < 2 && parts[0]?.heading === undefined;
    const starts = isWhole ? undefined : parts.map(({ at }) => at);
    return { entries, parts, starts, arrange: arrangeBy(ratios) };
  }, [hits, total, base]);
  const tiles = view.now.value.tileSize;
  const list = useWindow(total, `photos ${tiles}`, () => 0, starts, arrange);
  const { scroller, rows, first, last, box, lines, scrollTo, reveal } = list;
  const shownRun = useRef<symbol>(null);
  useLayoutEffect(() => {
    if (shownRun.current === run) return reveal(at);
    shownRun.current = run;
    scrollTo(search.top, at);
  }, [at, run]);
  useLayoutEffect(() => {
    if (box && last >= search.shown.peek()) search.more();
  }, [box === null, last, total]);
  const heading = (part: number) => {
    const text = parts[part]?.heading;
    if (text) return t(`search.${text}`);
    return base === ROOT ? t("files.myFiles") : nameOf(base);
  };
  return (
    <div
      className="listing hits--photos"
      ref={scroller}
      tabIndex={-1}
      data-view="mosaic gallery"
      data-tiles={tiles}
      data-selecting={chosen.size > 0 || undefined}
      onScroll={(event) => search.top = event.currentTarget.scrollTop}
      aria-busy={search.status.value === "searching"}
    >
      <div
        role="grid"
        id={id}
        aria-label={t("search.results")}
        aria-rowcount={hits.length}
        onClick={(event) => chooseByClick(event, onChoose)}
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
            const part = starts === undefined
              ? -1
              : position === 0
              ? starts.findLastIndex((start) => start <= index)
              : starts.indexOf(index);
            const hit = hits[index];
            const isPicture = isPhoto(entry) && isPictured(entry);
            return [
              ...part >= 0
                ? [
                  <div
                    key={`part ${part}`}
                    role="presentation"
                    className="group-span"
                    style={starts && lines?.spanOf(starts, part)}
                  >
                    <div role="row" className="group">
                      <div role="rowheader" className="group__name">{heading(part)}</div>
                    </div>
                  </div>,
                ]
                : [],
              <EntryRow
                t={t}
                key={entry.path}
                id={hitId(index)}
                current={index === at}
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
