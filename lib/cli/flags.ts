import { DomainError } from "../errors.ts";

/** A flag of a command. */
export interface Flag {
  /** Without dashes: `perm.admin`. */
  name: string;
  /** The letter of the short form. */
  short?: string;
  /** What the value is, for the help; absent for a switch. */
  value?: string;
}

/** What a command line gives: the words that are no flags, and the flags' values. */
export interface Given {
  words: string[];
  flags: ReadonlyMap<string, string>;
}

/**
 * Reads the words and flags behind a command: `--scope /a`, `--scope=/a`, `-a`; a switch stands
 * alone or has `=false`. Behind `--` all are words.
 *
 * @throws DomainError `invalid_option`
 */
export function readGiven(args: readonly string[], known: readonly Flag[]): Given {
  const words: string[] = [];
  const flags = new Map<string, string>();
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === "--") return { words: [...words, ...left], flags };
    if (!arg.startsWith("-") || arg === "-") {
      words.push(arg);
      continue;
    }
    const [said = "", text] = split(arg);
    const flag = known.find(({ name, short }) => said === `--${name}` || said === `-${short}`);
    if (!flag) throw new DomainError("invalid_option", `Cannot use ${said}: no such flag here`);
    const value = text ?? (flag.value === undefined ? "true" : left.shift());
    if (value === undefined) {
      throw new DomainError("invalid_option", `Cannot use ${said}: its value is missing`);
    }
    flags.set(flag.name, flag.value === undefined ? readSwitch(said, value) : value);
  }
  return { words, flags };
}

function split(arg: string): string[] {
  const at = arg.indexOf("=");
  return at < 0 ? [arg] : [arg.slice(0, at), arg.slice(at + 1)];
}

function readSwitch(said: string, text: string): string {
  if (/^(1|t|true)$/i.test(text)) return "true";
  if (/^(0|f|false)$/i.test(text)) return "false";
  throw new DomainError("invalid_option", `Cannot use ${said}: expected true or false`);
}
