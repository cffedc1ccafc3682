/** Where the segments of a stream begin: at even distances, or at keyframes of what is copied. */
import { segmentSeconds } from "../previews/media/programs/recipes.ts";
import type { SegmentIndex } from "../previews/media/streams/segments.ts";
import type { StreamFacts } from "./stream_facts.ts";

/** A playlist: where its segments begin, and where the last one ends, in seconds. */
export interface Timeline {
  starts: readonly number[];
  end: number;
}

/** The longest segment of copied pictures, in seconds: it lies in memory. */
const maxCopiedSeconds = 20;
/** The least length of a segment of copied pictures, in seconds. */
const minCopiedSeconds = 2;

/** The timeline of pictures that are converted: a keyframe is made where each segment begins. */
export function evenTimeline(duration: number): Timeline {
  const count = Math.max(1, Math.ceil((duration - 0.05) / segmentSeconds));
  return { starts: Array.from({ length: count }, (_, at) => at * segmentSeconds), end: duration };
}

/**
 * A timeline by the keyframes that ffprobe prints, a line each: "5.011000,K_".
 *
 * @returns null where they are too far apart
 */
export function keyframeTimeline(text: string, { info, startTime }: StreamFacts): Timeline | null {
  const times = text.split("\n").map((line) => line.split(","))
    .filter(([, flags = ""]) => flags.startsWith("K"))
    .map(([time]) => Number(time) - startTime)
    .filter((time) => Number.isFinite(time))
    .sort((a, b) => a - b);
  const starts: number[] = [];
  for (const time of times) {
    if (time < (starts.length === 0 ? -Infinity : (starts.at(-1) ?? 0) + minCopiedSeconds)) {
      continue;
    }
    starts.push(starts.length === 0 ? 0 : time);
  }
  const end = Math.max(info.duration, (starts.at(-1) ?? 0) + 0.1);
  const isCut = starts.every((start, at) => (starts[at + 1] ?? end) - start < maxCopiedSeconds);
  return starts.length > 0 && isCut ? { starts, end } : null;
}

/** The place of the last segment that begins before a time. */
export function lastBefore(starts: readonly number[], seconds: number): SegmentIndex {
  return Math.max(0, starts.findLastIndex((start) => start <= seconds));
}
