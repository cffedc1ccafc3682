import type { Gate } from "../core/access/gate.ts";
import type { Config } from "../core/config/config.ts";
import type { Cubby } from "../boot/cubby/cubby.ts";
import { DomainError } from "../../shared/errors.ts";
import type { Store } from "../core/kv/store.ts";
import type { ServerOptionsStore } from "../features/settings/server_options.ts";
import type { LaunchEnvironment } from "../core/config/sources.ts";
import type { Note } from "./activities.ts";
import type { CommandFlag, Given } from "./flags.ts";
import type { PasswordInput } from "./password_input.ts";

/** The records that commands work on: the parts of an application that need no server. */
export interface Records
  extends Pick<Cubby, "users" | "passwords" | "settings" | "shares" | "factors"> {
  store: Store;
  serverOptions: ServerOptionsStore;
  /** Takes a change down in the activity log; see {@linkcode Note}. */
  note: Note;
  /**
   * Opens the gate to the folder that the server would serve.
   *
   * @param mustBeNamed refuses the current folder, which is served when nothing names another
   * @throws StartRefusal when the server would not start
   */
  openGate(mustBeNamed?: boolean): Promise<Gate>;
  /** The configuration of the server. @throws StartRefusal when the server would not start */
  config(): Promise<Config>;
  /**
   * The whole application, for calls of the API; opened once. Its activity log is that of
   * {@linkcode note}.
   */
  open(): Promise<Cubby>;
}

/** One invocation of a command. */
export interface Call extends Given {
  records: Records;
  /** Prints a line. */
  print(line: string): void;
  /** Prints a line beside the result. */
  warn(line: string): void;
  /** Base of relative file paths. */
  cwd: string;
  /** The server's sources of settings, except the store. */
  environment: LaunchEnvironment;
  /** Where passwords are typed; absent without a standard input. */
  input?: PasswordInput;
}

type Status = number | void;

/** The description of a command, for the help and the reading of its arguments. */
interface CommandForm {
  /** Its name: `users add`. */
  name: string;
  /** Its arguments: `<name> <password>`; those in brackets are optional. */
  words: string;
  about: string;
  /** Its flags, or a function that loads what they are made of. */
  flags?: readonly CommandFlag[] | (() => Promise<readonly CommandFlag[]>);
}

/** One command of the program. */
export interface Command extends CommandForm {
  /**
   * Whether it makes the store where there is none, does without, or uses none at all. Any other
   * command is refused then: with a mistyped name it would find an empty store, and answer as if all
   * were well.
   */
  store?: "made" | "optional" | "unused";
  /**
   * @returns the exit status; 0 unless it says otherwise
   * @throws DomainError for an operation that fails
   */
  run(call: Call): Status | Promise<Status>;
}

/** A command about the store as a whole, which no other part of the program may have open. */
export interface StoreCommand extends CommandForm {
  /** As {@linkcode Command.run}, with the store closed. */
  runOnStore(call: Omit<Call, "records">): Status | Promise<Status>;
}

/**
 * A required argument.
 *
 * @throws DomainError `invalid_option`
 */
export function wordAt({ words }: Given, place: number, meaning: string): string {
  const word = words[place];
  if (word !== undefined) return word;
  throw new DomainError("invalid_option", `Cannot run the command: the ${meaning} is missing`);
}

/**
 * A required argument that is a whole number.
 *
 * @throws DomainError `invalid_option`
 */
export function numberAt(given: Given, place: number, meaning: string): number {
  const word = wordAt(given, place, meaning);
  if (/^\d{1,9}$/.test(word)) return Number(word);
  throw new DomainError("invalid_option", `Cannot use "${word}": the ${meaning} is a number`);
}
