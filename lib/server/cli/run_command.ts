import { Gate } from "../core/access/gate.ts";
import { DomainError } from "../../shared/errors.ts";
import { openStore, type Store } from "../core/kv/store.ts";
import { ServerOptionsStore } from "../features/settings/server_options.ts";
import { SettingsStore } from "../features/settings/settings_store.ts";
import { Shares } from "../features/links/shares/shares.ts";
import { SecondFactors } from "../features/accounts/auth/factors/factors.ts";
import { openSigningKey } from "../features/accounts/auth/signing_key.ts";
import { escapeControls } from "../core/log/log.ts";
import {
  type Environment,
  findStore,
  type LaunchEnvironment,
  namesRoot,
  unknownVariables,
} from "../core/config/sources.ts";
import { StartRefusal } from "../core/config/refusal.ts";
import { givenFrom } from "../core/config/options.ts";
import { findRoot, isFileDatabase } from "../core/config/places.ts";
import {
  checkStore,
  type DataPlaces,
  holdsStore,
  openingError,
  prepareFile,
  refuseEmptied,
  removeFiles,
} from "../boot/prepare_data.ts";
import { followImport } from "../boot/import_foreign.ts";
import { trustAuthorities } from "../boot/stored.ts";
import { readConfig, resolveConfig } from "../core/config/resolve_config.ts";
import { openPasswords } from "../features/accounts/passwords/passwords.ts";
import { Users } from "../features/accounts/users/users.ts";
import { openActivities } from "./activities.ts";
import { auditCommands } from "./audit_commands.ts";
import { backupCommand, restoreCommand } from "./backup_commands.ts";
import type { Call, Command, Records, StoreCommand } from "./command.ts";
import type { Audit } from "../features/audit/audit.ts";
import type { Config } from "../core/config/config.ts";
import type { Cubby } from "../boot/cubby/cubby.ts";
import type { PasswordInput } from "./password_input.ts";
import { linkCommands } from "./link_commands.ts";
import { commandHelp, flagsFor, groupOf, helpLines, unknownCommand } from "./command_help.ts";
import { configCommands } from "./config_commands.ts";
import { type CommandFlag, readGiven } from "./flags.ts";
import { doctorCommand } from "./doctor_command.ts";
import { indexCommands } from "./index_commands.ts";
import { groupCommands } from "./group_commands.ts";
import { hookCommands } from "./hook_commands.ts";
import { plainCommands } from "./plain_commands.ts";
import { quotaCommands } from "./quota_commands.ts";
import { ruleCommands } from "./rule_commands.ts";
import { inviteCommands, mailCommands } from "./invite_commands.ts";
import { tokenCommands } from "./token_commands.ts";
import { transferCommands } from "./transfer_commands.ts";
import { userCommands } from "./user_commands.ts";
import { webhookCommands } from "./webhook_commands.ts";

/** All commands, in the order of the help. */
export const commands: readonly (Command | StoreCommand)[] = [
  ...userCommands,
  ...transferCommands.filter(({ name }) => name.startsWith("users ")),
  ...inviteCommands,
  ...groupCommands,
  ...tokenCommands,
  ...linkCommands,
  ...configCommands,
  ...transferCommands.filter(({ name }) => name.startsWith("config ")),
  ...transferCommands.filter(({ name }) => /^(?:im|ex)port$/.test(name)),
  ...ruleCommands,
  ...hookCommands,
  ...quotaCommands,
  doctorCommand,
  backupCommand,
  restoreCommand,
  ...auditCommands,
  ...indexCommands,
  ...mailCommands,
  ...webhookCommands,
  ...plainCommands,
];

/** Flags of every command that locate the records, as for the server. */
const places: readonly CommandFlag[] = [
  { name: "database", short: "d", value: "FILE" },
  { name: "database-ca", value: "FILE" },
  { name: "config", short: "c", value: "FILE" },
  { name: "root", value: "FOLDER" },
];

/** The flag of every command that prints its help in place of its work. */
const helpFlag: CommandFlag = { name: "help", short: "h" };

/** The environment of an invocation. */
export interface Terminal {
  env: Environment;
  cwd: string;
  /** Prints a line of the result. */
  print(line: string): void;
  /** Prints a line of an error. */
  warn(line: string): void;
  /** Where passwords are typed; absent without a standard input. */
  input?: PasswordInput;
}

/**
 * Runs one command of the command line, on the store of a running or stopped server.
 *
 * @param typed the arguments of the program
 * @returns the exit status: 0; 1 for a failure, or what the doctor found; 2 for a usage error
 */
export async function runCommand(typed: readonly string[], given: Terminal): Promise<number> {
  const terminal = guarded(given);
  const { before, args } = withoutPlaces(typed);
  const command = commands.find(({ name }) => isPrefix(name.split(" "), args));
  if (!command) {
    return answerWithoutCommand(args.length > 0 ? args : typed, terminal);
  }
  try {
    const rest = [...before, ...args.slice(command.name.split(" ").length)];
    const own = await flagsFor(command);
    const about = places.filter(({ name }) => !own.some((flag) => flag.name === name));
    const known = [...own, ...about];
    const { words, flags } = readGiven(rest, [...known, helpFlag]);
    if (flags.get(helpFlag.name) === "true") {
      for (const line of commandHelp(command, known)) terminal.print(line);
      return 0;
    }
    const at = about.flatMap(({ name }) => {
      const value = flags.get(name);
      return value === undefined ? [] : [`--${name}=${value}`];
    });
    // Few commands use the root, but a wrong flag is always an error.
    if (at.some((flag) => flag.startsWith("--root="))) {
      findRoot(flags.get("root") ?? "", terminal.cwd);
    }
    const named = { args: at, env: terminal.env, cwd: terminal.cwd };
    for (const line of unknownVariables(terminal.env)) terminal.warn(line);
    if ("runOnStore" in command) {
      const environment = await followImport(named, false);
      return await command.runOnStore({ ...terminal, words, flags, environment }) ?? 0;
    }
    const { environment, database, isNew } = await findRecords(command, flags, named);
    const { warn } = terminal;
    await using open = await openRecords(environment, database, { warn, isNew });
    const { records } = open;
    const status = await command.run({ ...terminal, words, flags, environment, records }) ?? 0;
    if (status === 0) open.keep();
    return status;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The answer of a mail server, which a call hides from its users.
    terminal.warn(typeof error.cause === "string" ? error.cause : error.message);
    const isMisunderstood = error instanceof StartRefusal ||
      (error instanceof DomainError && error.code === "invalid_option");
    return isMisunderstood ? 2 : 1;
  }
}

/** Splits off the flags before a command that locate the records: `-d cubby.kv config init`. */
function withoutPlaces(typed: readonly string[]): { before: string[]; args: string[] } {
  const args = [...typed];
  const before: string[] = [];
  const names = places.flatMap(({ name, short }) => [`--${name}`, ...short ? [`-${short}`] : []]);
  for (let [flag = ""] = args; names.includes(flag.split("=", 1)[0] ?? ""); [flag = ""] = args) {
    before.push(...args.splice(0, flag.includes("=") ? 1 : 2));
  }
  return { before, args };
}

/**
 * Lists the commands, or those of a group such as `users`; refuses a command that does not exist.
 *
 * @returns the exit status
 */
function answerWithoutCommand(args: readonly string[], terminal: Terminal): number {
  const isHelp = args.length === 0 || args.some((arg) => arg === "--help" || arg === "-h");
  const [first, second = "-"] = args;
  const group = second.startsWith("-") ? groupOf(commands, first) : [];
  if (!isHelp && group.length === 0) {
    terminal.warn(unknownCommand(commands, args));
    return 2;
  }
  const lines = helpLines(group.length > 0 ? group : commands);
  for (const line of lines) terminal[isHelp ? "print" : "warn"](line);
  return isHelp ? 0 : 2;
}

/**
 * Escapes control characters in output: with escape sequences or forged lines, a record could fake
 * the result of a command (CWE-150).
 */
function guarded(terminal: Terminal): Terminal {
  return {
    ...terminal,
    print: (line) => terminal.print(escapeControls(line)),
    warn: (line) => terminal.warn(escapeControls(line)),
  };
}

function isPrefix(words: readonly string[], args: readonly string[]): boolean {
  return words.every((word, index) => args[index] === word);
}

/**
 * Finds the store of a command.
 *
 * @returns `isNew` for a file that the command makes
 * @throws StartRefusal when there is none and the command needs one
 */
async function findRecords(
  { store }: Command,
  flags: Call["flags"],
  named: LaunchEnvironment,
): Promise<{ environment: LaunchEnvironment; database: string; isNew: boolean }> {
  const inMemory = { database: ":memory:", isNew: false };
  if (store === "unused") return { environment: named, ...inMemory };
  const environment = await followImport(named, store === "made");
  const database = findStore(environment);
  trustAuthorities(database, environment);
  const isNew = isFileDatabase(database) && !holdsStore(database);
  if (isNew && store === undefined) {
    refuseEmptied(database, () => placesOf(environment));
    throw missingError(database);
  }
  // A rehearsal of an import leaves no store behind.
  const isMade = store === "made" && flags.get("dry-run") !== "true";
  return { environment, ...isNew && !isMade ? inMemory : { database, isNew } };
}

function missingError(database: string): StartRefusal {
  return new StartRefusal(
    `Cannot use the database "${database}": there is no store in it; name another place with ` +
      `--database, or make one: "cubby config init" does, and the first start of the server`,
  );
}

/** The records of a command. */
interface OpenRecords extends AsyncDisposable {
  records: Records;
  /** Keeps a new store; without that, one to which nothing was written is removed in the end. */
  keep(): void;
}

async function openRecords(
  environment: LaunchEnvironment,
  database: string,
  { warn, isNew }: { warn: Terminal["warn"]; isNew: boolean },
): Promise<OpenRecords> {
  const store = await openPrepared(environment, database).catch((error) => {
    if (isNew) removeNew(database);
    throw error;
  });
  const passwords = await openPasswords();
  const serverOptions = new ServerOptionsStore(store);
  const config = async () => {
    const stored = givenFrom(await serverOptions.get());
    return readConfig({ ...environment, stored });
  };
  const key = await openSigningKey(store);
  const bare: Omit<Records, "note" | "open"> = {
    users: new Users(store, passwords),
    passwords,
    factors: new SecondFactors(store, key),
    settings: new SettingsStore(store),
    shares: new Shares(store, passwords),
    store,
    serverOptions,
    config,
    async openGate(mustBeNamed = false) {
      const stored = givenFrom(await serverOptions.get());
      if (mustBeNamed && !namesRoot({ ...environment, stored })) {
        throw new StartRefusal(
          "Cannot run the command: --root is missing; give the folder that the server serves",
        );
      }
      return new Gate(await config());
    },
  };
  const { audit, note, flush } = openActivities(bare, key, warn);
  const versions = isNew ? await versionsIn(store) : null;
  let isKept = false;
  let whole: ReturnType<typeof openWhole> | undefined;
  return {
    records: {
      ...bare,
      note,
      open: async () => (await (whole ??= openWhole(await config(), audit))).cubby,
    },
    async [Symbol.asyncDispose]() {
      await (await whole?.catch(() => undefined))?.close();
      await flush();
      passwords.close();
      const isUntouched = versions !== null && versions === await versionsIn(store);
      store.close();
      if (isUntouched && !isKept) removeNew(database);
    },
    keep: () => void (isKept = true),
  };
}

/** Removes a store that a command has made. A file that is a volume of its own stays. */
function removeNew(database: string): void {
  try {
    removeFiles(database);
  } catch {
    // What failed before says more.
  }
}

/** The versions of all records, as one text. */
async function versionsIn(store: Store): Promise<string> {
  return (await store.list([])).map(({ versionstamp }) => versionstamp).join();
}

/** Opens the application without its server. What it would log, its calls answer. */
async function openWhole(
  config: Config,
  audit: Audit,
): Promise<{ cubby: Cubby; close(): Promise<void> }> {
  const { openBeside } = await import("../boot/cubby/open_cubby.ts");
  const { cubby, settle } = await openBeside(config, { line() {}, request() {}, close() {} });
  return {
    cubby: { ...cubby, audit },
    async close() {
      await settle();
      cubby.close();
    },
  };
}

/** @throws StartRefusal when the store cannot be opened */
async function openPrepared(environment: LaunchEnvironment, database: string): Promise<Store> {
  prepareFile(database, () => placesOf(environment));
  checkStore(database);
  try {
    return await openStore(database, { note: (line) => console.error(line) });
  } catch (error) {
    throw openingError(database, error);
  }
}

/** A command needs no root, so that a wrong one is no reason to refuse. */
function placesOf(environment: LaunchEnvironment): DataPlaces {
  try {
    return resolveConfig(environment).config;
  } catch {
    return {};
  }
}
