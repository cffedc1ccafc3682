import type { Flag } from "./option.ts";
import { findOption, type GivenValues, startOptions } from "./options.ts";
import { StartRefusal } from "./refusal.ts";

/** The flag syntax of one program. */
export interface FlagSyntax<Known extends Flag> {
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
export function readFlags(args: readonly string[]): GivenValues {
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
