import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CommandHost, Config } from "../config/config.ts";
import { appFolder, compiledFolder } from "../config/app_folder.ts";
import { StartRefusal } from "../config/refusal.ts";
import { type CommandLimits, commandLimits } from "./limits.ts";
import type { HostGreeting, HostSpec } from "./protocol.ts";

/** A command host that was started by this process. */
export interface StartedHost extends CommandHost {
  /** The folder of its socket, out of reach for the server's clients and for commands. */
  folder: string;
  /** Has it kill what runs, and waits for its end. */
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL("./host.ts", import.meta.url));

/**
 * Starts a command host and waits until it listens. It ends with this process, or with the program
 * that replaces this process.
 *
 * @throws StartRefusal when it does not start
 */
export async function startHost(
  config: Pick<Config, "root" | "reserved" | "execSandbox">,
  limits: CommandLimits = commandLimits,
): Promise<StartedHost> {
  // Not in a configured folder: the name of a socket has to be short.
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ dir: "/tmp", prefix: "cubby-" }));
  const spec: HostSpec = {
    socket: join(folder, "commands.sock"),
    root: config.root,
    kept: [...config.reserved, appFolder, folder],
    sandbox: config.execSandbox,
    limits,
  };
  const child = spawn(spec);
  const greeting = await readGreeting(child);
  if (!greeting) {
    Deno.removeSync(folder, { recursive: true });
    throw new StartRefusal("Cannot run commands: their host did not start");
  }
  child.unref();
  return {
    socket: spec.socket,
    refusal: greeting.refusal,
    folder,
    async stop() {
      child.ref();
      child.kill("SIGHUP");
      await child.status;
    },
  };
}

function spawn(spec: HostSpec): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--cached-only", "--no-config", "--no-lock", "--no-prompt"],
      ...["--allow-run", "--allow-read", `--allow-write=${join(spec.socket, "..")}`],
      ...[`--allow-net=unix:${spec.socket}`, "--allow-sys=uid,gid", "--allow-env=DENO_DIR"],
      ...[program, JSON.stringify(spec)],
    ],
    cwd: "/",
    clearEnv: true,
    env: { DENO_DIR: compiledFolder, DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stdout: "piped",
  }).spawn();
}

/** The first line that it prints; null when it ends without one. */
async function readGreeting(child: Deno.ChildProcess): Promise<HostGreeting | null> {
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) return null;
    text += value;
  }
  await reader.cancel();
  return JSON.parse(text);
}
