import { readArgs } from "../config/flags.ts";
import { type Flag, plainName } from "../config/options.ts";
import { StartRefusal } from "../config/refusal.ts";

/** A flag of a command. */
export interface CommandFlag extends Flag {
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
 * @throws StartRefusal for what it does not understand
 */
export function readGiven(args: readonly string[], known: readonly CommandFlag[]): Given {
  const words: string[] = [];
  const flags = new Map<string, string>();
  const left = args.values();
  const find = (said: string) => known.find((flag) => isCalled(flag, said));
  for (const arg of readArgs(left, { shape, find, unknown: "no such flag here" })) {
    if (arg === "--") words.push(...left);
    else if (typeof arg === "string") words.push(arg);
    else flags.set(arg.flag.name, arg.flag.value === undefined ? readSwitch(arg) : arg.text);
  }
  return { words, flags };
}

/** Neither "-" nor "--", and no value right behind the letter: `-password` is not `-p assword`. */
const shape = /^(-(?!-?$)[^=]*)(?:=(.*))?$/s;

/**
 * The JSON that a client would send to say what flags say: `--perm.admin` becomes a member of `perm`.
 * What it means is read where requests are read.
 *
 * @param known which of the flags to take
 */
export function dataOf(
  flags: Given["flags"],
  known: readonly CommandFlag[],
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

function valueOf({ value, between }: CommandFlag, text: string): unknown {
  if (value === undefined) return text === "true";
  return between ? text.split(between).filter(Boolean) : text;
}

function isCalled({ name, short }: CommandFlag, said: string): boolean {
  if (said.startsWith("--")) return plainName(said) === plainName(name);
  return short !== undefined && said === `-${short}`;
}

function readSwitch({ said, text }: { said: string; text: string }): string {
  if (/^(1|t|true)$/i.test(text)) return "true";
  if (/^(0|f|false)$/i.test(text)) return "false";
  throw new StartRefusal(`Cannot use ${said}: expected true or false`);
}
