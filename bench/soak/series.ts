/** Memory at the end of one part of a soak. */
export interface Sample {
  /** Since the work began. */
  minute: number;
  /** In MB. */
  memory: number;
}

/** Caches, threads and heaps have their size after this many minutes. */
export const settledMinutes = 5;

/** Growth up to this factor is noise: a heap is collected when it has grown by 75 %. */
const maxGrowth = 1.15;

/**
 * Whether memory still grows once it has settled: the first quarter of the time after that against
 * the last one, by their medians, as single samples depend on when the heaps were last collected.
 *
 * @param minutes the time of the whole soak
 * @returns null when it was too short to tell
 */
export function judge(
  samples: readonly Sample[],
  minutes: number,
): { before: number; after: number; isFlat: boolean } | null {
  if (minutes <= settledMinutes) return null;
  const quarter = (minutes - settledMinutes) / 4;
  const memoryIn = (from: number, to: number) =>
    median(samples.filter(({ minute }) => minute >= from && minute <= to));
  const before = memoryIn(settledMinutes, settledMinutes + quarter);
  const after = memoryIn(minutes - quarter, minutes);
  // Without samples nothing is shown.
  return { before, after, isFlat: after <= before * maxGrowth };
}

function median(samples: readonly Sample[]): number {
  const sorted = samples.map(({ memory }) => memory).sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}
