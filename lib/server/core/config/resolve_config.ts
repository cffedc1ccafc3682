import { dirname, join } from "node:path";
import { isBelow } from "../disk/real_path.ts";
import { appFolder, codePaths } from "./app_folder.ts";
import type { Config, UnixSocket } from "./config.ts";
import { ldapOptions, makeDirectory } from "./ldap_options.ts";
import { mailOptions, makeMailServer } from "./mail_options.ts";
import { makeOfficeServer, officeOptions } from "./office_options.ts";
import { makeProvider, oidcOptions } from "./oidc_options.ts";
import {
  type GivenValue,
  membersOf,
  type OptionTable,
  type ReadFrom,
  readOption,
} from "./option.ts";
import { optionGroups, startOptions } from "./options.ts";
import { databaseFiles, findCacheDir, isFileDatabase, isRemote } from "./places.ts";
import { StartRefusal, UnmetNeed } from "./refusal.ts";
import { featureOptions, listenOptions, logOptions, plainOptions } from "./server_options.ts";
import {
  authOptions,
  checkRecaptcha,
  chooseAuthMethod,
  recaptchaOptions,
} from "./sign_in_options.ts";
import {
  authoritiesIn,
  type ConfigFile,
  type Given,
  type LaunchEnvironment,
  readSources,
  unknownVariables,
} from "./sources.ts";
import { readToken, refuseHalf } from "./values.ts";
import { makeWebhookRights, webhookOptions } from "./webhook_options.ts";
import { isLoopback } from "../../../shared/loopback.ts";

/** The result of reading all settings. */
export interface ResolvedConfig {
  config: Config;
  /** Warnings to print before the start. */
  notices: string[];
}

/**
 * Reads the settings, by precedence: flags, `FB_*` environment, config file, store, default.
 * Nothing is changed on the disk.
 *
 * @throws StartRefusal for the first error
 */
export function resolveConfig(environment: LaunchEnvironment): ResolvedConfig {
  const sources = readSources(environment);
  const config = configFrom(sources, environment);
  const { cwd } = environment;
  const { file, given } = sources;
  const isOpen = readOption(featureOptions, "noauth-anywhere", { cwd, given });
  refuseContradictions(config, isOpen, given("auth-method"));
  return { config, notices: unusedValues(config, given, { ...environment, file }) };
}

/**
 * As {@linkcode resolveConfig}, for what needs no server: without the check that the options agree
 * with each other, as some of them may be given to the server alone.
 *
 * @throws StartRefusal for the first option that cannot be read
 */
export function readConfig(environment: LaunchEnvironment): Config {
  return configFrom(readSources(environment), environment);
}

function configFrom(
  { file, given }: ReturnType<typeof readSources>,
  environment: LaunchEnvironment,
): Config {
  const { cwd } = environment;
  const from: ReadFrom = { cwd, given };

  const plain = { ...membersOf(plainOptions, from) };
  const { root, database } = plain;
  const dataFolder = isFileDatabase(database) ? dirname(database) : cwd;
  const cacheDir = readOption(listenOptions, "cache-dir", from) ??
    findCacheDir(join(dataFolder, ".cubby-cache"), cwd, root);
  const databaseCa = isRemote(database) ? authoritiesIn(given, environment) : undefined;
  const hidden = [
    ...databaseFiles(database),
    cacheDir,
    ...file.places,
    databaseCa,
    ...hiddenPaths(from),
    programIn(root),
    foreignOf(database),
  ];
  const authMethod = chooseAuthMethod(
    readOption(authOptions, "auth-method", from),
    readOption(featureOptions, "noauth", from),
    given,
  );
  const takesAccounts = authMethod === "json";

  return {
    ...plain,
    socket: readSocket(from),
    databaseCa,
    cacheDir,
    authMethod,
    authCommand: authMethod === "hook" ? readOption(authOptions, "auth-command", from) : undefined,
    recaptcha: takesAccounts
      ? checkRecaptcha(membersOf(recaptchaOptions, from, "recaptcha-"))
      : undefined,
    oidc: takesAccounts ? makeProvider(membersOf(oidcOptions, from, "oidc-")) : undefined,
    ldap: takesAccounts ? makeDirectory(membersOf(ldapOptions, from, "ldap-")) : undefined,
    webhooks: makeWebhookRights(membersOf(webhookOptions, from, "webhook-")),
    mail: makeMailServer(membersOf(mailOptions, from, "mail-")),
    office: makeOfficeServer(membersOf(officeOptions, from, "office-")),
    metricsToken: readMetricsToken(from),
    readOnly: codePaths,
    reserved: [...new Set(hidden.filter((path) => typeof path === "string"))],
  };
}

/** The paths that options have hidden from all users. */
function hiddenPaths(from: ReadFrom): unknown[] {
  return optionGroups.flatMap(({ options }: { options: OptionTable }) =>
    Object.keys(options).filter((name) => options[name]?.isHidden)
      .map((name) => readOption(options, name, from))
  );
}

/** The File Browser database beside the store that was imported from it, if it is there. */
function foreignOf(database: string): string | undefined {
  if (!database.endsWith(".kv") || !isFileDatabase(database)) return undefined;
  const stem = database.replace(/\.kv$/, "");
  return [`${stem}.db`, stem].find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/**
 * The program's folder when it lies below the root: a user who could rename it could replace it.
 * When it is the root itself, its parts are read-only.
 */
function programIn(root: string): string | undefined {
  return appFolder !== root && isBelow(appFolder, root) ? appFolder : undefined;
}

/** An empty value overrides another source's; of the two options that are given one counts. */
function readMetricsToken(from: ReadFrom): string | undefined {
  const token = readOption(logOptions, "metrics-token", from);
  const file = readOption(logOptions, "metrics-token-file", from);
  const fileSource = from.given("metrics-token-file")?.source;
  if (token !== undefined && file !== undefined) {
    throw new StartRefusal(
      `Cannot use ${from.given("metrics-token")?.source}: ${fileSource} is given as well`,
    );
  }
  if (file === undefined) return token;
  const source = `the token in ${fileSource}`;
  return readToken({ text: Deno.readTextFileSync(file).trim(), source });
}

function readSocket(from: ReadFrom): UnixSocket | undefined {
  const path = readOption(listenOptions, "socket", from);
  const mode = readOption(listenOptions, "socket-perm", from);
  return path === undefined ? undefined : { path, mode };
}

/**
 * Refuses options that contradict each other, or that are not safe together.
 *
 * @param noauthAnywhere whether `noauth` is allowed on an address that others can reach
 * @param method the source of the sign-in method
 * @throws StartRefusal
 */
function refuseContradictions(
  config: Config,
  noauthAnywhere: boolean,
  method: GivenValue | undefined,
): void {
  const { address, authMethod, cert, key, trustedProxies, database, workers, socket } = config;
  refuseHalf("cert", cert, "key", key);
  const hint = method?.hint === undefined ? "" : `; ${method.hint}`;
  if (socket && workers > 1) {
    throw new StartRefusal(
      "Cannot use --socket with --workers: only one thread can listen on a socket",
    );
  }
  if (socket && cert !== undefined) {
    throw new StartRefusal("Cannot use --socket with --cert: on a socket, TLS is for the proxy");
  }
  if (authMethod === "hook" && !config.authCommand) {
    throw new StartRefusal(`Cannot use the hook method: --auth-command names no program${hint}`);
  }
  if (config.offload && trustedProxies.length === 0) {
    throw new StartRefusal("Cannot use --offload: --trusted-proxies names no proxy");
  }
  if (database === ":memory:" && workers > 1) {
    throw new StartRefusal('Cannot use the database ":memory:": each worker would have its own');
  }
  if (authMethod === "noauth" && !noauthAnywhere && !socket && !isLoopback(address)) {
    throw new UnmetNeed(
      `Cannot use noauth on "${address}": every visitor would be the administrator; ` +
        `--noauth-anywhere allows it${hint}`,
    );
  }
  if (authMethod === "proxy" && trustedProxies.length === 0) {
    throw new UnmetNeed(
      "Cannot use the proxy method: --trusted-proxies names no proxy, such as 127.0.0.1 for one " +
        `on this machine${hint}`,
    );
  }
}

/**
 * Says of each value that has no effect why not.
 *
 * @throws StartRefusal for one of File Browser's that the server must not start with
 */
function unusedValues(
  { authMethod, socket, database }: Config,
  given: Given,
  { file, stored, env }: Pick<LaunchEnvironment, "stored" | "env"> & { file: ConfigFile },
): string[] {
  const command = authMethod === "hook" ? undefined : given("auth-command");
  const idle = socket ? [given("address"), given("port")] : [];
  return [
    ...answersTo(given),
    ...idle.filter((value) => value && ![...stored?.values() ?? []].includes(value))
      .map((value) => `Not used: ${value?.source}: the server listens on a socket`),
    ...isRemote(database) || !given("database-ca")
      ? []
      : [`Not used: ${given("database-ca")?.source}: the store is not a server`],
    ...command?.text ? [`Not used: ${command.source}: the sign-in method is not hook`] : [],
    ...unknownKeys(file),
    ...unknownVariables(env),
  ];
}

/**
 * Says what to do instead of each given option that only File Browser has.
 *
 * @throws StartRefusal for one that the server must not start with
 */
export function answersTo(given: Given): string[] {
  return startOptions.flatMap(({ name, instead, usual = "", isRefused }) => {
    const value = instead === undefined ? undefined : given(name);
    if (!value || ["", "false", usual].includes(value.text)) return [];
    if (isRefused) throw new StartRefusal(`Cannot use ${value.source}: ${instead}`);
    return [`Not used: ${value.source}: ${instead}`];
  });
}

function unknownKeys({ path, unknown }: ConfigFile): string[] {
  if (unknown.length === 0) return [];
  const keys = unknown.map((key) => JSON.stringify(key)).join(", ");
  return [`Not used from the config file "${path}": ${keys}`];
}
