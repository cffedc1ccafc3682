import type { Config } from "../config.ts";

/** What the launcher tells the server process. */
export interface Handover {
  config: Config;
  /** The module to serve, absolute: its default export has `fetch`. */
  entry: string;
  /** What confines the process, for the line at the start. */
  sandbox: string;
  /** How long requests under way may take after a signal to stop. */
  drainMs: number;
}

/**
 * The one environment variable that the server process may read. Not an argument: those can be
 * read by everybody on the machine, and the first administrator's password is in it.
 */
export const handoverName = "CUBBY_START";

/** What the launcher handed over; null in a process that it did not start. */
export function readHandover(): Handover | null {
  const text = Deno.env.get(handoverName);
  return text === undefined ? null : JSON.parse(text);
}
