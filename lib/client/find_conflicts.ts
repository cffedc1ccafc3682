import { type EntryPath, nameOf } from "../access/path.ts";
import type { Entry } from "../api_types.ts";
import type { Api } from "./api.ts";
import type { Conflict, EntryFacts } from "./conflicts.ts";
import { askTaken, MAX_ASKED } from "./taken_names.ts";

/** A folder with more entries is not read whole only to find names in it. */
const MAX_READ = 1000;

/**
 * The entries that would meet others of their names in a folder. What is not found here, because the
 * folder is large, is refused by the server and asked about then.
 *
 * @param factsOf what is known of an entry that comes
 */
export async function findConflicts(
  api: Pick<Api, "exists" | "resource">,
  folder: EntryPath,
  paths: readonly EntryPath[],
  factsOf: (path: EntryPath) => EntryFacts | undefined,
): Promise<Conflict[]> {
  const entries = await entriesIn(api, folder);
  const taken = entries ?? await askTaken(api, folder, paths.map(nameOf).slice(0, MAX_ASKED));
  return paths.filter((path) => taken.has(nameOf(path))).map((path) => {
    const name = nameOf(path);
    return { name, coming: factsOf(path), there: entries?.get(name) };
  });
}

/** The entries of a folder by name; null when they are too many, or can't be read. */
async function entriesIn(
  api: Pick<Api, "resource">,
  folder: EntryPath,
): Promise<Map<string, Entry> | null> {
  const answer = await api.resource(folder, { offset: 0, limit: MAX_READ });
  if (!answer.ok) return null;
  const { numDirs = 0, numFiles = 0, items = [] } = answer.value;
  if (numDirs + numFiles > items.length) return null;
  return new Map(items.map((entry) => [entry.name, entry]));
}
