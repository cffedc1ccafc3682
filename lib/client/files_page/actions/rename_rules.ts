import { childOf, type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import { stemLength } from "../../../shared/numbered_name.ts";
import { type NameFault, nameFault } from "../../base/core/names.ts";

/** How letters are written. */
export const letterCases = ["keep", "lower", "upper", "title"] as const;

/** How the names of several entries come about. Extensions stay as they are. */
export interface RenameRules {
  /** The new name, with `{name}`, `{number}` and `{date}` in it. */
  pattern: string;
  /** What is replaced in former names, literally; nothing where it is empty. */
  find: string;
  replacement: string;
  letters: (typeof letterCases)[number];
  /** The first number, with as many digits as all numbers have at least: "001". */
  first: string;
}

/** An entry that gets another name. */
export interface RenamedEntry {
  path: EntryPath;
  isDir: boolean;
  /** RFC 3339. */
  modified: string;
}

/** An entry with its new place. */
export interface Renaming {
  from: EntryPath;
  to: EntryPath;
}

/** The new names of entries, in their order; cleaned, but maybe not valid. */
export function newNames(entries: readonly RenamedEntry[], rules: RenameRules): string[] {
  const { pattern, find, replacement, letters, first } = rules;
  return entries.map(({ path, isDir, modified }, index) => {
    const former = nameOf(path);
    const length = stemLength(former, isDir);
    const stem = former.slice(0, length);
    const parts: Record<string, string> = {
      name: find === "" ? stem : stem.replaceAll(find, () => replacement),
      number: String(Number(first) + index).padStart(first.length, "0"),
      date: dayOf(modified),
    };
    const made = pattern.replace(/\{(name|number|date)\}/g, (_, part: string) => parts[part] ?? "");
    return (written(made, letters) + former.slice(length)).trim();
  });
}

function written(text: string, letters: RenameRules["letters"]): string {
  if (letters === "lower") return text.toLowerCase();
  if (letters === "upper") return text.toUpperCase();
  if (letters === "keep") return text;
  return text.replace(/\p{L}[\p{L}\p{M}'’]*/gu, (word) => {
    const [initial = "", ...rest] = word;
    return initial.toUpperCase() + rest.join("").toLowerCase();
  });
}

/** The day of a time here: "2026-11-29". */
function dayOf(modified: string): string {
  const time = new Date(modified);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

/** What is wrong with each of the new names, in their order; null where nothing is. */
export function faultsOf(
  entries: readonly RenamedEntry[],
  names: readonly string[],
  isTaken: (path: EntryPath) => boolean,
): (NameFault | "twice" | "taken" | null)[] {
  const sources = new Set<string>(entries.map(({ path }) => path));
  const counts = new Map<string, number>();
  const targets = entries.map(({ path }, index) => `${parentOf(path)}/${names[index]}`);
  for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1);
  return entries.map(({ path }, index) => {
    const name = names[index] ?? "";
    const fault = nameFault(name);
    if (fault) return fault;
    if ((counts.get(targets[index] ?? "") ?? 0) > 1) return "twice";
    const to = childOf(parentOf(path), name);
    return !sources.has(to) && isTaken(to) ? "taken" : null;
  });
}

/**
 * The moves that give entries their new names, one after the other: a name that one of them has is
 * free before another gets it. Where names go round, one waits under another name.
 *
 * @param makeName a name that no entry has
 */
export function stepsOf(
  renamings: readonly Renaming[],
  makeName: () => string = () => `renaming-${crypto.randomUUID()}`,
): Renaming[] {
  const changes = renamings.filter(({ from, to }) => from !== to);
  const sources = new Set(changes.map(({ from }) => from));
  const wanting = new Map(changes.map((change) => [change.to, change]));
  const done = new Set<Renaming>();
  const steps: Renaming[] = [];
  const followFrom = (freed: EntryPath) => {
    for (let next = wanting.get(freed); next && !done.has(next); next = wanting.get(next.from)) {
      done.add(next);
      steps.push(next);
    }
  };
  for (const change of changes) {
    if (sources.has(change.to)) continue;
    done.add(change);
    steps.push(change);
    followFrom(change.from);
  }
  for (const change of changes.filter((each) => !done.has(each))) {
    if (done.has(change)) continue;
    done.add(change);
    const waiting = childOf(parentOf(change.from), makeName());
    steps.push({ from: change.from, to: waiting });
    followFrom(change.from);
    steps.push({ from: waiting, to: change.to });
  }
  return steps;
}
