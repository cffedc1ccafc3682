import { dirname, join } from "node:path";
import { isBelow } from "../disk/real_path.ts";
import type { AuthMethod, Config, Recaptcha, UnixSocket } from "./config.ts";
import { isLoopback } from "../../shared/loopback.ts";
import { appFolder, codePaths } from "./app_folder.ts";
import { type ConfigFile, readConfigFile } from "./config_file.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { readFlags } from "./flags.ts";
import {
  type GivenValue,
  type GivenValues,
  type OptionName,
  type StartOption,
  startOptions,
} from "./options.ts";
import {
  databaseFiles,
  findAuthorities,
  findCacheDir,
  findDatabase,
  findFile,
  findNew,
  findOptionalFile,
  findRoot,
  isFileDatabase,
  isRemote,
} from "./places.ts";
import { StartRefusal } from "./refusal.ts";
import * as read from "./values.ts";
import type { ValueOf } from "./values.ts";
import { readLdap } from "./read_ldap.ts";
import { readMail } from "./read_mail.ts";
import { readOidc } from "./read_oidc.ts";
import { readWebhooks } from "./read_webhooks.ts";

/** The sources of settings. */
export interface LaunchEnvironment {
  /** The command line, without the program. */
  args: readonly string[];
  env: Environment;
  /** Base of relative paths. */
  cwd: string;
  /** Values in the store, which have the lowest precedence. */
  stored?: GivenValues;
}

/** The result of reading all settings. */
export interface ResolvedConfig {
  config: Config;
  /** Warnings to print before the start. */
  notices: string[];
}

/** The default host of reCAPTCHA. */
const google = "https://www.google.com";

/** A thread costs about 40 MB; more than this is a typing error. */
const mostWorkers = 256;

/**
 * Reads the settings, by precedence: flags, `FB_*` environment, config file, store, default.
 * Nothing is changed on the disk.
 *
 * @throws StartRefusal for the first error
 */
export function resolveConfig(environment: LaunchEnvironment): ResolvedConfig {
  const { cwd } = environment;
  const { file, given } = readSources(environment);
  const valueOf: ValueOf = (name, parse, other) => {
    const value = given(name);
    return value ? withHint(value, parse) : other;
  };
  const isOn = (name: OptionName, other = false) => valueOf(name, read.readSwitch, other);

  const root = valueOf("root", ({ text }) => findRoot(text, cwd), undefined) ?? findRoot(".", cwd);
  const database = storeIn(given, cwd);
  const dataFolder = isFileDatabase(database) ? dirname(database) : cwd;
  const cacheDir = valueOf("cache-dir", ({ text }) => findCacheDir(text, cwd, root), undefined) ??
    findCacheDir(join(dataFolder, ".cubby-cache"), cwd, root);
  const cert = valueOf("cert", (value) => findFile(value, cwd), undefined);
  const key = valueOf("key", (value) => findFile(value, cwd), undefined);
  const databaseCa = isRemote(database) ? authoritiesIn(given, environment) : undefined;
  const hidden = [
    ...databaseFiles(database),
    cacheDir,
    ...file.places,
    key,
    databaseCa,
    valueOf("socket", (value) => findNew(value, cwd), undefined),
    valueOf("metrics-token-file", (value) => findOptionalFile(value, cwd), undefined),
    valueOf("oidc-client-secret-file", (value) => findOptionalFile(value, cwd), undefined),
    valueOf("ldap-bind-password-file", (value) => findOptionalFile(value, cwd), undefined),
    valueOf("mail-password-file", (value) => findOptionalFile(value, cwd), undefined),
    programIn(root),
    foreignOf(database),
  ];

  const authMethod = readAuthMethod(given);

  const config: Config = {
    address: valueOf("address", read.readAddress, "127.0.0.1"),
    socket: readSocket(valueOf, cwd),
    log: valueOf("log", (value) => findLog(value, cwd), "stdout" as const),
    logFormat: valueOf(
      "log-format",
      (value) => read.readWord(value, ["text", "json"] as const),
      "text" as const,
    ),
    port: valueOf("port", (value) => read.readWholeNumber(value, 0, 65535), 8080),
    root,
    database,
    databaseCa,
    cacheDir,
    baseUrl: valueOf("baseurl", read.readBaseUrl, ""),
    cert,
    key,
    hsts: valueOf("hsts", read.readHsts, undefined),
    tokenLifeMs: valueOf("token-expiration-time", read.readDuration, 2 * 3_600_000),
    apiCompat: valueOf(
      "api-compat",
      (value) => read.readWord(value, ["spec", "2.63"] as const),
      "spec" as const,
    ),
    authMethod,
    authCommand: authMethod === "hook" ? valueOf("auth-command", read.readText, "") : undefined,
    authHeader: valueOf("auth-header", read.readHeaderName, "x-forwarded-user"),
    authCreateUsers: isOn("auth-create-users"),
    trustedProxies: valueOf("trusted-proxies", read.readProxies, []),
    offload: valueOf("offload", read.readOffload, undefined),
    recaptcha: authMethod === "json" ? readRecaptcha(valueOf) : undefined,
    oidc: authMethod === "json" ? readOidc(valueOf, cwd) : undefined,
    ldap: authMethod === "json" ? readLdap(valueOf, cwd) : undefined,
    webhooks: readWebhooks(valueOf, cwd),
    mail: readMail(valueOf, cwd),
    drainDelayMs: valueOf("drain-delay", read.readDelay, 0),
    metricsToken: readMetricsToken(given, valueOf, cwd),
    workers: valueOf("workers", (value) => read.readWholeNumber(value, 1, mostWorkers), 1),
    disableExec: isOn("disable-exec", true),
    execSandbox: valueOf(
      "exec-sandbox",
      (value) => read.readWord(value, ["kernel", "none"] as const),
      "kernel" as const,
    ),
    fileMode: valueOf("file-mode", read.readMode, undefined),
    dirMode: valueOf("dir-mode", read.readMode, undefined),
    disableInstall: isOn("disable-install"),
    disableMediaPrograms: isOn("disable-media-programs"),
    webdav: isOn("webdav"),
    disableThumbnails: isOn("disable-thumbnails"),
    disablePreviewResize: isOn("disable-preview-resize"),
    username: valueOf("username", read.readText, "admin"),
    password: valueOf<string | undefined>("password", (value) => value.text, undefined),
    readOnly: codePaths,
    reserved: [...new Set(hidden.filter((path) => typeof path === "string"))],
  };
  refuseContradictions(config, isOn("noauth-anywhere"));
  const command = authMethod === "hook" ? undefined : given("auth-command");
  const idle = config.socket ? [given("address"), given("port")] : [];
  const notices = [
    ...answersTo(given),
    ...idle.filter((value) => value && ![...environment.stored?.values() ?? []].includes(value))
      .map((value) => `Not used: ${value?.source}: the server listens on a socket`),
    ...isRemote(database) || !given("database-ca")
      ? []
      : [`Not used: ${given("database-ca")?.source}: the store is no server`],
    ...command?.text ? [`Not used: ${command.source}: the method to sign in is not hook`] : [],
    ...noticesOf(file.path, file.unknown),
  ];
  return { config, notices };
}

/**
 * Whether a File Browser database in place of the store is to be taken over.
 *
 * @throws StartRefusal when that is neither true nor false
 */
export function wantsImport(environment: Omit<LaunchEnvironment, "stored">): boolean {
  const value = readSources(environment).given("import");
  return value !== undefined && read.readSwitch(value);
}

/**
 * Finds the store, which may contain further settings.
 *
 * @throws StartRefusal when its location cannot be used
 */
export function findStore(environment: Omit<LaunchEnvironment, "stored">): string {
  return storeIn(readSources(environment).given, environment.cwd);
}

/**
 * Finds the certificates of authorities that count besides the usual ones, for the store's server:
 * those of `--database-ca`, or of Deno's own variable.
 *
 * @throws StartRefusal when the file cannot be used
 */
export function findStoreAuthorities(
  environment: Omit<LaunchEnvironment, "stored">,
): string | undefined {
  return authoritiesIn(readSources(environment).given, environment);
}

/** Whether any source names the folder to serve; otherwise it is the current one. */
export function namesRoot(environment: LaunchEnvironment): boolean {
  return readSources(environment).given("root") !== undefined;
}

function storeIn(given: Given, cwd: string): string {
  return findDatabase(given("database")?.text ?? "filebrowser.kv", cwd);
}

function authoritiesIn(
  given: Given,
  { env, cwd }: Pick<LaunchEnvironment, "env" | "cwd">,
): string | undefined {
  const variable = env.get("DENO_CERT");
  const value = given("database-ca") ??
    (variable ? { text: variable, source: "DENO_CERT" } : undefined);
  return value && findAuthorities(value, cwd);
}

type Given = (name: OptionName) => GivenValue | undefined;

function readSources(
  { args, env, cwd, stored }: LaunchEnvironment,
): { file: ConfigFile; given: Given } {
  const flags = readFlags(args);
  const environment = readEnvironment(env);
  const named = flags.get("config") ?? environment.get("config");
  const file = readConfigFile(named?.text, { cwd, env });
  const sources = [flags, environment, file.given, stored];
  const given: Given = (name) => sources.find((source) => source?.has(name))?.get(name);
  return { file, given };
}

/** Reads a value; a refusal includes its hint. */
function withHint<Value>(value: GivenValue, parse: (value: GivenValue) => Value): Value {
  try {
    return parse(value);
  } catch (error) {
    if (!(error instanceof StartRefusal) || value.hint === undefined) throw error;
    throw new StartRefusal(`${error.message}; ${value.hint}`);
  }
}

/** The File Browser database beside the store that was taken over from it, if it is there. */
function foreignOf(database: string): string | undefined {
  const path = database.replace(/\.kv$/, ".db");
  if (path === database || !isFileDatabase(database)) return undefined;
  try {
    return Deno.statSync(path).isFile ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The program's folder when it lies below the root: a user who could rename it could replace it.
 * When it is the root itself, its parts are read-only.
 */
function programIn(root: string): string | undefined {
  return appFolder !== root && isBelow(appFolder, root) ? appFolder : undefined;
}

function readAuthMethod(given: Given): AuthMethod {
  const method = given("auth-method");
  const named = method && read.readWord<AuthMethod>(method, ["json", "hook", "noauth", "proxy"]);
  const noauth = given("noauth");
  if (!noauth || !read.readSwitch(noauth)) return named ?? "json";
  if (method === undefined || named === "noauth") return "noauth";
  throw new StartRefusal(`Cannot use ${noauth.source}: ${method.source} says ${named}`);
}

/** An empty value overrides another source's; of the two options that are given one counts. */
function readMetricsToken(given: Given, valueOf: ValueOf, cwd: string): string | undefined {
  const token = valueOf("metrics-token", (value) => value.text && read.readToken(value), "");
  const file = valueOf("metrics-token-file", (value) => findOptionalFile(value, cwd), undefined);
  if (token !== "" && file !== undefined) {
    throw new StartRefusal(
      `Cannot use ${given("metrics-token")?.source}: ${given("metrics-token-file")?.source} ` +
        "is given as well",
    );
  }
  if (file === undefined) return token || undefined;
  const source = `the token in ${given("metrics-token-file")?.source}`;
  return read.readToken({ text: Deno.readTextFileSync(file).trim(), source });
}

/** An empty key or secret overrides another source's. */
function readRecaptcha(valueOf: ValueOf): Recaptcha | undefined {
  const text = ({ text }: GivenValue) => text.trim();
  const key = valueOf("recaptcha-key", text, "");
  const secret = valueOf("recaptcha-secret", text, "");
  const origin = (value: GivenValue) => value.text === "" ? google : read.readOrigin(value);
  const host = valueOf("recaptcha-host", origin, google);
  if (key === "" && secret === "") return undefined;
  refuseHalf("recaptcha-key", key, "recaptcha-secret", secret);
  return { host, key, secret };
}

function refuseHalf(name: OptionName, value = "", other: OptionName, otherValue = ""): void {
  if ((value === "") === (otherValue === "")) return;
  const [there, missing] = value === "" ? [other, name] : [name, other];
  throw new StartRefusal(`Cannot use --${there}: --${missing} must be given as well`);
}

function readSocket(valueOf: ValueOf, cwd: string): UnixSocket | undefined {
  const path = valueOf("socket", (value) => findNew(value, cwd), undefined);
  // File Browser's default is written in decimal digits.
  const readPermissions = (value: GivenValue) =>
    value.text === "438" ? 0o666 : read.readMode(value);
  const mode = valueOf("socket-perm", readPermissions, undefined) ?? 0o660;
  return path === undefined ? undefined : { path, mode };
}

function findLog(value: GivenValue, cwd: string): Config["log"] {
  const { text } = value;
  if (text === "stdout" || text === "stderr" || text === "") return text || "stdout";
  const file = findNew(value, cwd);
  return file === undefined ? "stdout" : { file };
}

function refuseContradictions(config: Config, noauthAnywhere: boolean): void {
  const { address, authMethod, cert, key, trustedProxies, database, workers, socket } = config;
  refuseHalf("cert", cert, "key", key);
  if (authMethod === "noauth" && !noauthAnywhere && !socket && !isLoopback(address)) {
    throw new StartRefusal(
      `Cannot use noauth on "${address}": anybody who reaches it would be the administrator; ` +
        "--noauth-anywhere allows it",
    );
  }
  if (socket && workers > 1) {
    throw new StartRefusal("Cannot use --socket with --workers: one thread listens on a socket");
  }
  if (socket && cert !== undefined) {
    throw new StartRefusal("Cannot use --socket with --cert: TLS is the proxy's before a socket");
  }
  if (authMethod === "proxy" && trustedProxies.length === 0) {
    throw new StartRefusal("Cannot use the proxy method: --trusted-proxies names no proxy");
  }
  if (authMethod === "hook" && !config.authCommand) {
    throw new StartRefusal("Cannot use the hook method: --auth-command names no program");
  }
  if (config.offload && trustedProxies.length === 0) {
    throw new StartRefusal("Cannot use --offload: --trusted-proxies names no proxy to send files");
  }
  if (database === ":memory:" && workers > 1) {
    throw new StartRefusal('Cannot use the database ":memory:": each worker would have its own');
  }
}

/**
 * Says what to do instead of each given option that only File Browser has.
 *
 * @throws StartRefusal for one that the server must not start with
 */
function answersTo(given: Given): string[] {
  const options: readonly (StartOption & { name: OptionName })[] = startOptions;
  return options.flatMap(({ name, instead, usual = "", isRefused }) => {
    const value = instead === undefined ? undefined : given(name);
    if (!value || ["", "false", usual].includes(value.text)) return [];
    if (isRefused) throw new StartRefusal(`Cannot use ${value.source}: ${instead}`);
    return [`Not used: ${value.source}: ${instead}`];
  });
}

function noticesOf(path: string | null, unknown: string[]): string[] {
  if (unknown.length === 0) return [];
  const keys = unknown.map((key) => JSON.stringify(key)).join(", ");
  return [`Not used from the config file "${path}": ${keys}`];
}
