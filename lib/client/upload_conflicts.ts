import { childOf, type EntryPath } from "../access/path.ts";
import type { Api } from "./api.ts";
import type { Incoming } from "./incoming.ts";
import { nameFault } from "./names.ts";

/** Beyond this many names the server is not asked beforehand; it refuses what is taken anyway. */
const MAX_ASKED = 200;

const AT_ONCE = 5;

/**
 * The names among those to be put into a folder that are taken there: of files, and of the
 * topmost folders, whose contents would be mixed. Files that are found taken only when they
 * arrive are refused by the server and asked about then.
 *
 * @param known all names in the folder, where they are at hand
 */
export async function takenNames(
  api: Pick<Api, "exists">,
  destination: EntryPath,
  incoming: readonly Incoming[],
  known: ReadonlySet<string> | null,
): Promise<Set<string>> {
  const names = new Set(incoming.map(({ segments }) => segments[0] ?? ""));
  if (known) return new Set([...names].filter((name) => known.has(name)));
  const folders = incoming.filter(({ segments, file }) => segments.length > 1 || file === null);
  const asked = names.size <= MAX_ASKED
    ? names
    : new Set(folders.map(({ segments }) => segments[0] ?? ""));
  return await askServer(api, destination, [...asked].filter((name) => nameFault(name) === null));
}

async function askServer(
  api: Pick<Api, "exists">,
  destination: EntryPath,
  names: string[],
): Promise<Set<string>> {
  const taken = new Set<string>();
  const askNext = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const answer = await api.exists(childOf(destination, name));
      if (answer.ok && answer.value) taken.add(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
  return taken;
}
