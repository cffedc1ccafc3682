import { DomainError } from "../../shared/errors.ts";
import { refuseUnreadableLines } from "../features/commands/command_line.ts";
import { resolveConfig } from "../core/config/resolve_config.ts";
import { UnmetNeed } from "../core/config/refusal.ts";
import { givenFrom } from "../core/config/options.ts";
import type { LaunchEnvironment } from "../core/config/sources.ts";
import { readSettings } from "../features/settings/settings.ts";
import { minPasswordLength } from "../../shared/schemas/choices/choices.ts";
import { saveSettings } from "./activities.ts";
import type { Call, Command } from "./command.ts";
import { type CommandFlag, dataOf } from "./flags.ts";
import {
  answersToFlags,
  checkedOptions,
  foreignFlags,
  serverFlags,
  shownOptions,
} from "./server_flags.ts";
import { defaultsFlags } from "./user_flags.ts";

const siteFlags: readonly CommandFlag[] = [
  { name: "signup", short: "s" },
  { name: "createUserDir" },
  { name: "userHomeBasePath", value: "PATH" },
  { name: "minimumPasswordLength", value: "COUNT", isNumber: true },
  { name: "requireSecondFactor", value: "WHO" },
  { name: "hideLoginButton" },
  { name: "hideShareOwner" },
  { name: "suggestNames" },
  { name: "maxLinkRight", value: "RIGHT" },
  { name: "logoutPage", aliases: ["auth.logoutPage"], value: "ADDRESS" },
  { name: "tus.chunkSize", value: "BYTES", isNumber: true },
  { name: "tus.retryCount", value: "COUNT", isNumber: true },
  { name: "audit.level", value: "LEVEL" },
  { name: "audit.days", value: "DAYS", isNumber: true },
  { name: "contents.enabled" },
  { name: "contents.largestText", value: "BYTES", isNumber: true },
  { name: "contents.largestIndex", value: "BYTES", isNumber: true },
  { name: "shell", value: "WORDS", between: /\s+/ },
  { name: "branding.name", value: "NAME" },
  { name: "branding.theme", value: "THEME" },
  { name: "branding.files", value: "FOLDER" },
  { name: "branding.disableExternal" },
  { name: "branding.color", value: "COLOUR" },
  { name: "branding.disableUsedPercentage" },
];

/** File Browser takes it here, without an effect, as its flags of users set the defaults. */
const lockFlag = { name: "lockPassword", isAnswered: true } as const satisfies CommandFlag;

const configFlags = [...siteFlags, ...defaultsFlags, ...serverFlags, ...foreignFlags, lockFlag];

/** The commands about the settings. */
export const configCommands: Command[] = [
  {
    name: "config init",
    store: "made",
    words: "",
    about: "create a store with these settings",
    flags: configFlags,
    async run(call) {
      if (await call.records.users.count() > 0) {
        throw new DomainError("exists", "Cannot create the store: it has users already");
      }
      await setConfig(call, { mayBeEmpty: true });
    },
  },
  {
    name: "config set",
    store: "made",
    words: "",
    about: "change settings and stored start options; flags of users set the defaults of new users",
    flags: configFlags,
    run: (call) => setConfig(call),
  },
  {
    name: "config cat",
    words: "",
    about: "print the settings and the stored start options",
    run: printSettings,
  },
];

/** @param mayBeEmpty whether flags may change nothing, as in most guides to File Browser */
async function setConfig(call: Call, { mayBeEmpty = false } = {}): Promise<void> {
  const { flags, environment, records } = call;
  const answers = answersTo(flags);
  const { settings, serverOptions } = records;
  const defaults = dataOf(flags, defaultsFlags);
  const site = dataOf(flags, siteFlags);
  const data = isEmpty(defaults) ? site : { ...site, defaults };
  const kept = await serverOptions.get();
  const options = checkedOptions(flags, kept, environment, (sources) => {
    const need = unmetNeed(sources) && unmetNeed({ ...sources, stored: givenFrom(kept) });
    if (need) answers.push(`Stored, but the server does not start with it: ${need}`);
  });
  for (const line of answers) call.warn(line);
  if (isEmpty(data) && isEmpty(options) && answers.length === 0 && !mayBeEmpty) {
    throw new DomainError("invalid_option", "Cannot change the settings: no flags given");
  }
  const current = await settings.get();
  const next = readSettings(data, current);
  refuseUnreadableLines(next, current);
  if (!isEmpty(data)) await saveSettings(records, next);
  if (!isEmpty(options)) {
    await serverOptions.update(options);
    // Their names alone: among the values are passwords.
    const subject = Object.keys(options).map((name) => `server.${name}`).join(", ");
    await records.note("settings_change", { subject });
  }
  await printSettings(call);
}

/**
 * What the options need that the server alone may be given: a script for File Browser gives a way to
 * sign in, and not what is safe with it.
 *
 * @throws StartRefusal for what no server would start with
 */
function unmetNeed(sources: LaunchEnvironment): string | null {
  try {
    resolveConfig(sources);
    return null;
  } catch (error) {
    if (error instanceof UnmetNeed) return error.message;
    throw error;
  }
}

/** @throws StartRefusal for a flag that the server must not start with */
function answersTo(flags: Call["flags"]): string[] {
  const answers = answersToFlags(flags);
  if (flags.get(lockFlag.name) === "true") {
    answers.push('Not used: --lockPassword: "users add" and "users update" lock a password');
  }
  if (Number(flags.get("minimumPasswordLength")) < minPasswordLength) {
    answers.push(
      `Not used: --minimumPasswordLength ${flags.get("minimumPasswordLength")}: a password has ` +
        `at least ${minPasswordLength} characters`,
    );
  }
  return answers;
}

async function printSettings({ records, print }: Call): Promise<void> {
  const settings = await records.settings.get();
  const server = shownOptions(await records.serverOptions.get());
  for (const line of JSON.stringify({ ...settings, server }, null, 2).split("\n")) print(line);
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}
