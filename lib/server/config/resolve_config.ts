import { dirname, join } from "node:path";
import { isBelow } from "../disk/real_path.ts";
import { appFolder, codePaths } from "./app_folder.ts";
import { refuseContradictions, unusedValues } from "./check_config.ts";
import type { Config, UnixSocket } from "./config.ts";
import type { GivenValue, OptionName } from "./options.ts";
import {
  databaseFiles,
  findCacheDir,
  findFile,
  findNew,
  findOptionalFile,
  findRoot,
  isFileDatabase,
  isRemote,
} from "./places.ts";
import { readAuthMethod, readRecaptcha } from "./read_auth.ts";
import { readLdap } from "./read_ldap.ts";
import { readMail } from "./read_mail.ts";
import { readOidc } from "./read_oidc.ts";
import { readWebhooks } from "./read_webhooks.ts";
import { StartRefusal } from "./refusal.ts";
import {
  authoritiesIn,
  type Given,
  type LaunchEnvironment,
  readerOf,
  readSources,
  storeIn,
} from "./sources.ts";
import * as read from "./values.ts";
import type { ValueOf } from "./values.ts";

/** The result of reading all settings. */
export interface ResolvedConfig {
  config: Config;
  /** Warnings to print before the start. */
  notices: string[];
}

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
  const valueOf = readerOf(given);
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
  const notices = unusedValues(config, given, { file, stored: environment.stored });
  return { config, notices };
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
