import { childOf, type EntryPath, nameOf } from "../access/path.ts";
import type { Entry } from "../api_types.ts";
import type { Api } from "./api.ts";
import { eachAtOnce } from "./at_once.ts";
import type { Conflict, EntryFacts } from "./conflicts.ts";

/** A folder with more entries is not read whole only to find names in it. */
const MAX_READ = 1000;

/** Beyond this many names the server is not asked one by one; it refuses what is taken anyway. */
const MAX_ASKED = 200;

const AT_ONCE = 5;

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
  const there = await entriesIn(api, folder) ?? await askFor(api, folder, paths.map(nameOf));
  return paths.flatMap((path) => {
    const name = nameOf(path);
    if (!there.has(name)) return [];
    return [{ name, coming: factsOf(path), there: there.get(name) ?? undefined }];
  });
}

/** The entries of a folder by name; null when they are too many, or can't be read. */
async function entriesIn(
  api: Pick<Api, "resource">,
  folder: EntryPath,
): Promise<Map<string, Entry | null> | null> {
  const answer = await api.resource(folder, { offset: 0, limit: MAX_READ });
  if (!answer.ok) return null;
  const { numDirs = 0, numFiles = 0, items = [] } = answer.value;
  if (numDirs + numFiles > items.length) return null;
  return new Map(items.map((entry) => [entry.name, entry]));
}

async function askFor(
  api: Pick<Api, "exists">,
  folder: EntryPath,
  names: readonly string[],
): Promise<Map<string, Entry | null>> {
  const there = new Map<string, Entry | null>();
  await eachAtOnce(names.slice(0, MAX_ASKED), AT_ONCE, async (name) => {
    const answer = await api.exists(childOf(folder, name));
    if (answer.ok && answer.value) there.set(name, null);
  });
  return there;
}
