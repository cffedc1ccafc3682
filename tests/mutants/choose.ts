import { join } from "node:path";
import { type Mutation, mutationsOf } from "./mutations.ts";

/** A mutation and its file, by its path from the top of the repository. */
export interface Chosen {
  file: string;
  mutation: Mutation;
}

/** What to choose from, and how many. */
export interface Choice {
  count: number;
  /** Returns numbers from 0 to 1, without 1. */
  random(): number;
  /** Folders and files, by their paths from the top. */
  places: readonly string[];
}

/**
 * Chooses mutations at random: as many of each place as of any other, and of one file or one kind
 * another time only after all others of the place.
 *
 * @throws Error for a place that is not there, or that has no code
 */
export async function chooseMutations(top: URL, choice: Choice): Promise<Chosen[]> {
  const queues = await Promise.all(choice.places.map((place) => queueOf(top, place, choice)));
  const chosen: Chosen[] = [];
  while (chosen.length < choice.count && queues.some((queue) => queue.length > 0)) {
    for (const queue of queues) chosen.push(...queue.splice(0, 1));
  }
  if (chosen.length === 0) throw new Error("Cannot make faults: there is no code in these places");
  return chosen.slice(0, choice.count);
}

/** All mutations of a place in the order in which they are tried. */
async function queueOf(top: URL, place: string, { random }: Choice): Promise<Chosen[]> {
  const all: Chosen[] = [];
  for (const file of sourcesBelow(top.pathname, place)) {
    const source = await Deno.readTextFile(join(top.pathname, file));
    all.push(...mutationsOf(source).map((mutation) => ({ file, mutation })));
  }
  shuffle(all, random);
  const seen = new Map<string, number>();
  const turns = all.map((each) => {
    const names = [each.file, each.mutation.kind];
    const turn = names.reduce((sum, name) => sum + (seen.get(name) ?? 0), 0);
    for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1);
    return { each, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn).map(({ each }) => each);
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let last = list.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [list[last], list[other]] = [list[other] as T, list[last] as T];
  }
}

function sourcesBelow(top: string, place: string): string[] {
  const { isDirectory } = Deno.statSync(join(top, place));
  if (!isDirectory) return [place];
  return [...Deno.readDirSync(join(top, place))].map(({ name }) => join(place, name)).sort()
    .filter((path) => !path.endsWith("_test.ts"))
    .flatMap((path) =>
      Deno.statSync(join(top, path)).isDirectory || /\.tsx?$/.test(path)
        ? sourcesBelow(top, path)
        : []
    );
}
