import { fileURLToPath } from "node:url";
import type { CommandHost, Config } from "../../core/config/config.ts";
import { appFolder } from "../../core/config/app_folder.ts";
import { StartRefusal } from "../../core/config/refusal.ts";
import { type CommandLimits, commandLimits } from "./limits.ts";
import { startHostProcess } from "./host_process.ts";
import type { HostSpec } from "./protocol.ts";

/** A command host that was started by this process. */
export interface StartedHost extends CommandHost {
  /** The folder of its socket, out of reach for the server's clients and for commands. */
  folder: string;
  /** Has it kill what runs, and waits for its end. */
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("./host.ts", import.meta.url));

/**
 * Starts a command host and waits until it listens.
 *
 * @throws StartRefusal when it does not start
 */
export async function startHost(
  config: Pick<Config, "root" | "reserved" | "execSandbox">,
  limits: CommandLimits = commandLimits,
): Promise<StartedHost> {
  const { root, reserved, execSandbox: sandbox } = config;
  const host = await startHostProcess(
    program,
    "commands.sock",
    ["--allow-sys=uid,gid"],
    ({ folder, socket, server }): HostSpec => {
      return { socket, server, root, kept: [...reserved, appFolder, folder], sandbox, limits };
    },
  );
  if (!host) throw new StartRefusal("Cannot run commands: the command host did not start");
  const { socket, folder, greeting: { refusal }, stop } = host;
  return { socket, folder, refusal, stop };
}
