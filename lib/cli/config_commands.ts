import { readSettings } from "../settings/read_settings.ts";
import { DomainError } from "../errors.ts";
import type { Call, Command } from "./command.ts";
import type { Flag } from "./flags.ts";
import { dataOf, defaultsFlags } from "./user_flags.ts";

const own: readonly Flag[] = [
  { name: "signup", short: "s" },
  { name: "createUserDir" },
  { name: "shell", value: "WORDS" },
  { name: "branding.name", value: "NAME" },
  { name: "branding.theme", value: "THEME" },
  { name: "branding.files", value: "FOLDER" },
  { name: "branding.disableExternal" },
];

const texts = new Set(["branding.name", "branding.theme", "branding.files"]);

/** The commands about the settings. */
export const configCommands: Command[] = [
  {
    name: "config set",
    words: "",
    about: "change what is said; what is said of users becomes their default",
    flags: [...own, ...defaultsFlags],
    async run(call) {
      const { settings } = call.records;
      const data = settingsData(call.flags);
      if (Object.keys(data).length === 0) {
        throw new DomainError("invalid_option", "Cannot change the settings: no flag says what");
      }
      await settings.update(readSettings(data, await settings.get()));
      await printSettings(call);
    },
  },
  {
    name: "config cat",
    words: "",
    about: "print the settings",
    run: printSettings,
  },
];

async function printSettings({ records, print }: Call): Promise<void> {
  for (const line of JSON.stringify(await records.settings.get(), null, 2).split("\n")) print(line);
}

/** The JSON that a client would send to say the same. */
function settingsData(flags: ReadonlyMap<string, string>): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  const ofUsers = new Map<string, string>();
  for (const [name, text] of flags) {
    const [member = "", inner] = name.split(".");
    if (!own.some((flag) => flag.name === name)) ofUsers.set(name, text);
    else if (name === "shell") data.shell = text.split(/\s+/).filter(Boolean);
    else if (inner === undefined) data[member] = text === "true";
    else {data[member] = {
        ...(data[member] ?? {}),
        [inner]: texts.has(name) ? text : text === "true",
      };}
  }
  return ofUsers.size === 0 ? data : { ...data, defaults: dataOf(ofUsers) };
}
