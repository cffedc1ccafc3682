import type { Box, Line, Lines, Place } from "../../../base/files/row_window.ts";
import type { Span } from "../../../base/files/rows.ts";
import { shownRatio } from "./shown_ratio.ts";

/** A line that would get higher than this takes a picture more, such as a panorama, and is lower. */
const MOST_STRETCH = 1.5;

/** How to lay out the pictures. All lengths are CSS pixels. */
export interface Justification {
  /** The width to height of each entry, in percent; a square where there is none. */
  ratios: ArrayLike<number>;
  total: number;
  /** The width of a line. */
  width: number;
  /** The height of a line, at least; one that holds a single wide picture may be lower. */
  height: number;
  gap: number;
  /** The first index of each group, which begins a line below a heading. */
  groups?: readonly number[] | undefined;
  /** The height of headings, gap included. */
  heading: number;
}

/**
 * Pictures in lines of one height each, which fill the width: none is cropped. The style sheet
 * breaks lines at the same places, for pages without script. Entries beyond what the ratios tell
 * are squares.
 */
export class JustifiedLines implements Lines {
  readonly total: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly columns: number;
  readonly heading: number;
  readonly #gap: number;
  readonly #starts: Int32Array;
  readonly #tops: Float64Array;
  readonly #heights: Float64Array;
  readonly #froms: Float64Array;
  readonly #lefts: Float64Array;
  readonly #widths: Float64Array;
  #count = 0;

  /** @param layout how to lay out the pictures */
  constructor({ ratios, total, width, height, gap, groups, heading }: Justification) {
    this.total = total;
    this.heading = groups ? heading : 0;
    this.#gap = gap;
    this.#starts = new Int32Array(total + 1);
    this.#tops = new Float64Array(total + 1);
    this.#heights = new Float64Array(total);
    this.#froms = new Float64Array(total);
    this.#lefts = new Float64Array(total);
    this.#widths = new Float64Array(total);
    const ratioOf = (index: number) => shownRatio(index < ratios.length ? ratios[index] : 100);
    const isStart = new Set(groups);
    let top = 0;
    for (let first = 0; first < total;) {
      const from = top;
      if (isStart.has(first)) top += heading;
      let [last, sum] = [first, 0];
      for (; last < total && (last === first || !isStart.has(last)); last++) {
        const ratio = ratioOf(last);
        const isFull = (sum + ratio) * height + (last - first) * gap > width;
        if (isFull && (width - (last - first - 1) * gap) / sum <= height * MOST_STRETCH) break;
        sum += ratio;
      }
      const isLast = last === total || isStart.has(last);
      const room = width - (last - first - 1) * gap;
      const full = room / sum;
      // The last line stays as high as the others, and its end is empty.
      const tall = isLast ? Math.min(full, height) : Math.min(full, height * MOST_STRETCH);
      const lineHeight = Math.max(1, Math.round(tall));
      this.#put({ first, last, from, top, height: lineHeight }, ratioOf, Math.min(tall, full));
      top += lineHeight + gap;
      first = last;
    }
    this.#starts[this.#count] = total;
    this.#tops[this.#count] = top;
    this.height = top;
    this.rowHeight = this.#count === 0 ? height + gap : top / this.#count;
    this.columns = Math.max(2, Math.round(total / Math.max(1, this.#count)));
  }

  lineOf(index: number): Line {
    return this.#line(lastUpTo(this.#starts, this.#count, index));
  }

  lineAt(y: number): Line {
    return this.#line(lastUpTo(this.#froms, this.#count, y));
  }

  beside(index: number, step: 1 | -1): number {
    const at = lastUpTo(this.#starts, this.#count, index) + step;
    if (at < 0 || at >= this.#count) return index;
    const middle = this.#middleOf(index);
    const { first, last } = this.#line(at);
    let nearest = first;
    for (let other = first; other < last; other++) {
      const isNearer = Math.abs(this.#middleOf(other) - middle) <
        Math.abs(this.#middleOf(nearest) - middle);
      if (isNearer) nearest = other;
    }
    return nearest;
  }

  spansIn({ start, end, top, bottom }: Box): Span[] {
    const spans: Span[] = [];
    if (this.#count === 0 || bottom < 0 || top > this.height) return spans;
    const begin = lastUpTo(this.#froms, this.#count, top);
    for (let at = begin; at < this.#count && (this.#tops[at] ?? 0) <= bottom; at++) {
      const line = this.#line(at);
      if (line.top + line.height - this.#gap < top) continue;
      const touched: number[] = [];
      for (let index = line.first; index < line.last; index++) {
        const { start: left, width } = this.placeOf(index);
        if (left <= end && left + width >= start) touched.push(index);
      }
      const [from, to] = [touched[0], touched.at(-1)];
      if (from === undefined || to === undefined) continue;
      const before = spans.at(-1);
      if (before?.to === from) before.to = to + 1;
      else spans.push({ from, to: to + 1 });
    }
    return spans;
  }

  placeOf(index: number): Place {
    const { top, height } = this.lineOf(index);
    return {
      start: this.#lefts[index] ?? 0,
      top,
      width: this.#widths[index] ?? 0,
      height: height - this.#gap,
    };
  }

  styleOf(index: number): Record<string, string> {
    const { start, top, width, height } = this.placeOf(index);
    return {
      insetInlineStart: `${start}px`,
      insetBlockStart: `${top}px`,
      inlineSize: `${width}px`,
      blockSize: `${height}px`,
    };
  }

  spanOf(starts: readonly number[], group: number): Record<string, string> {
    const next = starts[group + 1];
    const top = this.lineOf(starts[group] ?? 0).from;
    const end = next === undefined ? this.height : this.lineOf(next).from;
    return { insetBlockStart: `${top}px`, blockSize: `${end - top}px` };
  }

  #middleOf(index: number): number {
    return (this.#lefts[index] ?? 0) + (this.#widths[index] ?? 0) / 2;
  }

  #put(line: Line, ratioOf: (index: number) => number, height: number): void {
    const at = this.#count++;
    this.#starts[at] = line.first;
    this.#tops[at] = line.top;
    this.#froms[at] = line.from;
    this.#heights[at] = line.height;
    let left = 0;
    for (let index = line.first; index < line.last; index++) {
      const right = left + ratioOf(index) * height;
      // On whole pixels, so that all gaps look alike.
      this.#lefts[index] = Math.round(left);
      this.#widths[index] = Math.max(1, Math.round(right) - Math.round(left));
      left = right + this.#gap;
    }
  }

  #line(at: number): Line {
    const number = (numbers: ArrayLike<number>, index: number) => numbers[index] ?? 0;
    return {
      first: number(this.#starts, at),
      last: number(this.#starts, at + 1),
      from: number(this.#froms, at),
      top: number(this.#tops, at),
      height: number(this.#heights, at) + this.#gap,
    };
  }
}

/** The index of the last of the first `count` ascending numbers that is not greater; 0 for none. */
function lastUpTo(numbers: ArrayLike<number>, count: number, wanted: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= wanted) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
