import type { EntryPath } from "../../../../shared/path.ts";
import type { Api } from "../../../base/api/api.ts";

/** How far before the wanted position a seek may end, in seconds. */
const BEFORE_S = 12;
/** How far after it, in seconds: the length of a segment. */
const AFTER_S = 1;
/** Into a segment, so that its first picture is shown and not the last one before, in seconds. */
const INTO_S = 0.1;
/** From the end of a film to where seeks go to the very position, in seconds. */
const END_S = 2;

/** A seek, in seconds. */
export interface Seek {
  /** The present position, and the wanted one. */
  from: number;
  to: number;
  /** The duration; 0 while it is unknown. */
  of: number;
}

/**
 * Where a seek in a converted film goes: to a start that the server comes to soonest, near the
 * wanted position and in its direction. A position that is loaded needs none, and a step goes at
 * least half of its way.
 *
 * @param starts in order, in seconds
 * @param loaded what is loaded, as the element tells
 */
export function seekGoal(
  { from, to, of }: Seek,
  starts: readonly number[],
  loaded: Pick<TimeRanges, "length" | "start" | "end">,
): number {
  const ranges = Array.from({ length: loaded.length }, (_, at) => at);
  if (ranges.some((at) => loaded.start(at) <= to && to < loaded.end(at))) return to;
  const start = starts.findLast((start) => start < to + AFTER_S);
  if (start === undefined || to - start > BEFORE_S || of - to < END_S) return to;
  // Within the segment that begins there.
  if (to >= start && to - start < AFTER_S) return to;
  const goal = start + INTO_S;
  const isOnItsWay = to > from ? goal - from >= (to - from) / 2 : goal < from;
  return isOnItsWay ? goal : to;
}

/** Reads the starts of a film; none without an answer. */
export async function readQuickStarts(
  api: Pick<Api, "calls">,
  path: EntryPath,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const answer = await api.calls.json("GET /api/stream/{part}/{path}", {
    params: { part: "info", path },
    query: { starts: true },
    signal,
  });
  return answer.ok ? answer.value.quickStarts ?? [] : [];
}
