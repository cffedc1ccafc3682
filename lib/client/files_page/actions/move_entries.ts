import { childOf, type EntryPath, nameOf } from "../../../shared/path.ts";
import type { ActionsOptions } from "./actions_options.ts";
import { explain } from "../../base/api/reasons.ts";
import { leftOutText } from "./left_out.ts";
import { namesFor, pathIn, showNames } from "../../base/files/action_helpers.ts";
import { isOverQuota, roomAction } from "./free_room.ts";
import type { Target } from "../../base/files/target.ts";
import { transferEntries, type TransferRequest } from "./transfer_entries.ts";

/** Asks for a destination, then copies or moves entries there. */
export async function moveSelection(
  options: ActionsOptions,
  target: Target,
  action: TransferRequest["action"],
): Promise<void> {
  const { prompts, may } = options;
  const { folder } = target;
  const names = await namesFor(options, action, target);
  if (names === null) return;
  const paths = names.map((name) => pathIn(folder, name));
  const input = { action, paths, start: folder, mayCreate: may("create") };
  const to = await prompts.open("destination", input);
  if (to === null) return;
  for (const some of withoutTwins(paths)) await runTransfer(options, { action, paths: some, to });
}

/** Splits entries such that no two of one part have the same name: one follows the other. */
function withoutTwins(paths: readonly EntryPath[]): EntryPath[][] {
  const parts: EntryPath[][] = [];
  const seen = new Map<string, number>();
  for (const path of paths) {
    const turn = seen.get(nameOf(path)) ?? 0;
    seen.set(nameOf(path), turn + 1);
    (parts[turn] ??= []).push(path);
  }
  return parts;
}

/** Moves or copies entries dropped on a folder. */
export async function dropOn(
  options: ActionsOptions,
  { action, paths, to }: TransferRequest,
): Promise<void> {
  await runTransfer(options, { action, paths, to });
}

/** Pastes the copied or cut entries into the open folder. */
export async function paste(options: ActionsOptions): Promise<void> {
  const { listing, clipboard } = options;
  const clip = clipboard.now.peek();
  if (clip === null || listing.resource.peek()?.isDir !== true) return;
  const paths = [...clip.names].map((name) => childOf(clip.folder, name));
  const journey = { action: clip.action, paths, to: listing.path.peek() };
  const done = await runTransfer(options, journey);
  // Cut entries have moved: a second paste would not find them.
  if (done && clip.action === "move" && clipboard.now.peek() === clip) clipboard.clear();
}

/** Remembers entries for a paste. */
export async function clip(
  options: ActionsOptions,
  target: Target,
  action: TransferRequest["action"],
): Promise<void> {
  const names = await namesFor(options, action, target);
  if (names === null) return;
  options.clipboard.put({ action, folder: target.folder, names: new Set(names) });
}

/** Transfers entries to a folder and shows the outcome; true unless nothing was done. */
async function runTransfer(options: ActionsOptions, journey: TransferRequest): Promise<boolean> {
  const { listing, navigation, tell, toasts, t } = options;
  const { action, paths, to } = journey;
  const shown = listing.path.peek();
  const arrival = await transferEntries(options, journey);
  if (arrival === null) return false;
  const { names, count, failures, leftOut, unlisted, cancelled, jobs } = arrival;
  if (cancelled) tell(t("toasts.stopped", { done: count, total: paths.length }), jobs);
  else if (count > 0) tell(t(`toasts.${action}`, { count }), jobs);
  const full = new Map([...failures].filter(([, failure]) => isOverQuota(failure)));
  const others = new Map([...failures].filter(([, failure]) => !isOverQuota(failure)));
  for (const text of explain(t, action, others, unlisted)) toasts.error(text);
  if (leftOut.length > 0) toasts.error(leftOutText(options, action, leftOut));
  if (full.size > 0) {
    const refused = paths.filter((path) => full.has(nameOf(path)));
    const remedy = await roomAction(
      options,
      () => void runTransfer(options, { action, paths: refused, to }),
    );
    for (const text of explain(t, action, full)) toasts.error(text, remedy);
  }

  const here = listing.path.peek();
  if (here === to) await showNames(listing, to, names);
  else if (isFileThatLeft(shown) || isToFollow(shown)) navigation.go(to);
  else if (here === shown) await listing.reload();
  return count > 0;

  function isFileThatLeft(at: EntryPath): boolean {
    return action === "move" && count > 0 && here === at && paths.includes(at);
  }

  function isToFollow(at: EntryPath): boolean {
    return options.follows() && count > 0 && here === at;
  }
}
