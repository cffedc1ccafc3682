import type { Cubby } from "../cubby.ts";
import { DomainError } from "../errors.ts";
import type { Flag, Given } from "./flags.ts";

/** The records that commands work on: what of an open application needs no server. */
export type Records = Pick<Cubby, "users" | "passwords" | "settings" | "shares" | "gate">;

/** A call of one command. */
export interface Call extends Given {
  records: Records;
  /** Prints a line. */
  print(line: string): void;
  /** The folder that relative paths of files start from. */
  cwd: string;
}

/** One command of the program. */
export interface Command {
  /** How it is called: `users add`. */
  name: string;
  /** The words that follow: `<name> <password>`; those in brackets may be missing. */
  words: string;
  about: string;
  flags?: readonly Flag[];
  /** @throws DomainError what can't be done */
  run(call: Call): void | Promise<void>;
}

/**
 * The word at a place, which the command can't do without.
 *
 * @throws DomainError `invalid_option`
 */
export function wordAt({ words }: Given, place: number, meaning: string): string {
  const word = words[place];
  if (word !== undefined) return word;
  throw new DomainError("invalid_option", `Cannot go on: the ${meaning} is missing`);
}

/**
 * A whole number among the words.
 *
 * @throws DomainError `invalid_option`
 */
export function numberAt(given: Given, place: number, meaning: string): number {
  const word = wordAt(given, place, meaning);
  if (/^\d{1,9}$/.test(word)) return Number(word);
  throw new DomainError("invalid_option", `Cannot use "${word}": the ${meaning} is a number`);
}
