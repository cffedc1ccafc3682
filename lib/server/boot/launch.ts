/**
 * `deno task start`: reads the settings, builds when needed, and hands over to the server with the
 * narrowest rights that the settings allow.
 */
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { libcVariable } from "../disk/libc.ts";
import { disksPatienceMs } from "../slow_disks/protocol.ts";
import { appFolder, builtEntry, compiledFolder } from "../config/app_folder.ts";
import { asServer, ensureBuilt } from "./build.ts";
import { confinementOf } from "../sandbox/confinement.ts";
import { type ConnectionLimits, connectionLimits } from "./connection_limits.ts";
import { type Program, replaceProcess, runProgram } from "../sandbox/execute.ts";
import { findPort } from "./find_port.ts";
import type { LaunchPayload } from "./launch_payload.ts";
import { launchVariable } from "../disk/waiting_thread.ts";
import { helpText, versionText } from "../config/help.ts";
import { enterDomain, landlockFeatures } from "../sandbox/landlock.ts";
import { libcPath, loadLibc } from "../sandbox/libc.ts";
import { refuseOwnFilesInRoot } from "./own_files.ts";
import { permissionFlags } from "../sandbox/deno_permissions.ts";
import { prepareData, prepareStore } from "./prepare_data.ts";
import { refuseInOneLine } from "../config/refusal.ts";
import { resolveWithStore } from "./stored.ts";

/** How to launch, beyond the configuration. */
export interface LaunchOptions {
  /** The module to serve, absolute and in the program's folder; the built application unless given. */
  entry?: string;
  /** How long requests under way may take after a signal to stop; 10 s unless given. */
  drainMs?: number;
  /** How long a slow disk may stay silent before its requests are refused; 10 s unless given. */
  disksPatienceMs?: number;
  /** How often it is checked that the served folder is still in its place; each 5 s unless given. */
  rootCheckMs?: number;
  /** Other bounds on connections than {@linkcode connectionLimits} finds. */
  limits?: Partial<ConnectionLimits>;
}

const drainMs = 10_000;
const rootCheckMs = 5_000;

/**
 * V8 lets its heaps grow to several times what lives in them before it collects. Growing less saves
 * half of the memory under load, and costs some time of the processor. The last lets the Worker for
 * listings collect at a moment of its own choice: see `collectGarbage()`.
 */
const memoryFlags = ["--max-semi-space-size=8", "--heap-growing-percent=75", "--expose-gc"];

/**
 * Builds if needed and starts the server on a configuration: in a Landlock domain, where the kernel
 * has Landlock, and with the narrowest of Deno's permissions. This process becomes the server, so
 * it does not return. Nobody in this process may have the store open: it is prepared for the server,
 * and with the last to close it go files that it is prepared with.
 *
 * @throws StartRefusal for a port that is taken, data that cannot be written, or that commands could
 *   reach
 */
export async function launch(given: Config, options: LaunchOptions = {}): Promise<never> {
  refuseOwnFilesInRoot(given);
  prepareData(given);
  const port = findPort(given);
  if (options.entry === undefined) await ensureBuilt((text) => console.error(text));
  await prepareStore(given.database);
  const config = await withCommandHost({ ...given, port, libc: libcPath() ?? undefined });

  const libc = loadLibc();
  const landlock = libc && landlockFeatures(libc);
  const program = serverProgram(config, {
    config,
    entry: options.entry ?? builtEntry,
    drainMs: options.drainMs ?? drainMs,
    disksPatienceMs: options.disksPatienceMs ?? disksPatienceMs,
    rootCheckMs: options.rootCheckMs ?? rootCheckMs,
    landlock,
    limits: { ...connectionLimits(libc, config.workers), ...options.limits },
  }, landlock !== null);

  Deno.chdir(appFolder);
  if (libc && landlock) enterDomain(libc, landlock, confinementOf(config));
  return libc ? replaceProcess(libc, program) : await runProgram(program);
}

/** Commands are started by a process of their own, outside of the server's bounds. */
async function withCommandHost(config: Config): Promise<Config> {
  if (config.disableExec) return config;
  const { startHost } = await import("../commands/start_host.ts");
  const { folder, socket, refusal } = await startHost(config);
  return {
    ...config,
    reserved: [...config.reserved, folder],
    commandHost: { socket, refusal },
  };
}

function serverProgram(config: Config, payload: LaunchPayload, isConfined: boolean): Program {
  return {
    path: Deno.execPath(),
    args: [
      ...["run", "--quiet", "--cached-only", ...asServer],
      // `request.signal` aborts when the client goes away, and not after every answer.
      "--unstable-no-legacy-abort",
      `--v8-flags=${memoryFlags.join(",")}`,
      // Several threads on one port.
      ...(config.workers > 1 ? ["--unstable-net"] : []),
      ...permissionFlags(config, isConfined),
      join(appFolder, "lib", "server", "boot", "serve.ts"),
    ],
    env: {
      ...inherited(["LANG", "LC_ALL", "TZ", "NO_COLOR", "DENO_KV_ACCESS_TOKEN"]),
      DENO_DIR: compiledFolder,
      DENO_NO_UPDATE_CHECK: "1",
      // glibc keeps an arena of freed memory for each of two dozen threads otherwise.
      MALLOC_ARENA_MAX: String(config.workers),
      // It raises both with each large buffer that is freed, and keeps later ones for itself then.
      MALLOC_MMAP_THRESHOLD_: "131072",
      MALLOC_TRIM_THRESHOLD_: "131072",
      // SQLite's own temporary files, should it need some.
      SQLITE_TMPDIR: config.cacheDir,
      ...(config.libc ? { [libcVariable]: config.libc } : {}),
      [launchVariable]: JSON.stringify(payload),
    },
  };
}

function inherited(names: string[]): Record<string, string> {
  const values = names.map((name) => [name, Deno.env.get(name)] as const);
  return Object.fromEntries(values.filter((pair): pair is [string, string] => Boolean(pair[1])));
}

async function main(): Promise<void> {
  // Deno's task runner notes the folder that it was called from; its own is the program's.
  const cwd = Deno.env.get("INIT_CWD") ?? Deno.cwd();
  if (Deno.args.includes("--help") || Deno.args.includes("-h")) return console.log(helpText());
  if (Deno.args.includes("--version")) return console.log(versionText());

  const surroundings = { args: Deno.args, env: Deno.env, cwd };
  const { config, notices } = await resolveWithStore(surroundings);
  for (const notice of notices) console.error(notice);
  await launch(config);
}

if (import.meta.main) await refuseInOneLine(main);
