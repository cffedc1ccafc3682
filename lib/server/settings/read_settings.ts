import { DomainError } from "../../shared/errors.ts";
import { readPreferences, readRules } from "../users/read_fields.ts";
import { Fields, laidOver } from "./fields.ts";
import { type Branding, hookEvents, type Settings } from "./settings.ts";

/**
 * Reads settings from a request; what it leaves out stays as it is. Everything is looked at before
 * anything is answered, so that settings are stored whole or not at all.
 *
 * @param data the JSON that was sent
 * @throws DomainError `invalid_body`; `invalid_rule`; `invalid_path` for the scope of the defaults
 */
export function readSettings(data: unknown, current: Settings): Settings {
  const fields = new Fields(data);
  const defaults = fields.object("defaults");
  const branding = fields.object("branding");
  return laidOver(current, {
    signup: fields.flag("signup"),
    createUserDir: fields.flag("createUserDir"),
    rules: readRules(fields),
    shell: fields.texts("shell"),
    commands: readCommands(fields, current.commands),
    defaults: defaults &&
      laidOver(current.defaults, readPreferences(defaults, current.defaults)),
    branding: branding && laidOver(current.branding, readBranding(branding)),
  });
}

function readCommands(
  fields: Fields,
  current: Settings["commands"],
): Settings["commands"] | undefined {
  const commands = fields.object("commands");
  if (!commands) return undefined;
  const unknown = commands.names().find((name) => !hookEvents.some((event) => event === name));
  if (unknown !== undefined) {
    throw new DomainError("invalid_body", `Cannot run commands on "${unknown}": no such event`);
  }
  const given = hookEvents.map((event) => [event, commands.texts(event)]);
  return laidOver(current, Object.fromEntries(given));
}

function readBranding(fields: Fields): Partial<Branding> {
  return {
    name: fields.text("name"),
    disableExternal: fields.flag("disableExternal"),
    theme: fields.oneOf("theme", ["", "light", "dark"]),
    files: fields.text("files"),
  };
}
