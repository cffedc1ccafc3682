import { type EntryPath, nameOf } from "../../shared/path.ts";
import type { Api } from "../api/api.ts";
import type { Conflict, EntryFacts } from "./conflicts.ts";
import { takenIn } from "./taken_names.ts";

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
  const there = await takenIn(api, folder, paths.map(nameOf));
  return paths.filter((path) => there.has(nameOf(path))).map((path) => {
    const name = nameOf(path);
    return { name, coming: factsOf(path), there: there.get(name) ?? undefined };
  });
}
