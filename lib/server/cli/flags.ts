import { DomainError } from "../../shared/errors.ts";
import { plainName } from "../config/options.ts";

/** A flag of a command. */
export interface Flag {
  /** Without dashes: `perm.admin`. */
  name: string;
  /** The letter of the short form. */
  short?: string;
  /** What the value is, for the help; absent for a switch. */
  value?: string;
  /** The value is a list, with this between its entries. */
  between?: RegExp;
}

/** What a command line gives: the words that are no flags, and the flags' values. */
export interface Given {
  words: string[];
  flags: ReadonlyMap<string, string>;
}

/**
 * Reads the words and flags behind a command: `--scope /a`, `--scope=/a`, `-a`; a switch stands
 * alone or has `=false`. Behind `--` all are words. `--create-user-dir` is `--createUserDir`: File
 * Browser has had both.
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
    const flag = known.find((flag) => isCalled(flag, said));
    if (!flag) throw new DomainError("invalid_option", `Cannot use ${said}: no such flag here`);
    const value = text ?? (flag.value === undefined ? "true" : left.shift());
    if (value === undefined) {
      throw new DomainError("invalid_option", `Cannot use ${said}: its value is missing`);
    }
    flags.set(flag.name, flag.value === undefined ? readSwitch(said, value) : value);
  }
  return { words, flags };
}

/**
 * The JSON that a client would send to say what flags say: `--perm.admin` becomes a member of `perm`.
 * What it means is read where requests are read.
 *
 * @param known which of the flags to take
 */
export function dataOf(
  flags: Given["flags"],
  known: readonly Flag[],
): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const flag of known) {
    const text = flags.get(flag.name);
    if (text === undefined) continue;
    const [member = "", inner] = flag.name.split(".");
    const value = valueOf(flag, text);
    data[member] = inner === undefined ? value : { ...(data[member] ?? {}), [inner]: value };
  }
  return data;
}

function valueOf({ value, between }: Flag, text: string): unknown {
  if (value === undefined) return text === "true";
  return between ? text.split(between).filter(Boolean) : text;
}

function isCalled({ name, short }: Flag, said: string): boolean {
  if (said.startsWith("--")) return plainName(said) === plainName(name);
  return short !== undefined && said === `-${short}`;
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
