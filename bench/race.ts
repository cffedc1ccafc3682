/** One thing to time. */
export interface Contender {
  /** What the table calls it. */
  name: string;
  /** Does the work once and answers with its result: seconds, or requests a second. */
  run(): Promise<number>;
  /** Calls in the turn that does not count; 1 unless given. */
  warmUps?: number;
}

/**
 * Runs the contenders in turn (ours, theirs, ours, theirs …), so that a slow spell of the machine
 * falls on all of them, after one turn that does not count. Answers with their medians, in order.
 */
export async function race(contenders: Contender[], rounds: number): Promise<number[]> {
  const results: number[][] = contenders.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { name, run, warmUps = 1 }] of contenders.entries()) {
      for (let call = 1; round === 0 && call < warmUps; call++) await run();
      const result = await run();
      if (round > 0) results[index]?.push(result);
      progress(`${name}: ${result.toPrecision(4)}`);
    }
  }
  progress("");
  return results.map(median);
}

/** The middle of the values; of an even number of them, the mean of the middle two. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error("Cannot take a median: there are no values");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low = NaN, high = NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return (low + high) / 2;
}

/** Seconds that the work takes. */
export async function secondsOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

const encoder = new TextEncoder();

/** Shows on a terminal what is going on, in one line that the next call replaces. */
export function progress(text: string): void {
  if (Deno.stderr.isTerminal()) Deno.stderr.writeSync(encoder.encode(`\r\x1b[K${text}`));
}
