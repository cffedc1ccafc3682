import type { CommandLimits } from "./limits.ts";

/** What the server asks the command host for. */
export interface CommandRequest {
  /** The program and its arguments. */
  argv: [string, ...string[]];
  /** The real path of the folder to run in. */
  folder: string;
  /** The real path of the user's scope: besides programs, all that the command sees. */
  scope: string;
  /** Variables besides the few that every command gets. */
  env: Partial<Record<CommandVariable, string>>;
  /** Commands of one queue wait for each other when too many run at once. */
  queue: string;
}

/** The variables that tell a hooked command what happens. */
export type CommandVariable = "FILE" | "SCOPE" | "TRIGGER" | "USERNAME" | "DESTINATION";

/** How a command ended. */
export interface CommandEnd {
  /** The exit status as a shell tells it: 128 and the signal for a command that was killed. */
  status: number;
  /** The limit that it was killed for, or that nobody waits for it any more. */
  stopped?: "time" | "output" | "gone";
  /** Why it must not run, for the one who asked. */
  refusal?: string;
  /** Why it could not be prepared, for the log. */
  failure?: string;
}

/** What a command host is started with. */
export interface HostSpec {
  /** The path of the socket to listen on, in a folder that only this account can enter. */
  socket: string;
  /** The served folder: no scope lies outside of it. */
  root: string;
  /** Real paths that no command may reach: the program, the store and the like. */
  kept: string[];
  sandbox: "kernel" | "none";
  limits: CommandLimits;
}

/** What the host prints once it listens: why it will refuse every command, or null. */
export interface HostGreeting {
  refusal: string | null;
}
