import type { Config } from "../config/config.ts";
import type { ConnectionLimits } from "./connection_limits.ts";
import { launchVariable } from "../disk/waiting_thread.ts";
import type { LandlockFeatures } from "../sandbox/landlock.ts";
import { prepareData } from "./prepare_data.ts";
import { resolveWithStore } from "./stored.ts";

/** What the launcher tells the server process. */
export interface LaunchPayload {
  config: Config;
  /** The module to serve, absolute: its default export has `fetch`. */
  entry: string;
  /** The Landlock that holds the process, for the line at the start; null without. */
  landlock: LandlockFeatures | null;
  /** How long requests under way may take after a signal to stop. */
  drainMs: number;
  /** How long a slow disk may stay silent before its requests are refused. */
  disksPatienceMs: number;
  /** How often it is checked that the served folder is still in its place. */
  rootCheckMs: number;
  /** The bounds on the connections of each thread. */
  limits: ConnectionLimits;
}

/** What the launcher handed over; null in a process that it did not start. */
export function readLaunchPayload(): LaunchPayload | null {
  const text = Deno.env.get(launchVariable);
  return text === undefined ? null : JSON.parse(text);
}

/**
 * The configuration of this process: what the launcher handed over, or, when there was none
 * (`deno task dev`), what the command line, the environment, the config file and the store say.
 *
 * @throws StartRefusal when a setting is wrong
 */
export async function readConfig(): Promise<Config> {
  const payload = readLaunchPayload();
  if (payload) return payload.config;
  const args = Deno.args.filter((arg) => arg !== "build");
  const { config } = await resolveWithStore({ args, env: Deno.env, cwd: Deno.cwd() });
  prepareData(config);
  return config;
}
