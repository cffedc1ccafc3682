import type { ActionsOptions } from "./actions.ts";
import type { Target } from "./target.ts";
import { childOf } from "../../shared/path.ts";
import { reasonOf } from "../api/reasons.ts";

/** The code of the actions, loaded together with the first of them. */
export { deleteSelection } from "./delete_entries.ts";
export { downloadFolder, downloadSelection } from "./download_entries.ts";
export { clip, dropOn, moveSelection, paste } from "./move_entries.ts";
export { newFile, newFolder, renameEntry } from "./name_entries.ts";

/** Shows the details of entries; of the open folder when there are none. */
export async function showInfo(
  { listing, prompts }: ActionsOptions,
  target: Target,
): Promise<void> {
  const { folder, size, names } = target;
  const entries = size > 0
    ? target.known()
    : [listing.resource.peek()].filter((one) => one !== null);
  await prompts.open("info", { folder, names, entries, count: Math.max(1, size) });
}

/** Shows the share links of one entry, and makes new ones. */
export async function shareEntry(
  { prompts, toasts, t }: ActionsOptions,
  target: Target,
): Promise<void> {
  const names = await target.names();
  if (!names.ok) return toasts.error(reasonOf(t, names));
  const [name] = names.value;
  if (name === undefined) return;
  await prompts.open("share", { path: childOf(target.folder, name), name });
}
