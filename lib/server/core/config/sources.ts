import { type ConfigFile, readConfigFile } from "./config_file.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { readFlags } from "./flags.ts";
import { type GivenValue, readOption } from "./option.ts";
import type { GivenValues, OptionName } from "./options.ts";
import { findAuthorities } from "./places.ts";
import { featureOptions, listenOptions } from "./server_options.ts";

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

/** The value of an option from the source that counts. */
export type Given = (name: OptionName) => GivenValue | undefined;

/** Reads all sources. They count in this order: flags, `FB_*` environment, config file, store. */
export function readSources(
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

/**
 * Whether a File Browser database in place of the store is to be taken over.
 *
 * @throws StartRefusal when that is neither true nor false
 */
export function wantsImport(environment: Omit<LaunchEnvironment, "stored">): boolean {
  const { given } = readSources(environment);
  return readOption(featureOptions, "import", { cwd: environment.cwd, given });
}

/**
 * Finds the store, which may contain further settings.
 *
 * @throws StartRefusal when its location cannot be used
 */
export function findStore(environment: Omit<LaunchEnvironment, "stored">): string {
  const { given } = readSources(environment);
  return readOption(listenOptions, "database", { cwd: environment.cwd, given });
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

/** See {@linkcode findStoreAuthorities}. */
export function authoritiesIn(
  given: Given,
  { env, cwd }: Pick<LaunchEnvironment, "env" | "cwd">,
): string | undefined {
  const variable = env.get("DENO_CERT");
  const value = given("database-ca") ??
    (variable ? { text: variable, source: "DENO_CERT" } : undefined);
  return value && findAuthorities(value, { cwd });
}
