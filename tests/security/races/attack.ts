import type { Operation } from "./operation.ts";
import type { Stage } from "./stage.ts";
import { startSwapping } from "./swapping.ts";

/** How the attempts of one operation went. */
export interface Tally {
  name: string;
  attempts: number;
  reached: number;
  refused: number;
  /** What was shown, or done outside. */
  hits: string[];
  /** Answers that no refusal has. */
  failures: string[];
  /** Whether both outcomes are to be expected of it. */
  needsBoth: boolean;
}

/** How much longer an operation goes on that has not been let through yet, or not refused. */
const timeoutMs = 60_000;

let rounds = 0;

/**
 * Runs operations, each again and again, all at the same time, while folders and links change
 * places, and looks afterwards at what has become of the outside.
 *
 * @returns a tally for each, in order
 */
export async function attack(
  stage: Stage,
  operations: readonly Operation[],
  seconds: number,
): Promise<Tally[]> {
  const before = stage.look();
  const places = new Set(operations.map(({ place = "below" }) => place));
  const swapping = await startSwapping([...places].flatMap((place) => stage.pairs[place]));
  const end = performance.now() + seconds * 1_000;
  const all = await Promise.all(operations.map((operation) => repeat(stage, operation, end)))
    .finally(() => swapping.stop());
  for (const change of stage.changes(before)) {
    // The second segment is the operation's: "+ /upload/n2.txt".
    const owner = all.find(({ name }) => change.includes(`/${name}/`));
    for (const { hits } of owner ? [owner] : all) hits.push(`outside: ${change}`);
  }
  return all;
}

async function repeat(stage: Stage, operation: Operation, end: number): Promise<Tally> {
  const { name, place } = operation;
  const counts = { attempts: 0, reached: 0, refused: 0, needsBoth: place !== "around" };
  const tally: Tally = { name, ...counts, hits: [], failures: [] };
  const isOpen = () => lacksOutcome(tally) && performance.now() < end + timeoutMs;
  while (performance.now() < end || isOpen()) {
    const outcome = await operation.attempt(stage, ++rounds);
    tally.attempts++;
    if (outcome === "reached") tally.reached++;
    else if (outcome === "refused") tally.refused++;
    else if ("hit" in outcome) tally.hits.push(outcome.hit);
    else tally.failures.push(outcome.failure);
  }
  return tally;
}

function lacksOutcome({ reached, refused, hits, failures, needsBoth }: Tally): boolean {
  if (hits.length > 0 || failures.length > 0) return false;
  return reached === 0 || (refused === 0 && needsBoth);
}

/** What is wrong with a tally: a hit, a failure, or a race that has not been one; null for nothing. */
export function faultOf(tally: Tally): string | null {
  const { name, attempts, reached, refused, hits, failures } = tally;
  const told = `${name}: ${attempts} attempts, ${reached} reached, ${refused} refused`;
  const some = (all: string[]) => [...new Set(all)].slice(0, 5).join("\n  ");
  if (hits.length > 0) return `${told}, ${hits.length} HITS:\n  ${some(hits)}`;
  if (failures.length > 0) return `${told}, ${failures.length} failures:\n  ${some(failures)}`;
  if (!lacksOutcome(tally)) return null;
  return `${told}: it proves nothing, as both outcomes must occur`;
}
