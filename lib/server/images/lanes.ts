/** Each takes a processor and some memory. */
const mostLanes = 8;

/**
 * How many previews one serving thread makes at a time: together with the others one fewer than
 * there are processors, but at least two, so that one slow picture does not hold up all others.
 *
 * @param workers the number of serving threads
 */
export function lanesFor(workers: number, processors = navigator.hardwareConcurrency): number {
  const together = Math.min(mostLanes, Math.max(2, processors - 1));
  return Math.max(1, Math.floor(together / workers));
}
