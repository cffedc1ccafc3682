import * as v from "valibot";
import { mergePatch, patchOf, read } from "../../../shared/schemas/read.ts";
import { type Settings, settingsSchema } from "../../../shared/schemas/settings.ts";
import { preferencesSchema } from "../../../shared/schemas/user.ts";

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
