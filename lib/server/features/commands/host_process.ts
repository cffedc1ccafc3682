import { join } from "node:path";
import { compiledFolder } from "../../core/config/app_folder.ts";

/** Where a host listens, and with whom it ends. */
export interface HostPlace {
  /** A new folder that only this account can enter. */
  folder: string;
  /** The path of the listening socket, in the folder. */
  socket: string;
  /** The process id of the launcher, which becomes the server: the host ends with it. */
  server: number;
}

/** The line that a host prints once it listens: why it can run nothing, or null. */
export interface HostGreeting {
  refusal: string | null;
}

/** A host process that was started by this one, and listens. */
export interface HostProcess extends HostPlace {
  greeting: HostGreeting;
  /** Has it kill what runs, and waits for its end. */
  stop(): Promise<void>;
}

/** The folder of the hosts' folders. Not a configured one: the name of a socket has to be short. */
const parent = "/tmp";
const prefix = "cubby-host-";

/**
 * Starts a process that runs programs for the server, which may run none itself, and waits until it
 * listens. It ends with this process, or with the program that replaces this process.
 *
 * @param program the module, absolute
 * @param name of the socket
 * @param flags of Deno, in addition
 * @param specOf what the process gets as its argument, in JSON
 * @returns null when it does not start; its folder is removed then
 */
export async function startHostProcess(
  program: string,
  name: string,
  flags: string[],
  specOf: (place: HostPlace) => object,
): Promise<HostProcess | null> {
  await removeLeftovers();
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ dir: parent, prefix }));
  const place = { folder, socket: join(folder, name), server: Deno.pid };
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--cached-only", "--no-config", "--no-lock", "--no-prompt"],
      ...["--allow-run", "--allow-read", `--allow-write=${folder}`, "--allow-env=DENO_DIR"],
      ...[`--allow-net=unix:${place.socket}`, ...flags, program, JSON.stringify(specOf(place))],
    ],
    cwd: "/",
    clearEnv: true,
    env: { DENO_DIR: compiledFolder, DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const greeting = await readGreeting(child);
  if (greeting === null) {
    Deno.removeSync(folder, { recursive: true });
    return null;
  }
  child.unref();
  return {
    ...place,
    greeting: JSON.parse(greeting),
    async stop() {
      child.ref();
      child.kill("SIGHUP");
      await child.status;
    },
  };
}

/** The first line that it prints; null when it ends without one. */
async function readGreeting(child: Deno.ChildProcess): Promise<string | null> {
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) return null;
    text += value;
  }
  await reader.cancel();
  return text;
}

/** Removes the folders of hosts that were killed, with what their programs left in them. */
async function removeLeftovers(): Promise<void> {
  for (const { name, isDirectory } of Deno.readDirSync(parent)) {
    if (!isDirectory || !name.startsWith(prefix)) continue;
    const folder = join(parent, name);
    try {
      const isOwn = Deno.lstatSync(folder).uid === Deno.uid();
      if (isOwn && await isLeft(folder)) Deno.removeSync(folder, { recursive: true });
    } catch {
      // Removed by its host, or by another server that starts.
    }
  }
}

/** Whether a folder has the socket of a host that has ended. */
async function isLeft(folder: string): Promise<boolean> {
  const name = Array.from(Deno.readDirSync(folder)).find(({ name }) => name.endsWith(".sock"))
    ?.name;
  if (name === undefined) return false;
  try {
    (await Deno.connect({ transport: "unix", path: join(folder, name) })).close();
    return false;
  } catch (error) {
    return error instanceof Deno.errors.ConnectionRefused;
  }
}
