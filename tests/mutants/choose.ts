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
 * Chooses mutations at random: as many of each place as of any other, of one file another only after
 * one of each other file, and first of kinds that are rare so far.
 *
 * @throws Error for a place that is not there, or that has no code
 */
export async function chooseMutations(top: URL, choice: Choice): Promise<Chosen[]> {
  const queues: Chosen[][] = [];
  // One after another: a seed's numbers are for the same places each time.
  for (const place of choice.places) queues.push(await queueOf(top, place, choice));
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
  const turnOf = (name: string) => {
    const turn = seen.get(name) ?? 0;
    seen.set(name, turn + 1);
    return turn;
  };
  const turns = all.map((each) => ({
    each,
    ...{ ofFile: turnOf(each.file), ofKind: turnOf(each.mutation.kind) },
  }));
  return turns.sort((a, b) => a.ofFile - b.ofFile || a.ofKind - b.ofKind).map(({ each }) => each);
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
