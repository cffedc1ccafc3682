import { DomainError } from "../../shared/errors.ts";
import { readSettings } from "../features/settings/settings.ts";
import { saveSettings } from "./activities.ts";
import type { Call, Command } from "./command.ts";
import { type CommandFlag, dataOf } from "./flags.ts";
import { checkedOptions, serverFlags, shownOptions } from "./server_flags.ts";
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
  { name: "logoutPage", value: "ADDRESS" },
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

/** The commands about the settings. */
export const configCommands: Command[] = [
  {
    name: "config init",
    words: "",
    about: "create a store with these settings",
    flags: [...siteFlags, ...defaultsFlags, ...serverFlags],
    async run(call) {
      if (await call.records.users.count() > 0) {
        throw new DomainError("exists", "Cannot create the store: it has users already");
      }
      await (call.flags.size === 0 ? printSettings(call) : setConfig(call));
    },
  },
  {
    name: "config set",
    words: "",
    about: "change settings and stored start options; flags of users set the defaults of new users",
    flags: [...siteFlags, ...defaultsFlags, ...serverFlags],
    run: setConfig,
  },
  {
    name: "config cat",
    words: "",
    about: "print the settings and the stored start options",
    run: printSettings,
  },
];

async function setConfig(call: Call): Promise<void> {
  const { flags, environment, records } = call;
  const { settings, serverOptions } = records;
  const defaults = dataOf(flags, defaultsFlags);
  const site = dataOf(flags, siteFlags);
  const data = isEmpty(defaults) ? site : { ...site, defaults };
  const options = checkedOptions(flags, await serverOptions.get(), environment);
  if (isEmpty(data) && isEmpty(options)) {
    throw new DomainError("invalid_option", "Cannot change the settings: no flags given");
  }
  const next = readSettings(data, await settings.get());
  if (!isEmpty(data)) await saveSettings(records, next);
  if (!isEmpty(options)) {
    await serverOptions.update(options);
    // Their names alone: among the values are passwords.
    const subject = Object.keys(options).map((name) => `server.${name}`).join(", ");
    await records.note("settings_change", { subject });
  }
  await printSettings(call);
}

async function printSettings({ records, print }: Call): Promise<void> {
  const settings = await records.settings.get();
  const server = shownOptions(await records.serverOptions.get());
  for (const line of JSON.stringify({ ...settings, server }, null, 2).split("\n")) print(line);
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}
