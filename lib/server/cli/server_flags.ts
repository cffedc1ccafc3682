import { resolve as resolvePath } from "node:path";
import type { ServerOptions } from "../features/settings/server_options.ts";
import { startOptions, storedOptions, together } from "../core/config/options.ts";
import { answersTo } from "../core/config/resolve_config.ts";
import type { LaunchEnvironment } from "../core/config/sources.ts";
import type { CommandFlag, Given } from "./flags.ts";

/** The server's flags that can be stored for its next start. */
export const serverFlags: readonly CommandFlag[] = storedOptions.map(
  ({ name, short, value, aliases, help: about }) => ({ name, short, value, aliases, about }),
);

/** The flags of File Browser's `config` commands that are answered only, and not in the help. */
export const foreignFlags: readonly CommandFlag[] = startOptions
  .filter(({ instead }) => instead !== undefined)
  .map(({ name, value, aliases }) => ({ name, value, aliases, isAnswered: true }));

/**
 * Describes what to do instead of each given flag that only File Browser has.
 *
 * @throws StartRefusal for one that the server must not start with
 */
export function answersToFlags(flags: Given["flags"]): string[] {
  return answersTo((name) => {
    const text = flags.get(name);
    return text === undefined ? undefined : { text, source: `--${name}` };
  });
}

/**
 * Validates options to be stored as a start would, and makes their paths absolute, as the current
 * folder may differ at the next start. An empty text removes an option.
 *
 * @param change values from flags or a file
 * @param kept the stored options; invalid ones are ignored, so that they can be corrected
 * @param resolve how a start reads them
 * @throws StartRefusal for the first error
 */
export function checkedOptions(
  change: ReadonlyMap<string, string>,
  kept: ServerOptions,
  { args, env, cwd }: LaunchEnvironment,
  resolve: (environment: LaunchEnvironment) => unknown,
): ServerOptions {
  const texts = storedOptions.flatMap(({ name, isPath }): [string, string][] => {
    const text = change.get(name);
    if (text === undefined) return [];
    const isPlace = isPath && !["", "stdout", "stderr"].includes(text);
    return [[name, isPlace ? resolvePath(cwd, text) : text]];
  });
  if (texts.length === 0) return {};
  const changed = Object.fromEntries(texts);
  const groups = together.filter((group) => group.some((name) => change.has(name))).flat();
  const partners = groups.map((name) => [name, kept[name] ?? ""]);
  const checked: Record<string, string> = { ...Object.fromEntries(partners), ...changed };
  const flags = Object.entries(checked).filter(([, text]) => text !== "")
    .map(([name, text]) => `--${name}=${text}`);
  resolve({ args: [...args, ...flags], env, cwd });
  return changed;
}

/** The options for display, with secrets hidden. */
export function shownOptions(options: ServerOptions): ServerOptions {
  const hidden = storedOptions.filter(({ name, secret }) => secret && name in options)
    .map(({ name }) => [name, "(stored)"]);
  return { ...options, ...Object.fromEntries(hidden) };
}
