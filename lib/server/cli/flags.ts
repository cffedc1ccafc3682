import { readArgs } from "../core/config/sources.ts";
import type { Flag } from "../core/config/option.ts";
import { plainName } from "../core/config/options.ts";
import { StartRefusal } from "../core/config/refusal.ts";
import * as v from "valibot";
import { notesOf, withoutDefault } from "../../shared/schemas/parts.ts";
import { wholeNumber } from "../../shared/whole_number.ts";
import { readSize } from "./texts.ts";

/** A flag of a command. */
export interface CommandFlag extends Flag {
  /** A description for the help. */
  about?: string;
  /** Separator of the entries, for a list. */
  between?: RegExp;
  /** Its value is a whole number. */
  isNumber?: true;
  /** Its value is a size, such as `10GB`. */
  isSize?: true;
  /** It has no effect here but an answer, and is not in the help. */
  isAnswered?: true;
  /** Reads its value, where that is more than a text. */
  read?: (text: string) => unknown;
}

/** A parsed command line: arguments other than flags, and the values of flags. */
export interface Given {
  words: string[];
  flags: ReadonlyMap<string, string>;
}

/**
 * Parses the arguments and flags after a command: `--scope /a`, `--scope=/a`, `-a`; a switch stands
 * alone or has `=false`. After `--` there are no flags. `--create-user-dir` is `--createUserDir`:
 * File Browser has had both.
 *
 * @throws StartRefusal for an unknown flag or a bad value
 */
export function readGiven(args: readonly string[], known: readonly CommandFlag[]): Given {
  const words: string[] = [];
  const flags = new Map<string, string>();
  const rest = args.values();
  const find = (source: string) => known.find((flag) => isCalled(flag, source));
  for (const arg of readArgs(rest, { shape, find, unknown: "this command has no such flag" })) {
    if (arg === "--") words.push(...rest);
    else if (typeof arg === "string") words.push(arg);
    else flags.set(arg.flag.name, arg.flag.value === undefined ? readSwitch(arg) : arg.text);
  }
  return { words, flags };
}

/**
 * Neither "-" nor "--", and no value joined to the letter: `-password` is not `-p assword`. Nor an id
 * of a webhook, of a share or session, or of a token, which in older records may begin with a hyphen;
 * one that begins with two has to follow `--`.
 */
const shape = /^(-(?!-?$)(?!(?!-)(?:[\w-]{15}|[\w-]{21}|[\w-]{42})$)[^=]*)(?:=(.*))?$/s;

/**
 * Converts flags to the JSON that a client would send: `--perm.admin` becomes a member of `perm`.
 * It is validated by the readers of requests.
 *
 * @param known the flags to include
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

function valueOf(
  { value, between, isNumber, isSize, read }: CommandFlag,
  text: string,
): unknown {
  if (read) return read(text);
  if (value === undefined) return text === "true";
  if (isSize) return readSize(text) ?? text;
  const number = isNumber ? wholeNumber(text) : undefined;
  if (number !== undefined) return number;
  return between ? text.split(between).filter(Boolean) : text;
}

function isCalled({ name, short, aliases = [] }: CommandFlag, source: string): boolean {
  if (source.startsWith("--")) {
    return [name, ...aliases].some((each) => plainName(source) === plainName(each));
  }
  return short !== undefined && source === `-${short}`;
}

function readSwitch({ source, text }: { source: string; text: string }): string {
  if (/^(1|t|true)$/i.test(text)) return "true";
  if (/^(0|f|false)$/i.test(text)) return "false";
  throw new StartRefusal(`Cannot use ${source}: expected true or false`);
}

/** A flag for each member of a record, as its schema describes it. */
export function flagsOf(entries: v.ObjectEntries, prefix = ""): readonly CommandFlag[] {
  return Object.entries(entries).flatMap(([member, entry]) => {
    const name = `${prefix}${member}`;
    const schema = withoutDefault(entry);
    if ("entries" in schema) return flagsOf(schema.entries as v.ObjectEntries, `${name}.`);
    const about = v.getDescription(entry) ?? v.getDescription(schema);
    const { value = placeholderOf(schema) } = notesOf(schema);
    const flag = { name, value, ...about !== undefined && { about } };
    if (schema.type === "array") return { ...flag, between: /[\s,]+/ };
    if (schema.type !== "number") return flag;
    return value === "SIZE" ? { ...flag, isSize: true } : { ...flag, isNumber: true };
  });
}

/** The name of a value in the help; none for a switch. */
function placeholderOf(schema: v.GenericSchema): string | undefined {
  if (schema.type === "boolean") return undefined;
  if ("options" in schema && schema.type === "picklist") {
    return (schema.options as readonly string[]).join("|");
  }
  return { array: "LIST", number: "NUMBER" }[schema.type] ?? "TEXT";
}
