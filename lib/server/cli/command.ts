import type { Gate } from "../access/gate.ts";
import type { Cubby } from "../cubby.ts";
import { DomainError } from "../../shared/errors.ts";
import type { ServerOptionsStore } from "../settings/server_options.ts";
import type { LaunchEnvironment } from "../config/resolve_config.ts";
import type { CommandFlag, Given } from "./flags.ts";

/** The records that commands work on: what of an open application needs no server. */
export interface Records extends Pick<Cubby, "users" | "passwords" | "settings" | "shares"> {
  serverOptions: ServerOptionsStore;
  /**
   * Opens the folder that the server would serve.
   *
   * @throws StartRefusal when the server would not start
   */
  openGate(): Promise<Gate>;
}

/** A call of one command. */
export interface Call extends Given {
  records: Records;
  /** Prints a line. */
  print(line: string): void;
  /** The folder that relative paths of files start from. */
  cwd: string;
  /** What the server would be told, the store aside. */
  surroundings: LaunchEnvironment;
}

/** One command of the program. */
export interface Command {
  /** How it is called: `users add`. */
  name: string;
  /** The words that follow: `<name> <password>`; those in brackets may be missing. */
  words: string;
  about: string;
  flags?: readonly CommandFlag[];
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
