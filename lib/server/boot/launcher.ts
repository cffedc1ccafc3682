/** Reads the settings, and becomes the server with the least permissions that they allow. */
import type { Config, UnixSocket } from "../core/config/config.ts";
import type { OidcProvider } from "../core/config/oidc_options.ts";
import { libcVariable } from "../core/disk/libc.ts";
import { disksTimeoutMs } from "../core/slow_disks/protocol.ts";
import {
  appFolder,
  asBundle,
  asServer,
  builtEntry,
  bundledPath,
  compiledFolder,
  v8Flags,
} from "../core/config/app_folder.ts";
import { ensureBuilt } from "./build.ts";
import { confinementOf } from "../core/sandbox/confinement.ts";
import { type ConnectionLimits, connectionLimits } from "./connection_limits.ts";
import { type Program, replaceProcess, runProgram } from "../core/sandbox/execute.ts";
import type { LaunchPayload } from "./launch_payload.ts";
import { join } from "node:path";
import { launchVariable } from "../core/disk/waiting_thread.ts";
import { isRemote, platformStore } from "../core/config/places.ts";
import { helpText, versionText } from "../core/config/help.ts";
import { enterDomain, landlockFeatures } from "../core/sandbox/landlock.ts";
import {
  findPrograms,
  mayRunPrograms,
  refusalOfEncoder,
} from "../features/previews/media/programs/find_programs.ts";
import { readerLimits } from "../features/previews/media/programs/limits.ts";
import type { FoundPrograms } from "../features/previews/media/programs/protocol.ts";
import {
  type StartedReaderHost,
  startReaderHost,
} from "../features/previews/media/programs/start_host.ts";
import { cString, type Libc, libcPath, loadLibc } from "../core/sandbox/libc.ts";
import { refuseHookInRoot, refuseOwnFilesInRoot } from "./own_files.ts";
import { permissionFlags } from "../core/sandbox/deno_permissions.ts";
import { lockStore, prepareData, prepareStore, refuseLocked } from "./prepare_data.ts";
import { importForeign } from "./import_foreign.ts";
import { refuseInOneLine, StartRefusal } from "../core/config/refusal.ts";
import { keepOpen, openStarters } from "./starters.ts";
import { findStore, wantsSharing } from "../core/config/sources.ts";
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
  const found = mayRunPrograms(given) ? findPrograms() : {};
  const refusal = refusalOfEncoder(given.videoEncoder, found);
  if (refusal !== null) throw new StartRefusal(refusal);
  // Before the file of a new store is made: a start that is refused leaves none.
  const port = given.socket ? 0 : findPort(given);
  prepareData(given);
  if (given.socket) await freeSocket(given.socket);
  if (options.entry === undefined) await ensureBuilt((text) => console.error(text));
  // Beside the store: its trial of the sandbox takes some tenths of a second.
  const reading = readerHostFor(found, given);
  await prepareStore(given);
  const lock = lockStore(given, libc);
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
  keepOpen(libc, [...starters, ...lock]);
  return replaceProcess(libc, program);
}

/** Programs such as ffmpeg are started by a separate process, outside of the server's sandbox. */
async function readerHostFor(
  programs: FoundPrograms,
  { videoEncoder }: Config,
): Promise<StartedReaderHost | null> {
  if (Object.keys(programs).length === 0) return null;
  return await startReaderHost(programs, readerLimits, videoEncoder);
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
  // Another entry shares modules with the server in the form of sources.
  const isBundled = payload.entry === builtEntry;
  const module = "lib/server/boot/serve.ts";
  return {
    path: Deno.execPath(),
    args: [
      ...["run", "--quiet", "--cached-only", ...isBundled ? asBundle : asServer],
      // `request.signal` aborts when the client disconnects, and not after every response.
      "--unstable-no-legacy-abort",
      v8Flags,
      // Several threads on one port.
      ...(config.workers > 1 ? ["--unstable-net"] : []),
      ...permissionFlags(config, isConfined),
      isBundled ? bundledPath(module) : join(appFolder, module),
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

/** `deno task start`, `cubby-files`. */
export async function main(): Promise<void> {
  await refuseInOneLine(start);
}

async function start(): Promise<void> {
  // Deno's task runner sets INIT_CWD to the caller's folder; its own is the program's.
  const cwd = Deno.env.get("INIT_CWD") ?? Deno.cwd();
  if (Deno.args.includes("--help") || Deno.args.includes("-h")) return console.log(helpText());
  if (Deno.args.includes("--version")) return console.log(versionText());

  const given = { args: Deno.args, env: Deno.env, cwd };
  const environment = { ...given, args: [...given.args, ...await importForeign(given)] };
  if (!wantsSharing(environment)) refuseLocked(findStore(environment));
  const { config, notices } = await resolveWithStore(environment);
  for (const notice of notices) console.error(notice);
  await launch(config);
}

const [standardOutput, standardError] = [1, 2];
const writeOnly = 0o1;
const create = 0o100;
const append = 0o2000;

/** A log tells paths and user names: only the server's account and its group may read it. */
const logMode = 0o640;

/**
 * Lets this process, and the server that replaces it, write to the log's place. A file is appended
 * to, so that it can be truncated in place (logrotate's `copytruncate`).
 *
 * @throws StartRefusal when the file cannot be written
 */
function prepareOutput({ log }: Pick<Config, "log">, libc: Libc | null): void {
  if (log === "stdout") return;
  if (!libc) throw new StartRefusal("Cannot use --log here: the system has no C library for it");
  if (log === "stderr") {
    libc.dup2(standardError, standardOutput);
    return;
  }
  const descriptor = libc.openFile(cString(log.file), writeOnly | create | append, logMode);
  if (descriptor < 0) {
    throw new StartRefusal(`Cannot write the log "${log.file}": it cannot be opened for writing`);
  }
  libc.dup2(descriptor, standardOutput);
  libc.dup2(descriptor, standardError);
  libc.close(descriptor);
}

/** Timeout of the provider, in milliseconds. */
const timeoutMs = 5_000;

/** The longest description that is read, in characters. */
const maxDescriptionLength = 200_000;

/** The members of a provider's description (OpenID Connect Discovery, 3) that the server asks. */
const askedEndpoints = ["token_endpoint", "userinfo_endpoint", "jwks_uri"] as const;

/**
 * The origins of a provider that the server has to reach, which may differ from its issuer's. They
 * are looked up before the server has lost the right to connect anywhere; without an answer the
 * issuer's own must do.
 *
 * @param note takes a sentence for the log
 */
async function findProviderOrigins(
  { issuer, ca }: OidcProvider,
  note: (sentence: string) => void,
): Promise<string[]> {
  using client = Deno.createHttpClient({ caCerts: ca === undefined ? [] : [ca] });
  try {
    const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const signal = AbortSignal.timeout(timeoutMs);
    const init: RequestInit & { client: Deno.HttpClient } = { client, signal, redirect: "manual" };
    const answer = await fetch(url, init);
    const text = await answer.text();
    if (answer.status !== 200 || text.length > maxDescriptionLength) {
      throw new Error(`it answers with the status ${answer.status}`);
    }
    const description: Record<string, unknown> = JSON.parse(text);
    return [...new Set(askedEndpoints.flatMap((name) => originOf(description[name])))];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    note(
      `Cannot read the addresses of ${issuer}: ${reason}; until the next start it is limited to ` +
        "those on its own host",
    );
    return [];
  }
}

function originOf(address: unknown): string[] {
  const url = typeof address === "string" && URL.canParse(address) ? new URL(address) : null;
  return url && /^https?:$/.test(url.protocol) ? [url.origin] : [];
}

/**
 * The port to listen on: the configured one if it is free, or a free one for 0. It is chosen before
 * the start because the server's permissions name it; and because threads that share a port
 * (SO_REUSEPORT) would also share it, unnoticed, with another server of the same account.
 *
 * @throws StartRefusal when the port is taken, or the address is not one of this machine
 */
function findPort({ address, port }: Config): number {
  for (const candidate of port === 0 ? freePorts() : [port]) {
    try {
      using listener = Deno.listen({ hostname: address, port: candidate });
      return listener.addr.port;
    } catch (error) {
      if (candidate !== port && error instanceof Deno.errors.AddrInUse) continue;
      throw new StartRefusal(`Cannot listen on ${address}, port ${port}: ${reasonOf(error)}`);
    }
  }
  return port;
}

/**
 * Ports that systems do not give to connections by themselves, so that none takes one before the
 * server listens; by the process, as others may start at the same time. At last 0: any that is free.
 */
function* freePorts(): Generator<number> {
  const [first, count, step] = [20_000, 12_000, 977];
  for (let tries = 0; tries < 20; tries++) yield first + (Deno.pid + tries * step) % count;
  yield 0;
}

/**
 * Removes a socket that an ended server has left.
 *
 * @throws StartRefusal when a server listens on it, or it is not a socket
 */
async function freeSocket({ path }: UnixSocket): Promise<void> {
  const action = `Cannot listen on "${path}"`;
  try {
    if (!Deno.lstatSync(path).isSocket) throw new StartRefusal(`${action}: it is not a socket`);
    if (await isListenedOn(path)) throw new StartRefusal(`${action}: the socket is in use`);
    Deno.removeSync(path);
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    if (error instanceof Deno.errors.NotFound) return;
    throw new StartRefusal(`${action}: the existing socket cannot be removed`);
  }
}

async function isListenedOn(path: string): Promise<boolean> {
  try {
    (await Deno.connect({ transport: "unix", path })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) return "the port is in use";
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return "the address does not belong to this machine";
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return "the port needs more rights (ports below 1024 are reserved)";
  }
  return "the address is unknown";
}

if (import.meta.main) await main();
