import { childOf, type EntryPath, nameOf } from "../../../shared/path.ts";
import type { Api } from "../../base/api/api.ts";
import { eachAtOnce } from "../../../shared/at_once.ts";
import type { Conflict, EntryFacts } from "../../base/prompts/prompts.ts";

/** Whether replacing is possible: a folder does not replace a file, nor a file a folder. */
export function canReplace({ coming, there }: Conflict): boolean {
  return coming === undefined || there === undefined || coming.isDir === there.isDir;
}

/** Whether replacing means merging one folder into another. */
export function merges({ coming, there }: Conflict): boolean {
  return coming?.isDir === true && there?.isDir !== false;
}

/** Whether both have one size and one time, to the second, as not every disk keeps more. */
export function isIdentical({ coming, there }: Conflict): boolean {
  if (!coming || !there || coming.isDir || there.isDir || coming.size !== there.size) return false;
  const seconds = ({ modified }: EntryFacts) => Math.floor(Date.parse(modified) / 1000);
  return seconds(coming) === seconds(there);
}

/** A larger folder is not read whole only to find conflicts. */
const MAX_READ = 1000;

/** Beyond this many names they are not checked one by one; the server refuses conflicts anyway. */
export const MAX_ASKED = 200;

/** The number of concurrent existence checks. */
export const AT_ONCE = 5;

/** The entries of a folder by name; null if only the existence is known. */
export type There = ReadonlyMap<string, EntryFacts | null>;

/** The entries of a folder that have one of the names; the map may hold other entries, too. */
export async function takenIn(
  api: Pick<Api, "exists" | "resource">,
  folder: EntryPath,
  names: readonly string[],
): Promise<There> {
  return await entriesIn(api, folder) ?? await askTaken(api, folder, names.slice(0, MAX_ASKED));
}

/** The entries of a folder by name; null when there are too many, or on failure. */
async function entriesIn(api: Pick<Api, "resource">, folder: EntryPath): Promise<There | null> {
  const answer = await api.resource(folder, { offset: 0, limit: MAX_READ });
  if (!answer.ok) return null;
  const { numDirs = 0, numFiles = 0, items = [] } = answer.value;
  if (numDirs + numFiles > items.length) return null;
  return new Map(items.map((entry) => [entry.name, entry]));
}

async function askTaken(
  api: Pick<Api, "exists">,
  folder: EntryPath,
  names: readonly string[],
): Promise<There> {
  const taken = new Map<string, null>();
  await eachAtOnce(names, AT_ONCE, async (name) => {
    const answer = await api.exists(childOf(folder, name));
    if (answer.ok && answer.value) taken.set(name, null);
  });
  return taken;
}

/**
 * Finds name conflicts in a destination folder. In large folders some are missed; the server
 * refuses those, and a prompt opens then.
 *
 * @param factsOf what is known of an entry that comes
 */
export async function findConflicts(
  api: Pick<Api, "exists" | "resource">,
  folder: EntryPath,
  paths: readonly EntryPath[],
  factsOf: (path: EntryPath) => EntryFacts | undefined,
): Promise<Conflict[]> {
  const there = await takenIn(api, folder, paths.map(nameOf));
  return paths.filter((path) => there.has(nameOf(path))).map((path) => {
    const name = nameOf(path);
    const contents = [path, childOf(folder, name)] as const;
    return { name, coming: factsOf(path), there: there.get(name) ?? undefined, contents };
  });
}
