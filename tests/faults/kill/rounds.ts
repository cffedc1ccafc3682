import { fileKinds } from "./files.ts";
import { jobKinds } from "./jobs.ts";
import type { Kind } from "./kind.ts";
import { randomOf } from "./random.ts";
import { kill, measure, type Result } from "./round.ts";
import { openStand } from "./stand.ts";

/** Every operation during which a server is killed. */
export const allKinds: readonly Kind[] = [...jobKinds, ...fileKinds];

/** Most servers at a time: each waits for lost jobs most of the time. */
const maxLanes = 3;

/** Users of each; one of them is for operations that concern all that their user has. */
const userCount = 9;

/** How a server is killed. */
export interface RoundsOptions {
  rounds: number;
  /** The same one kills at the same moments, as far as the machine is as fast. */
  seed: number;
  /** Told of each fault at once, and of all in the end. */
  print(line: string): void;
}

/** Kills servers during operations. @returns what was wrong then */
export async function runRounds(
  kinds: readonly Kind[],
  { rounds, seed, print }: RoundsOptions,
): Promise<string[]> {
  print(`Seed ${seed}, ${rounds} rounds of ${kinds.length} operations`);
  const results: Result[] = [];
  let next = 0;
  const lane = async () => {
    await using stand = await openStand({ userCount });
    const known = await measure(stand, kinds, "measured");
    while (next < rounds) {
      const number = next++;
      const random = randomOf(seed * 1000 + number);
      const found = await kill(stand, kinds, known, { name: `round-${number}`, random });
      for (const { fault } of found) if (fault !== null) print(`Round ${number}: ${fault}`);
      results.push(...found);
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxLanes, rounds) }, lane));
  for (const { name } of kinds) print(summaryOf(name, results));
  const faults = results.flatMap(({ fault }) => fault ?? []);
  print(`Seed ${seed}: ${faults.length} faults in ${rounds} rounds`);
  return faults;
}

function summaryOf(name: string, results: readonly Result[]): string {
  const own = results.filter(({ kind }) => kind === name);
  const count = (is: (result: Result) => boolean) => `${own.filter(is).length}`.padStart(4);
  const cells = {
    killed: count(() => true),
    "not accepted": count(({ wasAccepted }) => !wasAccepted),
    "at work": count(({ wasAccepted, wasOver }) => wasAccepted && !wasOver),
    over: count(({ wasOver }) => wasOver),
    "then done": count(({ wasDone }) => wasDone),
    faults: count(({ fault }) => fault !== null),
  };
  const shown = Object.entries(cells).map(([what, number]) => `${what}${number}`);
  return `${name.padEnd(40)} ${shown.join(", ")}`;
}
