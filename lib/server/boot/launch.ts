/**
 * `deno task start`: reads the settings, builds when needed, and becomes the server with the least
 * permissions that the settings allow.
 */
import type { Config, OidcProvider } from "../core/config/config.ts";
import { libcVariable } from "../core/disk/libc.ts";
import { disksTimeoutMs } from "../core/slow_disks/protocol.ts";
import {
  appFolder,
  asServer,
  builtEntry,
  compiledFolder,
  modulePath,
  v8Flags,
} from "../core/config/app_folder.ts";
import { ensureBuilt } from "./build.ts";
import { confinementOf } from "../core/sandbox/confinement.ts";
import { type ConnectionLimits, connectionLimits } from "./connection_limits.ts";
import { type Program, replaceProcess, runProgram } from "../core/sandbox/execute.ts";
import { findPort, freeSocket } from "./find_port.ts";
import { prepareOutput } from "./prepare_output.ts";
import type { LaunchPayload } from "./launch_payload.ts";
import { launchVariable } from "../core/disk/waiting_thread.ts";
import { isRemote } from "../core/config/places.ts";
import { helpText, versionText } from "../core/config/help.ts";
import { enterDomain, landlockFeatures } from "../core/sandbox/landlock.ts";
import { findPrograms, mayRunPrograms } from "../features/previews/media/programs/find_programs.ts";
import {
  type StartedReaderHost,
  startReaderHost,
} from "../features/previews/media/programs/start_host.ts";
import { libcPath, loadLibc } from "../core/sandbox/libc.ts";
import { refuseHookInRoot, refuseOwnFilesInRoot } from "./own_files.ts";
import { permissionFlags } from "../core/sandbox/deno_permissions.ts";
import { findProviderOrigins } from "./provider_origins.ts";
import { prepareData, prepareStore } from "./prepare_data.ts";
import { importForeign } from "./import_foreign.ts";
import { platformStore } from "../core/config/places.ts";
import { refuseInOneLine, StartRefusal } from "../core/config/refusal.ts";
import { keepOpen, openStarters } from "./starters.ts";
import { resolveWithStore } from "./stored.ts";

/** Launch options besides the configuration. */
export interface LaunchOptions {
  /**
   * The module to serve, absolute and in the program's folder; the built application unless given.
   */
  entry?: string;
  /** Timeout for requests in progress after a signal to stop; default 10 s. */
  drainMs?: number;
  /** Timeout of a slow disk, after which its requests are refused; default 10 s. */
  disksTimeoutMs?: number;
  /** Interval of the check that the served folder is still in place; default 5 s. */
  rootCheckMs?: number;
  /** Overrides of {@linkcode connectionLimits}. */
  limits?: Partial<ConnectionLimits>;
}

const drainMs = 10_000;
const rootCheckMs = 5_000;

/**
 * Builds if needed and starts the server on a configuration: in a Landlock domain, where the kernel
 * supports it, and with the least of Deno's permissions. This process becomes the server, so it
 * does not return. The store must not be open in this process: closing it last would remove the
 * files that are prepared here.
 *
 * @throws StartRefusal for a port that is taken, data that cannot be written, or that commands
 * could reach
 */
export async function launch(given: Config, options: LaunchOptions = {}): Promise<never> {
  if (given.database === platformStore) {
    throw new StartRefusal(
      `Cannot use the database "${platformStore}": it is for deno serve, where a platform has a store`,
    );
  }
  const libc = loadLibc();
  const starters = openStarters(libc);
  refuseOwnFilesInRoot(given);
  refuseHookInRoot(given);
  // Before the file of a new store is made: a start that is refused leaves none.
  const port = given.socket ? 0 : findPort(given);
  prepareData(given);
  if (given.socket) await freeSocket(given.socket);
  if (options.entry === undefined) await ensureBuilt((text) => console.error(text));
  // Beside the store: its trial of the sandbox takes some tenths of a second.
  const reading = readerHostFor(given);
  await prepareStore(given);
  const [readerHost, oidc] = await Promise.all([reading, withOrigins(given)]);
  const config = await withCommandHost({
    ...given,
    ...{ port, libc: libcPath() ?? undefined, launched: true, node: crypto.randomUUID() },
    ...oidc && { oidc },
    ...readerHost && { readerHost, reserved: [...given.reserved, readerHost.folder] },
  });

  const landlock = libc && landlockFeatures(libc);
  prepareOutput(config, libc);
  const program = serverProgram(config, {
    config,
    entry: options.entry ?? builtEntry,
    drainMs: options.drainMs ?? drainMs,
    disksTimeoutMs: options.disksTimeoutMs ?? disksTimeoutMs,
    rootCheckMs: options.rootCheckMs ?? rootCheckMs,
    landlock,
    limits: { ...connectionLimits(libc, config.workers), ...options.limits },
    starters,
  }, landlock !== null);

  Deno.chdir(appFolder);
  if (libc && landlock) enterDomain(libc, landlock, confinementOf(config));
  if (!libc) return await runProgram(program);
  keepOpen(libc, starters);
  return replaceProcess(libc, program);
}

/** Programs such as ffmpeg are started by a separate process, outside of the server's sandbox. */
async function readerHostFor(config: Config): Promise<StartedReaderHost | null> {
  if (!mayRunPrograms(config)) return null;
  const programs = findPrograms();
  return Object.keys(programs).length > 0 ? await startReaderHost(programs) : null;
}

async function withOrigins({ oidc }: Config): Promise<OidcProvider | undefined> {
  if (!oidc) return undefined;
  return { ...oidc, origins: await findProviderOrigins(oidc, (line) => console.error(line)) };
}

/** Commands are started by a separate process, outside of the server's sandbox. */
async function withCommandHost(config: Config): Promise<Config> {
  if (config.disableExec && config.authMethod !== "hook") return config;
  const { startHost } = await import("../features/commands/start_host.ts");
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
      // `request.signal` aborts when the client disconnects, and not after every response.
      "--unstable-no-legacy-abort",
      v8Flags,
      // Several threads on one port.
      ...(config.workers > 1 ? ["--unstable-net"] : []),
      ...permissionFlags(config, isConfined),
      modulePath("lib/server/boot/serve"),
    ],
    env: {
      ...inherited(["LANG", "LC_ALL", "TZ", "NO_COLOR"]),
      ...storeVariables(config),
      DENO_DIR: compiledFolder,
      DENO_NO_UPDATE_CHECK: "1",
      // By default glibc keeps an arena of freed memory for each of two dozen threads.
      MALLOC_ARENA_MAX: String(config.workers),
      // By default glibc raises both with each large buffer freed, and keeps later ones. The first
      // is above the parts of streams, which else were mapped again, page by page, for each part.
      MALLOC_MMAP_THRESHOLD_: "524288",
      MALLOC_TRIM_THRESHOLD_: "1048576",
      // For SQLite's temporary files.
      SQLITE_TMPDIR: config.cacheDir,
      ...(config.libc ? { [libcVariable]: config.libc } : {}),
      [launchVariable]: JSON.stringify(payload),
    },
  };
}

/** The variables that the client of a store on the network reads. */
function storeVariables({ database, databaseCa }: Config): Record<string, string> {
  if (!isRemote(database)) return {};
  return {
    ...inherited(["DENO_KV_ACCESS_TOKEN", "DENO_TLS_CA_STORE"]),
    ...databaseCa && { DENO_CERT: databaseCa },
    // It would print each of its retries; the server tells once that the store is away.
    DENO_LOG: "error,denokv_remote=off",
  };
}

function inherited(names: string[]): Record<string, string> {
  const values = names.map((name) => [name, Deno.env.get(name)] as const);
  return Object.fromEntries(values.filter((pair): pair is [string, string] => Boolean(pair[1])));
}

async function main(): Promise<void> {
  // Deno's task runner sets INIT_CWD to the caller's folder; its own is the program's.
  const cwd = Deno.env.get("INIT_CWD") ?? Deno.cwd();
  if (Deno.args.includes("--help") || Deno.args.includes("-h")) return console.log(helpText());
  if (Deno.args.includes("--version")) return console.log(versionText());

  const given = { args: Deno.args, env: Deno.env, cwd };
  const environment = { ...given, args: [...given.args, ...await importForeign(given)] };
  const { config, notices } = await resolveWithStore(environment);
  for (const notice of notices) console.error(notice);
  await launch(config);
}

if (import.meta.main) await refuseInOneLine(main);
