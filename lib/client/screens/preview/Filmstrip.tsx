import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { displayName } from "../../../shared/entry_names.ts";
import { usePage } from "../../base/core/page.ts";
import { useMay } from "../../base/core/use_site.ts";
import { EntryIcon } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { Thumb } from "../../files_page/listing/thumbs/Thumb.tsx";
import type { Span } from "../../base/files/rows.ts";
import type { MediaStrip } from "./preview_neighbours.ts";
import { centred, spanInView } from "./strip_window.ts";
import { keepIn, openLocalStorage } from "../../base/core/browser_storage.ts";
import { useMediaNow } from "./use_screen.ts";

/** The width of a cell with its gap, in rem, as the style sheet has it. */
const CELL_REM = 4.25;

/** Debounce of requests for files, so that fast scrolling sends none, in milliseconds. */
const REST_MS = 80;

interface FilmstripProps {
  strip: MediaStrip;
  /** The place of the open file; -1 for none. */
  place: number;
  onOpen: (entry: Entry) => void;
  /** Called with the places in view whose files are to be loaded, `to` exclusive. */
  onWant: (from: number, to: number) => void;
}

/** Thumbnails of what can be shown in the folder, of which only those in view are drawn. */
export function Filmstrip({ strip, place, onOpen, onWant }: FilmstripProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const cell = useCell();
  const { from, to } = useSpan(scroller, cell, strip.length);

  const former = useRef(place);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || place === -1) return;
    const isNear = Math.abs(place - former.current) < 8;
    former.current = place;
    const top = centred(place, cell, box.clientWidth);
    const left = document.dir === "rtl" ? -top : top;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    box.scrollTo({ left, behavior: isNear && !isCalm ? "smooth" : "instant" });
  }, [place, cell, strip.length]);

  useEffect(() => {
    const timer = setTimeout(() => onWant(from, to), REST_MS);
    return () => clearTimeout(timer);
  }, [from, to, strip]);

  return (
    <nav className="strip" aria-label={t("preview.strip")}>
      <div
        className="strip__view"
        ref={scroller}
        onWheel={(event) => {
          if (event.deltaX !== 0) return;
          const side = document.dir === "rtl" ? -1 : 1;
          event.currentTarget.scrollLeft += side * event.deltaY;
        }}
      >
        <div className="strip__all" style={{ inlineSize: `${strip.length * cell}px` }}>
          {Array.from({ length: to - from }, (_, position) => {
            const at = from + position;
            return (
              <Cell
                key={strip.rowOf(at)}
                entry={strip.at(at)}
                start={at * cell}
                isOpen={at === place}
                onOpen={onOpen}
              />
            );
          })}
        </div>
      </div>
    </nav>
  );
}

interface CellProps {
  /** Undefined while it is not loaded. */
  entry: Entry | undefined;
  /** The distance from the start of the strip, in pixels. */
  start: number;
  isOpen: boolean;
  onOpen: (entry: Entry) => void;
}

function Cell({ entry, start, isOpen, onOpen }: CellProps) {
  const { ThumbKinds } = usePage().data.config;
  const mayRead = useMay()("download");
  const style = { insetInlineStart: `${start}px` };
  if (!entry) return <span className="strip__cell" style={style} />;
  const name = displayName(entry.name);
  return (
    <button
      type="button"
      className="strip__cell"
      style={style}
      aria-label={name}
      aria-current={isOpen || undefined}
      title={name}
      tabIndex={isOpen ? 0 : -1}
      onClick={() => onOpen(entry)}
    >
      {mayRead && ThumbKinds.some((kind) => kind === entry.type)
        ? <Thumb entry={entry} small />
        : <EntryIcon entry={entry} />}
    </button>
  );
}

/** The width of a cell in pixels, in the user's font size. */
function useCell(): number {
  const [cell] = useState(() =>
    CELL_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  );
  return cell;
}

/** The cells to draw. */
function useSpan(scroller: RefObject<HTMLDivElement>, cell: number, length: number): Span {
  const [span, setSpan] = useState<Span>({ from: 0, to: 0 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    // Reading it on every scroll would force a layout each time.
    let size = box.clientWidth;
    const update = () => {
      const now = spanInView({ start: Math.abs(box.scrollLeft), size, cell, length });
      setSpan((before) => before.from === now.from && before.to === now.to ? before : now);
    };
    update();
    box.addEventListener("scroll", update, { passive: true });
    const resized = new ResizeObserver(() => {
      size = box.clientWidth;
      update();
    });
    resized.observe(box);
    return () => {
      box.removeEventListener("scroll", update);
      resized.disconnect();
    };
  }, [cell, length]);
  return { from: Math.min(span.from, length), to: Math.min(span.to, length) };
}

/** Where the browser keeps whether the filmstrip is shown. */
const KEY = "filmstrip";

/** Whether the filmstrip is shown. Small screens have it when the user asks for it. */
export function useFilmstrip(): [isShown: boolean, toggle: () => void] {
  const isLarge = useMediaNow("(width > 46em) and (height > 30em)");
  const [chosen, setChosen] = useState(() => openLocalStorage().getItem(KEY));
  const isShown = chosen === null ? isLarge : chosen === "shown";
  const toggle = () => {
    const choice = isShown ? "hidden" : "shown";
    keepIn(openLocalStorage(), KEY, choice);
    setChosen(choice);
  };
  return [isShown, toggle];
}
