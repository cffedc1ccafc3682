import { childOf, type EntryPath } from "../../shared/path.ts";
import type { ActionsOptions } from "./actions.ts";
import { explain } from "../api/explain.ts";
import { showNames } from "./show_names.ts";
import type { Target } from "./target.ts";
import { namesFor } from "./target_names.ts";
import { type Journey, transferEntries } from "./transfer_entries.ts";

/** Asks for a folder, then copies or moves entries into it. */
export async function moveSelection(
  options: ActionsOptions,
  target: Target,
  action: Journey["action"],
): Promise<void> {
  const { prompts, may } = options;
  const { folder } = target;
  const names = await namesFor(options, action, target);
  if (names === null) return;
  const paths = names.map((name) => childOf(folder, name));
  const asks = { action, paths, start: folder, mayCreate: may("create") };
  const to = await prompts.open("destination", asks);
  if (to !== null) await carryOut(options, { action, paths, to });
}

/** Moves or copies what was dropped on a folder. */
export async function dropOn(
  options: ActionsOptions,
  { action, paths, to }: Journey,
): Promise<void> {
  await carryOut(options, { action, paths, to });
}

/** Puts what was copied or cut into the folder on screen. */
export async function paste(options: ActionsOptions): Promise<void> {
  const { listing, clipboard } = options;
  const clip = clipboard.now.peek();
  if (clip === null || listing.resource.peek()?.isDir !== true) return;
  const paths = [...clip.names].map((name) => childOf(clip.folder, name));
  const journey = { action: clip.action, paths, to: listing.path.peek() };
  const done = await carryOut(options, journey);
  // What was cut is there now; a second paste would look for it where it no longer is.
  if (done && clip.action === "move" && clipboard.now.peek() === clip) clipboard.clear();
}

/** Remembers entries, to be copied or moved where they are pasted. */
export async function clip(
  options: ActionsOptions,
  target: Target,
  action: Journey["action"],
): Promise<void> {
  const names = await namesFor(options, action, target);
  if (names === null) return;
  options.clipboard.put({ action, folder: target.folder, names: new Set(names) });
}

/** Takes entries to a folder, and tells what came of it; true unless nothing was done. */
async function carryOut(options: ActionsOptions, journey: Journey): Promise<boolean> {
  const { listing, navigation, toasts, t } = options;
  const { action, paths, to } = journey;
  const shown = listing.path.peek();
  const arrival = await transferEntries(options, journey);
  if (arrival === null) return false;
  const { names, failures, cancelled } = arrival;
  if (cancelled) toasts.success(t("toasts.stopped", { done: names.length, total: paths.length }));
  else if (names.length > 0) toasts.success(t(`toasts.${action}`, { count: names.length }));
  for (const text of explain(t, action, failures)) toasts.error(text);

  const here = listing.path.peek();
  if (here === to) await showNames(listing, to, names);
  else if (isFileThatLeft(shown)) navigation.go(to);
  else if (here === shown) await listing.reload();
  return names.length > 0;

  function isFileThatLeft(at: EntryPath): boolean {
    return action === "move" && names.length > 0 && here === at && paths.includes(at);
  }
}
