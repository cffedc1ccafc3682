import type { CommandLimits } from "./limits.ts";

/** The variable that carries the instructions for one command, its secrets included. */
export const confinementVariable = "CUBBY_CONFINEMENT";

/** The server's request to the command host. */
export interface CommandRequest {
  /** The program and its arguments. */
  argv: [string, ...string[]];
  /** The real path of the folder to run in. */
  folder: string;
  /**
   * The real path of the user's scope: all that the command sees besides programs. Null for none:
   * then the folder is a temporary one.
   */
  scope: string | null;
  /** Variables besides the few that every command gets. */
  env: Partial<Record<CommandVariable, string>>;
  /** Commands of one queue wait for one another when too many run at once. */
  queue: string;
}

/** The variables of a hooked command, and of the one that knows passwords. */
export type CommandVariable =
  | "FILE"
  | "SCOPE"
  | "TRIGGER"
  | "USERNAME"
  | "DESTINATION"
  | "PASSWORD";

/** The end of a program that a host has run. */
export interface ProgramEnd {
  /** The exit status as in a shell: 128 and the signal for a program that was killed. */
  status: number;
  /** The limit that it was killed for, or `gone` when its client has disconnected. */
  stopped?: "time" | "output" | "gone";
  /** The reason why it could not be started or confined, for the log. */
  failure?: string;
}

/** The end of a command. */
export interface CommandEnd extends ProgramEnd {
  /** The reason why it must not run, for the client. */
  refusal?: string;
}

/** The configuration of a command host. */
export interface HostSpec {
  /** The path of the listening socket, in a folder that only this account can enter. */
  socket: string;
  /** The served folder: no scope lies outside of it. */
  root: string;
  /** Real paths that no command may reach: the program, the store and the like. */
  kept: string[];
  sandbox: "kernel" | "none";
  limits: CommandLimits;
  /** The process id of the launcher, which becomes the server: the host ends with it. */
  server: number;
}
