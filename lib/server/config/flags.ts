import { findOption, type Flag, type GivenValues, startOptions } from "./options.ts";
import { StartRefusal } from "./refusal.ts";

/** How one program writes its flags. */
export interface FlagSyntax<Known extends Flag> {
  /** Matches a flag, as group 1, with a value in the same argument, as one of the other groups. */
  shape: RegExp;
  /** Looks up a flag by what was typed: `--port`, `-p`. */
  find(said: string): Known | undefined;
  /** How the refusal of an unknown flag ends. */
  unknown: string;
}

/**
 * Reads flags and words one after another. A flag takes its value from the same argument or, unless
 * it is a switch, from the next one, whatever that begins with. (`parseArgs` of Node knows a flag in
 * one spelling only.)
 *
 * @throws StartRefusal for an unknown flag or a missing value
 */
export function* readArgs<Known extends Flag>(
  args: Iterator<string>,
  { shape, find, unknown }: FlagSyntax<Known>,
): Generator<string | { flag: Known; said: string; text: string }> {
  for (let next = args.next(); !next.done; next = args.next()) {
    const [, said, ...texts] = shape.exec(next.value) ?? [];
    if (said === undefined) {
      yield next.value;
      continue;
    }
    const flag = find(said);
    if (!flag) throw new StartRefusal(`Cannot use ${said}: ${unknown}`);
    const attached = texts.find((text) => text !== undefined);
    const text = attached ?? (flag.value === undefined ? "true" : args.next().value);
    if (text === undefined) throw new StartRefusal(`Cannot use ${said}: its value is missing`);
    yield { flag, said, text };
  }
}

/**
 * Reads the command line of the server: `--port 80`, `--port=80`, `-p 80`, `-p80`, `-p=80`. A switch
 * stands alone or takes its value after `=` alone. Of several, the last counts.
 *
 * @throws StartRefusal for an unknown flag, a missing value or a stray word
 */
export function readFlags(args: readonly string[]): GivenValues {
  const given: GivenValues = new Map();
  const shape = /^(--[^=]+|-[A-Za-z])(?:=(.*)|([^=].*))?$/s;
  const find = (said: string) =>
    said.startsWith("--")
      ? findOption(said.slice(2))
      : startOptions.find((option) => "short" in option && said === `-${option.short}`);
  const syntax = { shape, find, unknown: "there is no such flag; see --help" };
  for (const arg of readArgs(args.values(), syntax)) {
    if (typeof arg === "string") throw new StartRefusal(`Cannot use "${arg}": it is not a flag`);
    given.set(arg.flag.name, { text: arg.text, said: arg.said });
  }
  return given;
}
