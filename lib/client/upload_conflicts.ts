import { childOf, type EntryPath } from "../access/path.ts";
import type { Api } from "./api.ts";
import { eachAtOnce } from "./at_once.ts";
import type { Choices, Conflict } from "./conflicts.ts";
import type { Incoming } from "./incoming.ts";
import { nameFault, numberedName } from "./names.ts";
import { askTaken, AT_ONCE, MAX_ASKED } from "./taken_names.ts";
import { factsOf } from "./upload_job.ts";

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
  return await askTaken(api, destination, [...asked].filter((name) => nameFault(name) === null));
}

/** The questions about taken names, in the order of the names. */
export function conflictsOf(
  incoming: readonly Incoming[],
  taken: ReadonlySet<string>,
): Conflict[] {
  const conflicts = new Map<string, Conflict>();
  for (const { segments, file } of incoming) {
    const [name = "", ...below] = segments;
    if (!taken.has(name) || conflicts.has(name)) continue;
    conflicts.set(name, { name, coming: factsOf(below.length > 0 ? null : file) });
  }
  return [...conflicts.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Other names for the topmost folders that are to be kept beside those of their names. */
export async function freeFolderNames(
  api: Pick<Api, "exists">,
  destination: EntryPath,
  conflicts: readonly Conflict[],
  choices: Choices,
  known: ReadonlySet<string> | null,
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const kept = conflicts.filter(({ name, coming }) =>
    coming?.isDir && choices.get(name) === "keep"
  );
  const isTaken = async (name: string) => {
    if (known) return known.has(name);
    const answer = await api.exists(childOf(destination, name));
    return answer.ok && answer.value;
  };
  await eachAtOnce(kept, AT_ONCE, async ({ name }) => {
    let number = 1;
    while (await isTaken(numberedName(name, number, true))) number++;
    names.set(name, numberedName(name, number, true));
  });
  return names;
}
