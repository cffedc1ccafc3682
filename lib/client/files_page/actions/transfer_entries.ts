import { childOf, type EntryPath, isInside, nameOf, parentOf } from "../../../shared/path.ts";
import type { ActionsOptions } from "./actions_options.ts";
import type { Choice, Choices, Conflict, EntryFacts } from "../../base/prompts/prompts.ts";
import { findConflicts } from "./conflicts.ts";
import { type Failure, failure } from "../../../shared/result.ts";
import type { LeftOutInfo } from "../../../shared/schemas/job.ts";
import { failuresOf, leftOutOf, runJob } from "./run_job.ts";

/** Entries to transfer to a folder. */
export interface TransferRequest {
  action: "copy" | "move";
  paths: readonly EntryPath[];
  to: EntryPath;
}

/** The outcome of a transfer. */
export interface TransferOutcome {
  /** The names that entries have at their destination now; the first hundred. */
  names: string[];
  /** How many have arrived. */
  count: number;
  /** The ids of the jobs by which it can be undone. */
  jobs: string[];
  /** The failures of entries that stayed at their source, by name. */
  failures: Map<string, Failure>;
  /** What was left out of folders, all else of which has arrived. */
  leftOut: LeftOutInfo[];
  /** How many more failed, which the server did not list. */
  unlisted: number;
  /** The user cancelled it. */
  cancelled: boolean;
}

/**
 * Copies or moves entries into a folder. The user resolves name conflicts, before the start as far
 * as they are known; a copy beside its original is renamed without a prompt.
 *
 * @returns null when there was nothing to do, or a prompt was closed before the start
 */
export async function transferEntries(
  options: ActionsOptions,
  { action, paths, to }: TransferRequest,
): Promise<TransferOutcome | null> {
  const arrival: TransferOutcome = {
    names: [],
    count: 0,
    jobs: [],
    failures: new Map(),
    leftOut: [],
    unlisted: 0,
    cancelled: false,
  };
  const choices = new Map<string, Choice>();
  const leaving: EntryPath[] = [];
  for (const path of paths) {
    const isThere = parentOf(path) === to;
    if (isThere && action === "move") continue;
    if (!isThere && isInside(to, path)) arrival.failures.set(nameOf(path), intoItself(path));
    else leaving.push(path);
    if (isThere) choices.set(nameOf(path), "keep");
  }
  if (leaving.length === 0) return arrival.failures.size > 0 ? arrival : null;

  const factsOf = factsFrom(options);
  const unsettled = leaving.filter((path) => !choices.has(nameOf(path)));
  const conflicts = await findConflicts(options.api, to, unsettled, factsOf);
  if (!await decide(options, conflicts, leaving.length > 1, choices)) return null;

  let left = leaving;
  while (left.length > 0) {
    // The rest met conflicts that were not found before: in a large folder, or new ones.
    left = await send(options, { action, paths: left, to }, { choices, arrival });
    const late = left.map((path) => ({ name: nameOf(path), coming: factsOf(path) }));
    if (!await decide(options, late, true, choices)) break;
  }
  return arrival;
}

/** Asks about name conflicts; false when the prompt was closed. */
async function decide(
  { prompts, may }: ActionsOptions,
  conflicts: readonly Conflict[],
  others: boolean,
  choices: Map<string, Choice>,
): Promise<boolean> {
  if (conflicts.length === 0) return true;
  const input = { conflicts, others, mayReplace: may("modify") };
  const answer: Choices | null = await prompts.open("replace", input);
  if (answer === null) return false;
  for (const { name } of conflicts) choices.set(name, answer.get(name) ?? "skip");
  return true;
}

/** Transfers entries; returns those with an unresolved conflict. */
async function send(
  options: ActionsOptions,
  { action, paths, to }: TransferRequest,
  { choices, arrival }: { choices: Choices; arrival: TransferOutcome },
): Promise<EntryPath[]> {
  const entries = paths.flatMap((path) => {
    const choice = choices.get(nameOf(path));
    if (choice === "skip") return [];
    const destination = childOf(to, nameOf(path));
    return [{ path, destination, override: choice === "replace", rename: choice === "keep" }];
  });
  if (entries.length === 0) return [];
  const answer = await runJob(options, action, entries);
  if (!answer.ok) {
    for (const { path } of entries) arrival.failures.set(nameOf(path), answer);
    return [];
  }
  const { id, state, done, failed, partial = 0, failures, arrived, undo } = answer.value;
  arrival.names.push(...arrived);
  arrival.count += done - failed + partial;
  arrival.leftOut.push(...leftOutOf(answer.value));
  arrival.unlisted += failed - failures.length;
  if (undo !== "nothing") arrival.jobs.push(id);
  arrival.cancelled ||= state === "cancelled";
  const undecided = new Set<string>();
  for (const [name, why] of failuresOf(answer.value)) {
    if (why.code === "exists" && !choices.has(name)) undecided.add(name);
    else arrival.failures.set(name, why);
  }
  return arrival.cancelled ? [] : paths.filter((path) => undecided.has(nameOf(path)));
}

/** The known entries of the open folder. */
function factsFrom({ listing }: ActionsOptions): (path: EntryPath) => EntryFacts | undefined {
  const entries = new Map<string, EntryFacts>();
  for (const [, entry] of listing.rows.peek().entries()) entries.set(entry.path, entry);
  return (path) => entries.get(path);
}

function intoItself(path: EntryPath): Failure {
  return failure(400, "into_itself", `Cannot put "${path}" into itself`);
}
