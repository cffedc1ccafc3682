import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import type { Environment } from "./environment.ts";
import { findOption, type GivenValues } from "./options.ts";
import { StartRefusal } from "./refusal.ts";

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
export function readConfigFile(
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
