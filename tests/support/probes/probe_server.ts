/** The real server process with the probe in the application's place. */
import type { CallName } from "../../../lib/server/core/sandbox/call_numbers.ts";
import { loadLibc } from "../../../lib/server/core/sandbox/libc.ts";
import { landlockFeatures } from "../../../lib/server/core/sandbox/landlock.ts";
import type { ProbeAnswer, ProbeStep } from "./probe.ts";
import { type RunningServer, type ServerOptions, startServer } from "../server/server.ts";

/** How a probe is started. */
export interface ProbeOptions extends ServerOptions {
  /** A system call that the kernel is to lack, as an older one would. */
  without?: CallName;
}

/** A running probe. */
export interface RunningProbe extends RunningServer {
  /** Has the server process do something and tells how it went. */
  ask(step: ProbeStep): Promise<ProbeAnswer>;
}

const libc = loadLibc();
/** Whether this kernel has Landlock. Without it there is nothing to show of it. */
export const hasLandlock = libc !== null && landlockFeatures(libc) !== null;

/**
 * Starts the probe.
 *
 * @param drainMs how long it waits for requests under way when it is stopped
 */
export async function startProbe(
  options: ProbeOptions = {},
  drainMs = 5000,
): Promise<RunningProbe> {
  const launcher = ["run", "-A", "--cached-only", "tests/support/probes/launch_probe.ts"];
  const without = options.without ? [`--without=${options.without}`] : [];
  const command = [...launcher, String(drainMs), ...without];
  const server = await startServer({ command, ...options });
  async function ask(step: ProbeStep): Promise<ProbeAnswer> {
    const answer = await fetch(server.url, { method: "POST", body: JSON.stringify(step) });
    return await answer.json();
  }
  return { ...server, ask };
}
