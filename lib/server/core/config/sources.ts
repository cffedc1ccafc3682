import { editDistance, maxDistance } from "../../../shared/edit_distance.ts";
import { type Flag, type GivenValue, readOption } from "./option.ts";
import {
  findOption,
  type GivenValues,
  type OptionName,
  startOptions,
  variablesOf,
} from "./options.ts";
import { findAuthorities } from "./places.ts";
import { featureOptions, listenOptions } from "./server_options.ts";
import { StartRefusal } from "./refusal.ts";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";

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
 * The File Browser database that the start is to import: that of `--import-from`; true for one in
 * place of the store.
 *
 * @throws StartRefusal when `--import` is neither true nor false
 */
export function findImport(
  environment: Omit<LaunchEnvironment, "stored">,
): { from: string | undefined; inPlace: boolean } {
  const { given } = readSources(environment);
  const from = { cwd: environment.cwd, given };
  return {
    from: readOption(featureOptions, "import-from", from),
    inPlace: readOption(featureOptions, "import", from),
  };
}

/**
 * Whether the file of the store may have another server.
 *
 * @throws StartRefusal when that is neither true nor false
 */
export function wantsSharing(environment: Omit<LaunchEnvironment, "stored">): boolean {
  const { given } = readSources(environment);
  return readOption(listenOptions, "database-shared", { cwd: environment.cwd, given });
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

/** Source of environment variables, such as `Deno.env`. */
export interface Environment {
  get(name: string): string | undefined;
  /** All of them, to find the unknown ones. */
  toObject?(): Record<string, string>;
}

/**
 * Names each `FB_*` variable that is none of an option's, with the one that it may have been meant
 * to be. A mistyped `FB_DATABASE` would otherwise have the server make a new store in silence.
 */
export function unknownVariables(env: Environment): string[] {
  const known = startOptions.flatMap(variablesOf);
  return Object.entries(env.toObject?.() ?? {}).flatMap(([name, text]) => {
    if (!name.startsWith("FB_") || text === "" || known.includes(name)) return [];
    const near = known.map((each) => ({ each, distance: editDistance(name, each) }))
      .filter(({ each, distance }) => distance <= maxDistance(each.slice("FB_".length)))
      .sort((a, b) => a.distance - b.distance)[0];
    const meant = near ? `, did you mean ${near.each}?` : "";
    return [`Not used: ${name}: there is no such variable${meant}`];
  });
}

/**
 * Reads the `FB_*` variables: `FB_CACHE_DIR` or `FB_CACHEDIR` for `--cache-dir`. An empty one
 * counts as unset.
 *
 * @throws StartRefusal when two spellings of a name have different values
 */
export function readEnvironment(env: Environment): GivenValues {
  const given: GivenValues = new Map();
  for (const option of startOptions) {
    const { name } = option;
    for (const source of variablesOf(option)) {
      const text = env.get(source);
      if (!text) continue;
      const former = given.get(name);
      if (former && former.text !== text) {
        throw new StartRefusal(`Cannot use ${source}: ${former.source} has another value`);
      }
      if (!former) given.set(name, { text, source });
    }
  }
  return given;
}

/** The flag syntax of one program. */
interface FlagSyntax<Known extends Flag> {
  /** Matches a flag in group 1, and a value in the same argument in one of the other groups. */
  shape: RegExp;
  /** Looks up a flag by its text: `--port`, `-p`. */
  find(source: string): Known | undefined;
  /** End of the error message for an unknown flag. */
  unknown: string;
}

/**
 * Reads flags and words one after another. A flag's value is in the same argument or, unless it is
 * a switch, the next one, even if that begins with a dash. (`parseArgs` of Node supports only one
 * spelling of a flag.)
 *
 * @throws StartRefusal for an unknown flag or a missing value
 */
export function* readArgs<Known extends Flag>(
  args: Iterator<string>,
  { shape, find, unknown }: FlagSyntax<Known>,
): Generator<string | { flag: Known; source: string; text: string }> {
  for (let next = args.next(); !next.done; next = args.next()) {
    const [, source, ...texts] = shape.exec(next.value) ?? [];
    if (source === undefined) {
      yield next.value;
      continue;
    }
    const flag = find(source);
    if (!flag) throw new StartRefusal(`Cannot use ${source}: ${unknown}`);
    const attached = texts.find((text) => text !== undefined);
    const text = attached ?? (flag.value === undefined ? "true" : args.next().value);
    if (text === undefined) throw new StartRefusal(`Cannot use ${source}: its value is missing`);
    yield { flag, source, text };
  }
}

/**
 * Reads the command line of the server: `--port 80`, `--port=80`, `-p 80`, `-p80`, `-p=80`. A
 * switch stands alone or has a value after `=`. The last of several counts.
 *
 * @throws StartRefusal for an unknown flag, a missing value or a stray word
 */
function readFlags(args: readonly string[]): GivenValues {
  const given: GivenValues = new Map();
  const shape = /^(--[^=]+|-[A-Za-z])(?:=(.*)|([^=].*))?$/s;
  const find = (source: string) =>
    source.startsWith("--")
      ? findOption(source.slice(2))
      : startOptions.find(({ short }) => short !== undefined && source === `-${short}`);
  const syntax = { shape, find, unknown: "no such flag; see --help" };
  for (const arg of readArgs(args.values(), syntax)) {
    if (typeof arg === "string") throw new StartRefusal(`Cannot use "${arg}": it is not a flag`);
    given.set(arg.flag.name, { text: arg.text, source: arg.source });
  }
  return given;
}

/** The contents of the config file. */
export interface ConfigFile {
  /** Its real path; null when there is none. */
  path: string | null;
  /** All real paths tried, up to the file's own: a file created there would take effect. */
  places: string[];
  given: GivenValues;
  /** Unknown keys, such as File Browser's `log`. */
  unknown: string[];
}

/** The names of config files, the first that is there counts. */
const fileNames = ["json", "yaml", "yml", "toml"].map((ending) => `.filebrowser.${ending}`);

/** The longest config file, in characters. */
const maxFileLength = 100_000;

/**
 * Reads the config file: the named one, or else the first `.filebrowser.json`, `.yaml`, `.yml` or
 * `.toml` in the current folder, the home folder and `/etc/filebrowser`. Only a named file must
 * exist.
 *
 * @throws StartRefusal when it cannot be read, or holds no object
 */
function readConfigFile(
  named: string | undefined,
  { cwd, env }: { cwd: string; env: Environment },
): ConfigFile {
  if (named !== undefined) {
    const path = resolve(cwd, named);
    const text = readIfThere(path);
    if (text === null) throw unreadableError(path, "it does not exist");
    return parse(path, text, placesIn(dirname(path), basename(path)));
  }
  const places: string[] = [];
  for (const folder of [cwd, env.get("HOME"), "/etc/filebrowser"]) {
    if (!folder) continue;
    places.push(...placesIn(folder, ...fileNames));
    for (const path of fileNames.map((name) => join(folder, name))) {
      const text = readIfThere(path);
      if (text !== null) return parse(path, text, places);
    }
  }
  return { path: null, places, given: new Map(), unknown: [] };
}

/** The real paths of names in a folder, existing or not; none when the folder is missing. */
function placesIn(folder: string, ...names: string[]): string[] {
  try {
    const real = Deno.realPathSync(folder);
    return names.map((name) => join(real, name));
  } catch {
    return [];
  }
}

function parse(path: string, text: string, places: string[]): ConfigFile {
  const content = parseText(path, text);
  const real = Deno.realPathSync(path);
  const file: ConfigFile = {
    path: real,
    places: [...places, real],
    given: new Map(),
    unknown: [],
  };
  for (const [key, value] of membersOf(content)) {
    const option = findOption(key);
    const source = `"${key}" in "${path}"`;
    if (!option) file.unknown.push(key);
    else if (value !== null) file.given.set(option.name, { text: asText(source, value), source });
  }
  return file;
}

/** The members of an object, flattened to names such as `recaptcha.key`. */
function membersOf(content: object, before = ""): [string, unknown][] {
  return Object.entries(content).flatMap(([name, value]): [string, unknown][] => {
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    const whole = `${before}${name}`;
    return isGroup && !findOption(whole) ? membersOf(value, `${whole}.`) : [[whole, value]];
  });
}

function parseText(path: string, text: string): object {
  if (text.length > maxFileLength) throw unreadableError(path, "it is too long");
  const [format, parser] = parserOf(path);
  let content: unknown;
  try {
    content = parser(text);
  } catch {
    throw unreadableError(path, `it is not valid ${format}`);
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw unreadableError(
      path,
      `it does not contain ${format === "JSON" ? "a JSON object" : "an object"}`,
    );
  }
  return content;
}

/** The format of a file, by its name, and its parser: loaded when it is needed. */
function parserOf(path: string): [format: string, parser: (text: string) => unknown] {
  const require = createRequire(import.meta.url);
  if (/\.ya?ml$/i.test(path)) {
    // Without aliases, which a few lines could multiply into gigabytes.
    const { parse }: typeof import("yaml") = require("yaml");
    return ["YAML", (text) => parse(text, { maxAliasCount: 0 })];
  }
  if (/\.toml$/i.test(path)) {
    const { parse }: typeof import("smol-toml") = require("smol-toml");
    return ["TOML", (text) => parse(text)];
  }
  return ["JSON", JSON.parse];
}

function asText(source: string, value: unknown): string {
  if (["string", "number", "boolean"].includes(typeof value)) return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return value.join(",");
  }
  throw new StartRefusal(`Cannot use ${source}: expected a string, a number or a boolean`);
}

function readIfThere(path: string): string | null {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    if (error instanceof Deno.errors.PermissionDenied) {
      throw unreadableError(path, "permission denied");
    }
    throw unreadableError(path, "it is not a readable file");
  }
}

function unreadableError(path: string, reason: string): StartRefusal {
  return new StartRefusal(`Cannot read the config file "${path}": ${reason}`);
}
