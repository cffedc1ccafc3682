import { resolve } from "node:path";
import type { ServerOptions } from "../settings/server_options.ts";
import { type StartOption, storedOptions } from "../config/options.ts";
import { type LaunchEnvironment, resolveConfig } from "../config/resolve_config.ts";
import type { CommandFlag } from "./flags.ts";

/** What can be said of the next start, in the server's own words. */
export const serverFlags: readonly CommandFlag[] = storedOptions.map((option: StartOption) => {
  const { name, short, value } = option;
  return { name, short, value };
});

/** Of these one means nothing without the others. */
export const together: readonly string[][] = [
  ["cert", "key"],
  ["recaptcha-key", "recaptcha-secret", "recaptcha-host"],
];

/**
 * Checks options that the store is to keep as a start would, and makes their paths whole: another
 * start may be in another folder. An empty text forgets an option.
 *
 * @param change what flags, or a file, say
 * @param kept what is kept so far; the wrong ones among them don't matter, so that they can be mended
 * @throws StartRefusal for the first that is wrong
 */
export function checkedOptions(
  change: ReadonlyMap<string, string>,
  kept: ServerOptions,
  { args, env, cwd }: LaunchEnvironment,
): ServerOptions {
  const texts = storedOptions.flatMap(({ name, ...option }): [string, string][] => {
    const text = change.get(name);
    if (text === undefined) return [];
    return [[name, "isPath" in option && text !== "" ? resolve(cwd, text) : text]];
  });
  if (texts.length === 0) return {};
  const changed = Object.fromEntries(texts);
  const groups = together.filter((group) => group.some((name) => change.has(name))).flat();
  const partners = groups.map((name) => [name, kept[name] ?? ""]);
  const checked: Record<string, string> = { ...Object.fromEntries(partners), ...changed };
  const flags = Object.entries(checked).filter(([, text]) => text !== "")
    .map(([name, text]) => `--${name}=${text}`);
  resolveConfig({ args: [...args, ...flags], env, cwd });
  return changed;
}

/** The options as they may be shown on a screen. */
export function shownOptions(options: ServerOptions): ServerOptions {
  return "recaptcha-secret" in options ? { ...options, "recaptcha-secret": "(stored)" } : options;
}
