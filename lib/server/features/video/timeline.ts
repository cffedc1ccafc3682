/** Where the segments of a stream begin: at even distances, or at keyframes of what is copied. */
import { segmentSeconds } from "../previews/media/programs/video_encoding.ts";
import type { SegmentIndex } from "../previews/media/streams/segments.ts";

/** A playlist: where its segments begin, and where the last one ends, in seconds. */
export interface Timeline {
  starts: readonly number[];
  end: number;
}

/** The longest segment of copied pictures, in seconds: it lies in memory. */
const maxCopiedSeconds = 20;
/** The least length of a segment of copied pictures, in seconds. */
const minCopiedSeconds = 2;

/** The length of a segment of sound alone, in seconds: it is made in no time. */
export const soundSeconds = 2;
/** Most segments of a converted film: those of longer films are longer. */
const maxSegments = 50_000;

/**
 * The timeline of pictures that are converted: a keyframe is made where each segment begins.
 *
 * @param length of a segment, in seconds: a multiple of {@linkcode segmentSeconds}
 */
export function evenTimeline(duration: number, length = segmentSeconds): Timeline {
  const step = length * Math.max(1, Math.ceil(duration / length / maxSegments));
  const count = Math.max(1, Math.ceil((duration - 0.05) / step));
  return { starts: Array.from({ length: count }, (_, at) => at * step), end: duration };
}

/**
 * The times of the keyframes that ffprobe prints, a line each: "5.011000,K_".
 *
 * @param startTime where the clock of the film begins, in seconds
 */
export function keyframeTimes(text: string, startTime: number): number[] {
  return text.split("\n").map((line) => line.split(","))
    .filter(([, flags = ""]) => flags.startsWith("K"))
    .map(([time]) => Number(time) - startTime)
    .filter((time) => Number.isFinite(time))
    .sort((a, b) => a - b);
}

/**
 * How long a keyframe is before a place from which FFmpeg finds it, in seconds: it looks 0.13 earlier,
 * where pictures are not in the order in which they are shown.
 */
const beforePlace = 0.15;

/**
 * Where the conversion of a film begins soonest: at the first segment after each of its keyframes,
 * for which FFmpeg decodes little more than a second that nobody sees.
 *
 * @param times of keyframes, in order
 */
export function quickStarts(times: readonly number[], { starts }: Timeline): number[] {
  // Where FFmpeg does not seek at all.
  const quick = new Set(starts.slice(0, 1));
  let at = 0;
  for (const time of times) {
    while (at < starts.length && (starts[at] ?? 0) < time + beforePlace) at++;
    const start = starts[at];
    if (start !== undefined) quick.add(start);
  }
  return [...quick];
}

/**
 * A timeline by keyframes.
 *
 * @param times of keyframes, in order
 * @returns null where they are too far apart
 */
export function keyframeTimeline(times: readonly number[], duration: number): Timeline | null {
  const starts: number[] = [];
  for (const time of times) {
    if (time < (starts.length === 0 ? -Infinity : (starts.at(-1) ?? 0) + minCopiedSeconds)) {
      continue;
    }
    starts.push(starts.length === 0 ? 0 : time);
  }
  const end = Math.max(duration, (starts.at(-1) ?? 0) + 0.1);
  const isCut = starts.every((start, at) => (starts[at + 1] ?? end) - start < maxCopiedSeconds);
  return starts.length > 0 && isCut ? { starts, end } : null;
}

/** The place of the last segment that begins before a time. */
export function lastBefore(starts: readonly number[], seconds: number): SegmentIndex {
  return Math.max(0, starts.findLastIndex((start) => start <= seconds));
}
