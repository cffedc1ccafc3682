import { childOf, type EntryPath, isInside, nameOf, parentOf } from "../../shared/path.ts";
import type { ActionsOptions } from "./actions.ts";
import { eachAtOnce } from "../core/at_once.ts";
import type { Choice, Choices, Conflict, EntryFacts } from "./conflicts.ts";
import { findConflicts } from "./find_conflicts.ts";
import { type Failure, failure } from "../api/result.ts";
import type { TaskControl } from "../live/tasks.ts";

/** How many entries travel at a time. */
const AT_ONCE = 3;

/** Entries that are to be put into a folder. */
export interface Journey {
  action: "copy" | "move";
  paths: readonly EntryPath[];
  to: EntryPath;
}

/** What came of a journey. */
export interface Arrival {
  /** The names that entries have at their destination now. */
  names: string[];
  /** Why others are where they were, by name. */
  failures: Map<string, Failure>;
  /** The user gave it up under way. */
  cancelled: boolean;
}

/**
 * Copies or moves entries into a folder. Names that are taken there are asked about, before anything
 * is done as far as they are found by then; a copy beside its original gets another name unasked.
 *
 * @returns null when there was nothing to do, or a question was closed before anything was done
 */
export async function transferEntries(
  options: ActionsOptions,
  { action, paths, to }: Journey,
): Promise<Arrival | null> {
  const arrival: Arrival = { names: [], failures: new Map(), cancelled: false };
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

  const task = { deed: action, total: leaving.length };
  arrival.cancelled = await options.tasks.run(task, async (control) => {
    let left = leaving;
    while (left.length > 0) {
      // What is left over met a name that was not seen before: in a large folder, or a new one.
      left = await send(options, { action, paths: left, to }, { choices, arrival, control });
      const late = left.map((path) => ({ name: nameOf(path), coming: factsOf(path) }));
      if (!await decide(options, late, true, choices)) return;
    }
  });
  return arrival;
}

/** Asks about taken names; false when the question was closed. */
async function decide(
  { prompts, may }: ActionsOptions,
  conflicts: readonly Conflict[],
  others: boolean,
  choices: Map<string, Choice>,
): Promise<boolean> {
  if (conflicts.length === 0) return true;
  const asks = { conflicts, others, mayReplace: may("modify") };
  const answer: Choices | null = await prompts.open("replace", asks);
  if (answer === null) return false;
  for (const { name } of conflicts) choices.set(name, answer.get(name) ?? "skip");
  return true;
}

/** Sends entries on their way; answers with those whose names are taken and not decided about. */
async function send(
  { api }: ActionsOptions,
  { action, paths, to }: Journey,
  { choices, arrival, control: { signal, step } }: {
    choices: Choices;
    arrival: Arrival;
    control: TaskControl;
  },
): Promise<EntryPath[]> {
  const undecided: EntryPath[] = [];
  await eachAtOnce(paths, AT_ONCE, async (path) => {
    const name = nameOf(path);
    const choice = choices.get(name);
    if (choice === "skip") return step();
    const wishes = { action, override: choice === "replace", rename: choice === "keep", signal };
    const answer = await api.transfer(path, childOf(to, name), wishes);
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

/** What is known of entries of the folder on screen. */
function factsFrom({ listing }: ActionsOptions): (path: EntryPath) => EntryFacts | undefined {
  const entries = new Map<string, EntryFacts>();
  for (const [, entry] of listing.rows.peek().entries()) entries.set(entry.path, entry);
  return (path) => entries.get(path);
}

function intoItself(path: EntryPath): Failure {
  return failure(400, "into_itself", `Cannot put "${path}" into itself`);
}
