import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Group } from "../../../../shared/schemas/entry.ts";
import { formatMonth } from "../../../base/core/format.ts";
import type { Lines } from "../../../base/files/row_window.ts";

interface ScrubberProps {
  /** The element that scrolls the rows. */
  scroller: RefObject<HTMLElement>;
  lines: Lines;
  groups: readonly Group[];
  /** The first index of each group. */
  starts: readonly number[];
}

/** The least distance between two years at the side, in pixels. */
const YEAR_PX = 26;

/** Shorter lists are scrolled without it: less than this many times the height of the view. */
const LEAST_VIEWS = 2;

/** What was seen of the scroller. */
interface Seen {
  scrollTop: number;
  height: number;
  /** The greatest `scrollTop`, and the height of what scrolls away above the rows. */
  most: number;
  above: number;
}

/**
 * The years of photos in groups of months or days, along the side: pressed or dragged it scrolls to
 * a date. For the keyboard and screen readers it is a slider, whose steps are the groups.
 */
export function Scrubber({ scroller, lines, groups, starts }: ScrubberProps) {
  const { t, i18n: { language } } = useTranslation();
  const rail = useRef<HTMLDivElement>(null);
  const [isDragged, setDragged] = useState(false);
  const seen = useSeen(scroller, lines);
  const isOfDates = groups.some(({ name }) => isDate(name));
  const isShown = seen !== null && isOfDates && lines.height >= LEAST_VIEWS * seen.height;
  // The rows have other room then, and are arranged again before they are painted.
  useLayoutEffect(() => void scroller.current?.dispatchEvent(new Event("scroll")), [isShown]);
  if (!isShown) return null;

  const at = Math.max(
    0,
    starts.findLastIndex((start) => topOf(start) <= seen.scrollTop - seen.above + 1),
  );
  const text = groups[at] && isDate(groups[at].name) ? formatMonth(groups[at].name, language) : "";
  const part = seen.most > 0 ? Math.min(1, seen.scrollTop / seen.most) : 0;

  function topOf(start: number): number {
    return lines.lineOf(start).from;
  }
  const scrollTo = (top: number) => {
    if (scroller.current) scroller.current.scrollTop = top;
  };
  const goTo = (group: number) => {
    const start = starts[Math.max(0, Math.min(starts.length - 1, group))];
    if (start !== undefined) scrollTo(topOf(start) + seen.above);
  };
  /** The next group of another year in a direction. */
  const yearFrom = (step: 1 | -1) => {
    const year = yearOf(groups[at]?.name);
    let next = at;
    while (groups[next] && yearOf(groups[next]?.name) === year) next += step;
    return next;
  };
  const drag = ({ clientY }: { clientY: number }) => {
    const box = rail.current?.getBoundingClientRect();
    if (box) scrollTo((clientY - box.top) / box.height * seen.most);
  };
  const steps: Record<string, () => void> = {
    ArrowDown: () => goTo(at + 1),
    ArrowUp: () => goTo(at - 1),
    PageDown: () => goTo(yearFrom(1)),
    PageUp: () => goTo(yearFrom(-1)),
    Home: () => scrollTo(0),
    End: () => scrollTo(seen.most),
  };
  return (
    <div
      className="scrubber"
      data-dragged={isDragged || undefined}
      data-top={part === 0 || undefined}
    >
      <div
        ref={rail}
        role="slider"
        className="scrubber__rail"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={t("files.column.taken")}
        aria-valuemin={0}
        aria-valuemax={starts.length - 1}
        aria-valuenow={at}
        aria-valuetext={text}
        style={{ blockSize: `${seen.height}px` }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.preventDefault();
          event.stopPropagation();
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragged(true);
          drag(event);
        }}
        onPointerMove={(event) => isDragged && drag(event)}
        onPointerUp={() => setDragged(false)}
        onPointerCancel={() => setDragged(false)}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          const step = steps[event.key];
          if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          event.stopPropagation();
          step();
        }}
      >
        {yearsOf(groups, starts, (start) => topOf(start) / lines.height * seen.height)
          .map(({ year, y }) => (
            <span
              key={year}
              className="scrubber__year"
              aria-hidden="true"
              style={{ insetBlockStart: `${y}px` }}
            >
              {year}
            </span>
          ))}
        <span
          className="scrubber__now"
          aria-hidden="true"
          style={{ "--part": `${part}` }}
        >
          {text && <span className="scrubber__text">{text}</span>}
        </span>
      </div>
    </div>
  );
}

/** Whether a group is of a month or a day. */
function isDate(name: string): boolean {
  return /^\d{4}-/.test(name);
}

function yearOf(name = ""): string {
  return isDate(name) ? name.slice(0, 4) : "";
}

/** The years that have room at the side, with their places in pixels. */
function yearsOf(
  groups: readonly Group[],
  starts: readonly number[],
  placeOf: (start: number) => number,
): { year: string; y: number }[] {
  const years: { year: string; y: number }[] = [];
  let former = "";
  for (const [at, { name }] of groups.entries()) {
    const year = yearOf(name);
    if (year === "" || year === former) continue;
    former = year;
    const y = placeOf(starts[at] ?? 0);
    if (y - (years.at(-1)?.y ?? -YEAR_PX) >= YEAR_PX) years.push({ year, y });
  }
  return years;
}

/** Follows a scroller; null before it is measured. */
function useSeen(scroller: RefObject<HTMLElement>, lines: Lines): Seen | null {
  const [seen, setSeen] = useState<Seen | null>(null);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const look = () => {
      const head = box.querySelector<HTMLElement>(".listing__head")?.offsetHeight ?? 0;
      const above = box.querySelector<HTMLElement>("[data-above]")?.offsetHeight ?? 0;
      const covered = Number.parseFloat(getComputedStyle(box).scrollPaddingBottom) || 0;
      const { scrollTop, clientHeight, scrollHeight } = box;
      const height = clientHeight - head - covered;
      setSeen({ scrollTop, height, above, most: scrollHeight - clientHeight });
    };
    look();
    box.addEventListener("scroll", look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(box);
    return () => {
      box.removeEventListener("scroll", look);
      resized.disconnect();
    };
  }, [scroller, lines]);
  return seen;
}
