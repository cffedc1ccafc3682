import { childOf, type EntryPath } from "../../shared/path.ts";
import type { Api } from "../api/api.ts";
import { eachAtOnce } from "../core/at_once.ts";
import type { Choices, Conflict } from "../actions/conflicts.ts";
import type { Incoming } from "../api/incoming.ts";
import { nameFault, numberedName } from "../actions/names.ts";
import { AT_ONCE, MAX_ASKED, takenIn, type There } from "../actions/taken_names.ts";
import { factsOf } from "./upload_job.ts";

/**
 * What lies where something is to be put, as far as it bears the same names: those of files, and of
 * the topmost folders, whose contents would be mixed. Files whose names are found taken only when
 * they arrive are refused by the server and asked about then.
 */
export async function findTaken(
  api: Pick<Api, "exists" | "resource">,
  destination: EntryPath,
  incoming: readonly Incoming[],
): Promise<There> {
  const names = new Set(incoming.map(({ segments }) => segments[0] ?? ""));
  const folders = incoming.filter(({ segments, file }) => segments.length > 1 || file === null);
  const asked = names.size <= MAX_ASKED
    ? names
    : new Set(folders.map(({ segments }) => segments[0] ?? ""));
  return await takenIn(api, destination, [...asked].filter((name) => nameFault(name) === null));
}

/** The questions about taken names, in the order of the names. */
export function conflictsOf(incoming: readonly Incoming[], there: There): Conflict[] {
  const conflicts = new Map<string, Conflict>();
  for (const { segments, file } of incoming) {
    const [name = "", ...below] = segments;
    if (!there.has(name) || conflicts.has(name)) continue;
    const coming = factsOf(below.length > 0 ? null : file);
    conflicts.set(name, { name, coming, there: there.get(name) ?? undefined });
  }
  return [...conflicts.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/**
 * Other names for the topmost folders that are to be kept beside those of their names.
 *
 * @param known all that lies in the folder, where it is at hand
 */
export async function freeFolderNames(
  api: Pick<Api, "exists">,
  destination: EntryPath,
  conflicts: readonly Conflict[],
  choices: Choices,
  known: There | null,
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
