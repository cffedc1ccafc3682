import { childOf, type EntryPath } from "../../shared/path.ts";
import type { Api } from "../api/api.ts";
import { eachAtOnce } from "../core/at_once.ts";
import type { EntryFacts } from "./conflicts.ts";

/** A folder with more entries is not read whole only to find names in it. */
const MAX_READ = 1000;

/** Beyond this many names the server is not asked one by one; it refuses what is taken anyway. */
export const MAX_ASKED = 200;

/** How many names are asked about at a time. */
export const AT_ONCE = 5;

/** What lies in a folder, by name; null for what is not known of it but that it is there. */
export type There = ReadonlyMap<string, EntryFacts | null>;

/** What of a folder bears one of some names, as far as the server tells; others may be among it. */
export async function takenIn(
  api: Pick<Api, "exists" | "resource">,
  folder: EntryPath,
  names: readonly string[],
): Promise<There> {
  return await entriesIn(api, folder) ?? await askTaken(api, folder, names.slice(0, MAX_ASKED));
}

/** The entries of a folder by name; null when they are too many, or can't be read. */
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
