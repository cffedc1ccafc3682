import * as v from "valibot";
import { laidOver, patchOf, read } from "../shared/schemas/read.ts";
import { type Branding, type Settings, settingsSchema } from "../shared/schemas/settings.ts";
import type { HookEvent } from "../api_types.ts";

export { hookEvents } from "../shared/schemas/choices.ts";

export type { Branding, HookEvent, Settings };

const settingsPatch = patchOf(settingsSchema);

/** The settings of a server where nobody has changed any. */
export function defaultSettings(): Settings {
  return v.getDefaults(settingsSchema) as Settings;
}

/**
 * Reads settings from a request; what it leaves out stays as it is. Everything is looked at before
 * anything is answered, so that settings are stored whole or not at all.
 *
 * @param data the JSON that was sent
 * @throws DomainError `invalid_body`; `invalid_rule`; `invalid_path` for the scope of the defaults
 */
export function readSettings(data: unknown, current: Settings): Settings {
  return laidOver(current, read(settingsPatch, data));
}
