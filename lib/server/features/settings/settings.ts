import * as v from "valibot";
import { mergePatch, patchOf, read } from "../../../shared/schemas/read.ts";
import { type Settings, settingsSchema } from "../../../shared/schemas/settings.ts";
import { preferencesSchema } from "../../../shared/schemas/user.ts";
import { DomainError } from "../../../shared/errors.ts";
import { hookEvents } from "../../../shared/schemas/choices/choices.ts";
import { argumentsFor, readHookLine } from "../commands/command_line.ts";

const settingNames = Object.keys(settingsSchema.entries);

const preferenceNames = Object.keys(preferencesSchema.entries);

const settingsPatch = patchOf(settingsSchema);

/** The default settings of a server. */
export function defaultSettings(): Settings {
  return v.getDefaults(settingsSchema) as Settings;
}

/** Settings from the store, with defaults for fields newer than the record. */
export function storedSettings(record: Settings | null): Settings {
  if (!record) return defaultSettings();
  const isWhole = settingNames.every((name) => name in record) &&
    preferenceNames.every((name) => name in record.defaults);
  return isWhole ? record : mergePatch(defaultSettings(), record);
}

/**
 * Reads settings from a request; missing members stay unchanged. All are validated before any is
 * returned, so that settings are stored whole or not at all.
 *
 * @param data the JSON that was sent
 * @throws DomainError `invalid_body`; `invalid_rule`; `invalid_path` for the scope of the defaults
 */
export function readSettings(data: unknown, current: Settings): Settings {
  return mergePatch(current, read(settingsPatch, data));
}

/**
 * Refuses settings with a command line that cannot be read: it would fail at each event, and with
 * it all uploads, say. A line that is stored already is no reason to refuse other changes.
 *
 * @param current the settings in the store
 * @throws DomainError `invalid_body`
 */
export function refuseUnreadableLines({ commands, shell }: Settings, current: Settings): void {
  const isSameShell = JSON.stringify(shell) === JSON.stringify(current.shell);
  for (const event of hookEvents) {
    for (const line of commands[event]) {
      if (isSameShell && current.commands[event].includes(line)) continue;
      try {
        argumentsFor(readHookLine(line).line, shell);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const reason = error.message.replace(/^[^:]*: /, "");
        throw new DomainError(
          "invalid_body",
          `Cannot run ${JSON.stringify(line)} on ${event}: ${reason}`,
        );
      }
    }
  }
}
