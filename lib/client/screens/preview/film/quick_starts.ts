import type { EntryPath } from "../../../../shared/path.ts";
import type { Api } from "../../../base/api/api.ts";
import type { Plan } from "./how_to_play.ts";

/** How far before the wanted position a seek may end, in seconds. */
const BEFORE_S = 12;
/** How far after it: a keyframe may be just before it, and its start that much later. In seconds. */
const AFTER_S = 1.2;
/** The length of a segment, in seconds. */
const SEGMENT_S = 1;
/** Into a segment, so that its first picture is shown and not the last one before, in seconds. */
const INTO_S = 0.1;
/** From the end of a film to where seeks go to the very position, in seconds. */
const END_S = 2;

/** What a seek looks at, and moves. */
export type SoughtElement = Pick<HTMLMediaElement, "currentTime" | "duration"> & {
  buffered: Pick<TimeRanges, "length" | "start" | "end">;
};

/** Where the conversion of a film begins soonest, and seeks that make use of it. */
export class QuickStarts {
  #starts: readonly number[] | null;

  /** @param starts in order, in seconds; null while they are unknown */
  constructor(starts: readonly number[] | null = null) {
    this.#starts = starts;
  }

  /**
   * Reads the starts of a film that is converted, once; without an answer seeks go to the very
   * position. Call it when something is loaded: it would delay that.
   */
  async read(
    { api, path }: { api: Pick<Api, "calls">; path: EntryPath },
    plan: Plan | null,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#starts || !isConverted(plan)) return;
    this.#starts = [];
    const answer = await api.calls.json("GET /api/stream/{part}/{path}", {
      params: { part: "info", path },
      query: { starts: true },
      signal,
    });
    if (answer.ok) this.#starts = answer.value.quickStarts ?? [];
  }

  /**
   * Seeks. In a converted film it goes to a start near the wanted position and in its direction. A
   * position that is loaded needs none, and a step goes at least half of its way.
   *
   * @param to in seconds
   */
  seek(element: SoughtElement, to: number, plan: Plan | null): void {
    element.currentTime = isConverted(plan) ? this.#goalOf(element, to) : to;
  }

  /**
   * Where a film that is left at a position goes on soonest the next time, in seconds: at the start
   * before it.
   */
  before(at: number, plan: Plan | null): number {
    if (!isConverted(plan)) return at;
    const start = this.#starts?.findLast((start) => start <= at);
    return start === undefined || at - start > BEFORE_S ? at : start + INTO_S;
  }

  #goalOf({ currentTime: from, duration, buffered }: SoughtElement, to: number): number {
    const ranges = Array.from({ length: buffered.length }, (_, at) => at);
    if (ranges.some((at) => buffered.start(at) <= to && to < buffered.end(at))) return to;
    const start = this.#starts?.findLast((start) => start < to + AFTER_S);
    if (start === undefined || to - start > BEFORE_S) return to;
    // Within the segment that begins there; an unknown duration counts as the end.
    if (to >= start && to - start < SEGMENT_S || !(duration - to >= END_S)) return to;
    const goal = start + INTO_S;
    const isOnItsWay = to > from ? goal - from >= (to - from) / 2 : goal < from;
    return isOnItsWay ? goal : to;
  }
}

/** Whether the server decodes the pictures. */
function isConverted(plan: Plan | null): boolean {
  return plan?.is === "stream" && plan.video !== "copy" && plan.video !== "none";
}
