import { childOf, type EntryPath, isInside, nameOf, parentOf } from "../../shared/path.ts";
import type { ActionsOptions } from "./actions.ts";
import { eachAtOnce } from "../core/at_once.ts";
import {
  type Choice,
  type Choices,
  type Conflict,
  type EntryFacts,
  findConflicts,
} from "./conflicts.ts";
import { type Failure, failure } from "../../shared/result.ts";
import type { TaskControl } from "../live/tasks.ts";

/** The number of concurrent transfers. */
const AT_ONCE = 3;

/** Entries to transfer to a folder. */
export interface TransferRequest {
  action: "copy" | "move";
  paths: readonly EntryPath[];
  to: EntryPath;
}

/** The outcome of a transfer. */
export interface TransferOutcome {
  /** The names that entries have at their destination now. */
  names: string[];
  /** The failures of entries that stayed at their source, by name. */
  failures: Map<string, Failure>;
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
  const arrival: TransferOutcome = { names: [], failures: new Map(), cancelled: false };
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

  const task = { action, total: leaving.length };
  arrival.cancelled = await options.tasks.run(task, async (control) => {
    let left = leaving;
    while (left.length > 0) {
      // The rest met conflicts that were not found before: in a large folder, or new ones.
      left = await send(options, { action, paths: left, to }, { choices, arrival, control });
      const late = left.map((path) => ({ name: nameOf(path), coming: factsOf(path) }));
      if (!await decide(options, late, true, choices)) return;
    }
  });
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
  { api }: ActionsOptions,
  { action, paths, to }: TransferRequest,
  { choices, arrival, control: { signal, step } }: {
    choices: Choices;
    arrival: TransferOutcome;
    control: TaskControl;
  },
): Promise<EntryPath[]> {
  const undecided: EntryPath[] = [];
  await eachAtOnce(paths, AT_ONCE, async (path) => {
    const name = nameOf(path);
    const choice = choices.get(name);
    if (choice === "skip") return step();
    const options = { action, override: choice === "replace", rename: choice === "keep", signal };
    const answer = await api.transfer(path, childOf(to, name), options);
    if (!answer.ok && answer.code === "exists" && choice === undefined) {
      undecided.push(path);
      return;
    }
    step();
    if (answer.ok) arrival.names.push(nameOf(answer.value));
    else if (answer.code !== "aborted") arrival.failures.set(name, answer);
  }, signal);
  return signal.aborted ? [] : undecided;
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
