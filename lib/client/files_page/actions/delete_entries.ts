import { type EntryPath, nameOf, parsePath } from "../../../shared/path.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { ActionsOptions } from "./actions_options.ts";
import { explain } from "../../base/api/reasons.ts";
import { type Failure, failure, type FailureCode } from "../../../shared/result.ts";
import type { Target } from "../../base/files/target.ts";
import { namesFor, pathIn } from "../../base/files/action_helpers.ts";
import { runJob } from "./run_job.ts";

/** Options of a deletion. */
export interface DeleteOptions {
  /** The file to show when the open file is deleted; null for its folder. */
  successor: Entry | null;
  /** Not to the trash. */
  forGood: boolean;
}

/**
 * Asks for confirmation, where the user wants that, then deletes entries; those that fail stay
 * selected.
 */
export async function deleteSelection(
  options: ActionsOptions,
  target: Target,
  { successor, forGood }: DeleteOptions,
): Promise<void> {
  const { listing, prompts, toasts, t } = options;
  const { folder, size: count } = target;
  const shown = listing.path.peek();
  const only = count === 1 ? await target.names() : null;
  const input = only?.ok ? { count, name: lastOf(only.value[0]) } : { count };
  const mode = forGood ? "forGood" as const : "trash" as const;
  const isAsked = forGood || options.asksToTrash();
  if (isAsked && await prompts.open("delete", { ...input, mode }) === null) return;

  const names = await namesFor(options, "delete", target);
  if (names === null) return;
  const outcome = await removeAll(options, folder, names, forGood ? "delete" : "trash");
  const untrashed = [...outcome.failures].filter(([, { code }]) => code === "no_trash");
  if (untrashed.length > 0) {
    const left = {
      count: untrashed.length,
      name: untrashed.length === 1 ? lastOf(untrashed[0]?.[0]) : undefined,
    };
    if (await prompts.open("delete", { ...left, mode: "noTrash" }) !== null) {
      for (const [name] of untrashed) outcome.failures.delete(name);
      const again = await removeAll(options, folder, untrashed.map(([name]) => name), "delete");
      for (const [name, why] of again.failures) outcome.failures.set(name, why);
      outcome.unlisted += again.unlisted;
      outcome.cancelled ||= again.cancelled;
    }
  }
  const { failures, unlisted, cancelled } = outcome;
  for (const text of explain(t, "delete", failures, unlisted)) toasts.error(text);
  if (listing.path.peek() !== shown) return;
  if (names.length === 1 && names.some((name) => pathIn(folder, name) === shown)) {
    if (failures.size === 0 && !cancelled) showNext(options, successor);
    return;
  }
  listing.selection.selectNames(failures.keys());
  await listing.reload();
}

/** The last part of a name of a target. */
function lastOf(name?: string): string | undefined {
  return name && nameOf(parsePath(name).path);
}

/** The result of a deletion. */
interface DeleteOutcome {
  /** By the entries' names. */
  failures: Map<string, Failure>;
  /** How many more failed, which the server did not list. */
  unlisted: number;
  /** The user cancelled it. */
  cancelled: boolean;
}

/** Deletes entries, and tells how many. */
async function removeAll(
  options: ActionsOptions,
  folder: EntryPath,
  names: readonly string[],
  action: "trash" | "delete",
): Promise<DeleteOutcome> {
  const { tell, t } = options;
  const byPath = new Map(names.map((name) => [pathIn(folder, name), name]));
  const answer = await runJob(options, action, [...byPath.keys()].map((path) => ({ path })));
  if (!answer.ok) {
    const failures = new Map(names.map((name) => [name, answer]));
    return { failures, unlisted: 0, cancelled: false };
  }
  const { id, state, done, failed, undo } = answer.value;
  const unlisted = failed - answer.value.failures.length;
  const failures = new Map(answer.value.failures.map(({ path, code, message }) => {
    const name = byPath.get(parsePath(path).path) ?? path;
    return [name, failure(0, code as FailureCode, message)];
  }));
  // An entry that another user has deleted in between is gone as well.
  for (const [name, { code }] of failures) if (code === "not_found") failures.delete(name);
  const count = done - failed;
  const jobs = undo === "nothing" ? [] : [id];
  const key = action === "trash" ? "toasts.trashed" : "toasts.deleted";
  const cancelled = state === "cancelled";
  if (cancelled) tell(t("toasts.stopped", { done: count, total: names.length }), jobs);
  else if (count > 0) tell(t(key, { count }), jobs);
  return { failures, unlisted, cancelled };
}

function showNext({ listing, navigation }: ActionsOptions, successor: Entry | null): void {
  if (successor === null) return navigation.leave();
  listing.expect(successor);
  navigation.go(parsePath(successor.path).path, { folder: false, replace: true });
}
