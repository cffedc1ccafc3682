import { childOf, type EntryPath } from "../../../shared/path.ts";
import { numberedName } from "../../../shared/numbered_name.ts";
import type { Api } from "../../base/api/api.ts";
import { eachAtOnce } from "../../../shared/at_once.ts";
import type { Choices, Conflict } from "../../base/prompts/prompts.ts";
import { AT_ONCE, MAX_ASKED, takenIn, type There } from "../actions/conflicts.ts";
import type { Incoming } from "../drag/dropped.ts";
import { nameFault } from "../../base/core/names.ts";
import { factsOf } from "./upload_job.ts";

/**
 * The existing entries that conflict with an upload: files, and topmost folders, which would be
 * merged. Conflicts that are missed here are refused by the server, and a prompt opens then.
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

/** The questions about names that are taken in the destination, in the order of the names. */
export function conflictsOf(
  destination: EntryPath,
  incoming: readonly Incoming[],
  there: There,
): Conflict[] {
  const conflicts = new Map<string, Conflict>();
  for (const { segments, file } of incoming) {
    const [name = "", ...below] = segments;
    if (!there.has(name) || conflicts.has(name)) continue;
    const top = below.length > 0 ? null : file;
    const contents = top ? [top, childOf(destination, name)] as const : undefined;
    const known = there.get(name) ?? undefined;
    conflicts.set(name, { name, coming: factsOf(top), there: known, contents });
  }
  return [...conflicts.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/**
 * New names for topmost folders that are kept beside existing ones.
 *
 * @param known all entries of the folder, if known
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
