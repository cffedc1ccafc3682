import type { Config } from "../core/config/config.ts";
import type { ConnectionLimits } from "./connection_limits.ts";
import { launchVariable } from "../core/disk/waiting_thread.ts";
import type { LandlockFeatures } from "../core/sandbox/landlock.ts";
import { prepareData } from "./prepare_data.ts";
import { resolveWithStore } from "./stored.ts";

/** Data from the launcher to the server process. */
export interface LaunchPayload {
  config: Config;
  /** The module to serve, absolute: its default export has `fetch`. */
  entry: string;
  /** The Landlock in force, for the line at the start; null without. */
  landlock: LandlockFeatures | null;
  /** Timeout for requests in progress after a signal to stop, in milliseconds. */
  drainMs: number;
  /** Timeout of a slow disk, after which its requests are refused, in milliseconds. */
  disksTimeoutMs: number;
  /** Interval of the check that the served folder is still in place, in milliseconds. */
  rootCheckMs: number;
  /** Limits on the connections of each thread. */
  limits: ConnectionLimits;
  /** Descriptors of the programs with which the server ends; see `openStarters()`. */
  starters: number[];
}

/** Reads the launcher's payload; null in a process that it did not start. */
export function readLaunchPayload(): LaunchPayload | null {
  const text = Deno.env.get(launchVariable);
  return text === undefined ? null : JSON.parse(text);
}

/**
 * The configuration of this process: the launcher's or, without a launcher (`deno task dev`), that
 * of the command line, the environment, the config file and the store.
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
