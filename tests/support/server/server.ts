/** The real server, started as `deno task start` starts it, on folders of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
// Loaded before any test begins: the C library is never let go of again.
import "../../../lib/server/core/disk/libc.ts";
import { temporaryFolder } from "../disks/files.ts";

/** How a server is started. */
export interface ServerOptions {
  /** The number of serving threads; 1 when left out. */
  workers?: number;
  /** More flags, as on the command line. */
  flags?: string[];
  /** A folder to serve, which is left as it is in the end; an empty temporary one otherwise. */
  root?: string;
  /** A folder for the store and the cache, left as it is in the end; a temporary one otherwise. */
  data?: string;
  /** Fills the root before the server starts. */
  prepare?: (root: string) => void | Promise<void>;
  /** Has the store say, instead of flags, what to start with; more of the same. */
  stored?: string[];
  /** Arguments of the program in place of the launcher's, to start it through its task. */
  command?: string[];
  /** The program; `deno` unless given. */
  program?: string;
  /** The program ends before the server listens, which goes on without it. */
  outlivesProgram?: boolean;
}

/** A running server. */
export interface RunningServer extends AsyncDisposable {
  /** Where it listens: `http://127.0.0.1:49152`, with the base URL, without a slash at the end. */
  url: string;
  /** The served folder. */
  root: string;
  /** The folder of the store and the cache. */
  data: string;
  username: string;
  password: string;
  /** The launcher's process id. */
  pid: number;
  /** Its exit status, once it ends by itself or by a signal of the test's own. */
  ended: Promise<number | null>;
  /** All that it printed so far. */
  output(): string;
  /**
   * Sends SIGTERM, waits for the end, removes the folders and answers with the exit status; null
   * when it had to be killed. Twice is harmless.
   */
  stop(): Promise<number | null>;
}

const top = new URL("../../..", import.meta.url).pathname;
const launcher = ["run", "-A", "--cached-only", "lib/server/boot/launch.ts"];
const username = "admin";
const password = "a cub naps beside 7 rivers";

/**
 * The bcrypt hash of the first administrator's password, at the lowest cost: calls that ask for the
 * password compare it in 1 ms instead of 60. The first sign-in makes one of the ordinary cost.
 */
export const adminHash = "$2y$04$NJE577pZNGvO62UkQlMYSuccRwCIEIR/MPibwW3qgjIA/Rz02Yc3a";

/** Longer than any start takes, even with a build before it. */
const startLimitMs = 120_000;
/** Longer than it waits for requests under way, by as much as a busy machine may need. */
const stopLimitMs = 60_000;

/**
 * Starts the server on an empty root (or what `prepare` makes of it) and any free port, and waits
 * until it listens.
 *
 * @throws Error with the server's output when it does not.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const folder = await temporaryFolder();
  const root = options.root ?? join(folder.path, "root");
  const data = options.data ?? join(folder.path, "data");
  await Deno.mkdir(root, { recursive: true });
  await Deno.mkdir(data, { recursive: true });
  await options.prepare?.(root);
  const told = flags(root, data, options);
  if (options.stored) await store([...told.place, ...options.stored], data);

  const log = join(folder.path, "output.txt");
  const given = [...options.stored ? [] : told.place, ...told.data, ...options.flags ?? []];
  const args = [...options.command ?? launcher, ...given];
  const child = spawnLogged(options.program ?? Deno.execPath(), args, log);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const output = () => Deno.readTextFileSync(log);
  let stopping: Promise<number | null> | undefined;
  const stop = () => stopping ??= end(child, ended).finally(() => folder[Symbol.asyncDispose]());

  try {
    const url = await listening(options.outlivesProgram ? null : child, output);
    const pid = child.pid ?? 0;
    const dispose = async () => void await stop();
    const server = { url, root, data, username, password, pid, ended, output, stop };
    return { ...server, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await stop();
    throw error;
  }
}

function flags(root: string, data: string, { workers = 1, stored }: ServerOptions) {
  const port = stored ? freePort() : 0;
  return {
    place: [
      ...["--address", "127.0.0.1", "--port", String(port), "--root", root],
      ...["--workers", String(workers), "--cache-dir", join(data, "cache")],
      // Their host is one more process: for the tests that need it.
      "--disable-media-programs",
    ],
    data: [
      ...["--database", join(data, "cubby.kv")],
      ...["--username", username, "--password", adminHash],
    ],
  };
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function store(options: string[], data: string): Promise<void> {
  const { runCommand } = await import("../../../lib/server/cli/run_command.ts");
  const lines: string[] = [];
  const status = await runCommand(["config", "set", ...options], {
    env: new Map([["FB_DATABASE", join(data, "cubby.kv")]]),
    cwd: data,
    print: () => {},
    warn: (line) => void lines.push(line),
  });
  if (status !== 0) throw new Error(lines.join("\n"));
}

/**
 * Output goes to a file and not to pipes: a pipe that is read in the background would look like a
 * leak of every test that shares the server.
 */
function spawnLogged(program: string, args: string[], log: string): ChildProcess {
  const file = openSync(log, "w");
  try {
    return spawn(program, args, { cwd: top, stdio: ["ignore", file, file] });
  } finally {
    closeSync(file);
  }
}

async function listening(child: ChildProcess | null, output: () => string): Promise<string> {
  const deadline = Date.now() + startLimitMs;
  while (Date.now() < deadline) {
    const url = /Listening on ((?:http|unix:)[^\s"]+?)\/?[\s"]/.exec(output())?.[1];
    if (url) return url;
    if (child && (child.exitCode !== null || child.signalCode !== null)) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Cannot use the server: it does not listen\n${output()}`);
}

async function end(child: ChildProcess, ended: Promise<number | null>): Promise<number | null> {
  const limit = setTimeout(() => signal(child, "SIGKILL"), stopLimitMs);
  signal(child, "SIGTERM");
  const code = await ended;
  clearTimeout(limit);
  return code;
}

function signal(child: ChildProcess, name: Deno.Signal): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  Deno.kill(child.pid, name);
}
