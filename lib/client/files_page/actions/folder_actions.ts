import type { ActionsOptions } from "./actions_options.ts";
import { isBeside } from "../../base/files/page_dom.ts";
import type { Target } from "../../base/files/target.ts";
import { pathIn } from "../../base/files/action_helpers.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import { reasonOf } from "../../base/api/reasons.ts";

/** The code of the actions, loaded together with the first of them. */
export { compressSelection, extractArchive } from "./archive_entries.ts";
export { deleteSelection } from "./delete_entries.ts";
export { downloadFolder, downloadSelection } from "./download_entries.ts";
export { clip, dropOn, moveSelection, paste } from "./move_entries.ts";
export { undoJobs } from "./run_job.ts";
export { star, starPaths } from "../places/favorite_actions.ts";
export { newDocument, newFile, newFolder, renameEntry } from "./name_entries.ts";
export { renameMany } from "./rename_many.ts";

/**
 * Shows the details of entries; of the open folder when there are none. At the side where there is
 * room; when they are there already, they get the focus.
 */
export async function showInfo(
  { listing, prompts, details }: ActionsOptions,
  target: Target,
): Promise<void> {
  if (isBeside()) {
    if (details.peek()) document.querySelector<HTMLElement>(".details")?.focus();
    details.value = true;
    return;
  }
  const { folder, size, names } = target;
  const entries = size > 0
    ? target.known()
    : [listing.resource.peek()].filter((one) => one !== null);
  await prompts.open("info", { folder, names, entries, count: Math.max(1, size) });
}

/** Shows the share links of one entry, and makes new ones. */
export async function shareEntry(options: ActionsOptions, target: Target): Promise<void> {
  const { listing, prompts } = options;
  const path = await onlyPath(options, target);
  if (path === null) return;
  const isDir = target.known().some((entry) => entry.isDir);
  const hasChanged = await prompts.open("share", { path, name: nameOf(path), isDir });
  // The rows show what is shared.
  if (hasChanged && listing.path.peek() === target.folder) await listing.reload();
}

/** Shows the requests for files into a folder, and makes new ones. */
export async function requestFiles(
  { prompts, t }: ActionsOptions,
  path: EntryPath,
): Promise<void> {
  await prompts.open("request", { path, name: nameOf(path) || t("files.myFiles") });
}

/** The same for the one folder of a target. */
export async function requestFilesIn(options: ActionsOptions, target: Target): Promise<void> {
  const path = await onlyPath(options, target);
  if (path !== null) await requestFiles(options, path);
}

/** The path of the one entry of a target; null, and an error message, when it cannot be read. */
async function onlyPath(
  { toasts, t }: ActionsOptions,
  target: Target,
): Promise<EntryPath | null> {
  const names = await target.names();
  if (!names.ok) toasts.error(reasonOf(t, names));
  const name = names.ok ? names.value[0] : undefined;
  return name === undefined ? null : pathIn(target.folder, name);
}
