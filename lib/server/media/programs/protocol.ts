import type { ProgramName, RecipeName } from "./recipes.ts";
import type { ReaderLimits } from "./limits.ts";

/** The server's request to the host of programs. */
export interface ReadRequest {
  recipe: RecipeName;
  /** The descriptor of the open file in the server process. */
  descriptor: number;
}

/** The end of a run. */
export interface ReadEnd {
  /** The exit status; 137 for a program that was killed. */
  status: number;
  /** The limit that it was killed for, or `gone` when the server no longer wants it. */
  stopped?: "time" | "output" | "gone";
  /** The reason why it could not be started or confined, for the log. */
  failure?: string;
}

/** The paths of the programs that are installed. */
export type FoundPrograms = Partial<Record<ProgramName, string>>;

/** The configuration of a host. */
export interface ReaderHostSpec {
  /** The path of the listening socket, in a folder that only this account can enter. */
  socket: string;
  programs: FoundPrograms;
  limits: ReaderLimits;
  /** The process id of the launcher, which becomes the server: the host ends with it. */
  server: number;
}

/** The instructions of one run, for `confine_reader.ts`. */
export interface ReaderConfinement {
  program: string;
  args: readonly string[];
  limits: ReaderLimits;
}
