/**
 * An option of the server is declared once, as data. From the declaration come its flag, its
 * variables, its key in the config file, its member of {@linkcode Config}, the help, the reference
 * in the documentation, and whether `cubby config set` takes it.
 */
import { findOptionalFile, readAuthorities } from "./places.ts";
import { StartRefusal } from "./refusal.ts";
import { orNone, readFilled, readSwitch } from "./values.ts";

/** A flag of a command line. */
export interface Flag {
  /** The long name, without dashes. */
  name: string;
  /** Further names, as File Browser spells its flags, variables and keys: `AUTH_RECAPTCHA_KEY`. */
  aliases?: readonly string[];
  /** The letter of the short form. */
  short?: string;
  /** The placeholder of its value in the help; absent for a switch, which may stand alone. */
  value?: string;
}

/** The declaration of an option. Its name is its key in a table. */
export interface Option extends Omit<Flag, "name"> {
  /** Description for the help, without the default. */
  help: string;
  /**
   * Reads a value; a text is taken as it is, and a switch is true or false. When it returns
   * undefined, as for an empty value that overrides another source's, the default applies.
   */
  read?(value: GivenValue, from: ReadFrom): unknown;
  /** The default, as a user would write it; "false" for a switch. Without one there is no value. */
  default?: string;
  /** Describes the default, where the text of `default` does not. */
  otherwise?: string;
  /** Its member of the table's record, where that is not the name in camel case; null for none. */
  member?: string | null;
  /** Whether the store may keep it; not for the store's own location and authentication. */
  stored?: true;
  /** The value is a secret, which is not printed. */
  secret?: true;
  /** A second option, of the same name with `-file` at its end, names a file with the value. */
  withFile?: true;
  /** The value is the path of a file or folder. */
  isPath?: true;
  /** The path is hidden from all users, even below the root. */
  isHidden?: true;
  /** It is File Browser's alone: what to do instead. Not in the help. */
  instead?: string;
  /** The start is refused with it: to ignore it would be unsafe. */
  isRefused?: true;
  /** The value that asks for what happens anyway. */
  usual?: string;
}

/** Options by their names, in the order of the help. */
export type OptionTable = Readonly<Record<string, Option>>;

/** A value from one source. */
export interface GivenValue {
  text: string;
  /** Name for messages: `--port`, `FB_PORT`, `"port" in "/etc/filebrowser/.filebrowser.json"`. */
  source: string;
  /** How to change it, where that is not obvious. */
  hint?: string;
}

/** What values are read from. */
export interface ReadFrom {
  /** Base of relative paths. */
  cwd: string;
  /** The value of an option from the source that counts. */
  given(name: string): GivenValue | undefined;
}

/** The type of an option's value. */
export type ValueOf<Declared> = Declared extends { value: string }
  ? Declared extends { default: string } ? Exclude<ReadBy<Declared>, undefined>
  : ReadBy<Declared> | undefined
  : boolean;

type ReadBy<Declared> = Declared extends { read(value: GivenValue, from: ReadFrom): infer Value }
  ? Value
  : string;

/**
 * Reads an option of a table. The refusal of a value includes its hint.
 *
 * @throws StartRefusal
 */
export function readOption<Name extends string, Options extends Readonly<Record<Name, Option>>>(
  options: Options,
  name: Name,
  from: ReadFrom,
): ValueOf<Options[Name]> {
  const option: Option = options[name];
  const isSwitch = option.value === undefined;
  const read = option.read ?? (isSwitch ? readSwitch : ({ text }: GivenValue) => text);
  const value = from.given(name);
  const own = value && withHint(value, () => read(value, from));
  const found = option.withFile ? readSecret(name, own, from) : own;
  const usual = option.default ?? (isSwitch ? "false" : undefined);
  const readDefault = () => usual === undefined ? undefined : read(defaultOf(name, usual), from);
  return (found ?? readDefault()) as ValueOf<Options[Name]>;
}

function defaultOf(name: string, text: string): GivenValue {
  return { text, source: `the default of --${name}` };
}

function withHint<Value>({ hint }: GivenValue, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StartRefusal) || hint === undefined) throw error;
    throw new StartRefusal(`${error.message}; ${hint}`);
  }
}

/**
 * Takes a secret, or reads the file that has it.
 *
 * @throws StartRefusal when both are given, and for an empty file
 */
function readSecret(name: string, secret: unknown, from: ReadFrom): unknown {
  const value = from.given(`${name}-file`);
  const file = value && withHint(value, () => findOptionalFile(value, from));
  if (file === undefined) return secret;
  if (secret !== undefined) {
    throw new StartRefusal(`Cannot use --${name}: --${name}-file is given as well`);
  }
  const read = Deno.readTextFileSync(file).trim();
  if (read !== "") return read;
  throw new StartRefusal(`Cannot use --${name}-file "${file}": it is empty`);
}

/** The values of a table's options, by their members: `bindDn` for `ldap-bind-dn`. */
export type Members<Options, Prefix extends string = ""> = OptionalMembers<
  {
    -readonly [Name in keyof Options as MemberOf<Name, Options[Name], Prefix>]: ValueOf<
      Options[Name]
    >;
  }
>;

type MemberOf<Name, Declared, Prefix extends string> = Declared extends
  { member: infer Member extends string | null } ? Member extends string ? Member : never
  : Name extends `${Prefix}${infer Rest}` ? Camel<Rest>
  : never;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

type OptionalMembers<Values> =
  & { [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name] }
  & { [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Values[Name] };

/**
 * Makes a record of a table's options. Each is read when its member is, so that nothing refuses the
 * value of an option that has no effect.
 *
 * @param prefix of the names, which their members lack
 */
export function membersOf<Options extends OptionTable, Prefix extends string = "">(
  options: Options,
  from: ReadFrom,
  prefix?: Prefix,
): Members<Options, Prefix> {
  const members = {};
  for (const [name, option] of Object.entries<Option>(options)) {
    const { member = camel(name.slice(prefix?.length ?? 0)) } = option;
    if (member === null) continue;
    const get = () => readOption(options, name, from);
    Object.defineProperty(members, member, { enumerable: true, get });
  }
  return members as Members<Options, Prefix>;
}

/** The spelling of a name in camel case: `cacheDir` for `cache-dir`. */
function camel(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Spread into a declaration. */
export const kinds = {
  /** A switch that an empty value leaves off. */
  optionalSwitch: { read: orNone(readSwitch), stored: true },
  /** A file of certificates, read. */
  authorities: {
    value: "FILE",
    read: readAuthorities,
    otherwise: "the default ones",
    stored: true,
    isPath: true,
  },
  /** A secret, or the file of {@linkcode secretFile} in its place. */
  secret: {
    value: "SECRET",
    read: readFilled,
    stored: true,
    secret: true,
    withFile: true,
  },
  /** The file with a secret. */
  secretFile: {
    value: "FILE",
    read: findOptionalFile,
    member: null,
    stored: true,
    isPath: true,
    isHidden: true,
  },
} as const satisfies Readonly<Record<string, Omit<Option, "help">>>;
