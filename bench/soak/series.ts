/** Memory at the end of one part of a soak. */
export interface Sample {
  /** Since the work began. */
  minute: number;
  /** In MB. */
  memory: number;
}

/** Caches, threads and heaps have their size after this part of the time: five minutes of twenty. */
const settled = 0.25;

/** Growth up to this factor is noise: a heap is collected when it has grown by 75 %. */
const mostGrowth = 1.15;

/**
 * Whether memory still grows once it has settled: the second quarter of the time against the last
 * one, by their medians, as single samples depend on when the heaps were last collected.
 *
 * @param minutes the time of the whole soak
 */
export function judge(
  samples: readonly Sample[],
  minutes: number,
): { before: number; after: number; isFlat: boolean } {
  const memoryIn = (from: number, to: number) =>
    median(samples.filter(({ minute }) => minute > from * minutes && minute <= to * minutes));
  const [before, after] = [memoryIn(settled, 2 * settled), memoryIn(1 - settled, 1)];
  // Without samples nothing is shown.
  return { before, after, isFlat: after <= before * mostGrowth };
}

function median(samples: readonly Sample[]): number {
  const sorted = samples.map(({ memory }) => memory).sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}
