import { isRecord } from "../../../shared/schemas/read.ts";
import { brandingSchema, settingsSchema } from "../../../shared/schemas/settings.ts";
import { userChangeSchema } from "../../../shared/schemas/user.ts";

/**
 * Converts File Browser's records to ours, from the output of its commands `users export` and
 * `config export`.
 */

/** A part of a record that has no equivalent here. */
export type Note = string;

/** A converted record, with notes on omitted fields. */
export interface Translated {
  data: Record<string, unknown>;
  omitted: Note[];
}

/** Fields of a user's record that exist here, or have no meaning outside of its store. */
const userFields = new Set(["id", ...Object.keys(userChangeSchema.entries)]);

/** Members of the settings that are options of the server here, or nothing. */
const elsewhere = ["key", "authMethod", "fileMode", "dirMode", "hideDotfiles"];

const settingsFields = new Set([...elsewhere, ...Object.keys(settingsSchema.entries)]);

const brandingFields = new Set(Object.keys(brandingSchema.entries));

/**
 * Converts a user, or the defaults for users. File Browser's `sorting.asc` is inverted for names,
 * and only for them: by size and time `false` is largest and newest first there, too.
 */
export function translateUser(record: Record<string, unknown>): Translated {
  const { sorting } = record;
  const known = pick(record, userFields);
  const isByName = isRecord(sorting) && typeof sorting.asc === "boolean" &&
    sorting.by !== "size" && sorting.by !== "modified";
  const data = isByName ? { ...known, sorting: { ...sorting, asc: !sorting.asc } } : known;
  return { data, omitted: omittedMembers(record, userFields) };
}

/** Converts the settings of `config export`. */
export function translateConfig(record: Record<string, unknown>): Translated {
  const settings = isRecord(record.settings) ? record.settings : {};
  const { defaults, branding, ...known } = pick(settings, settingsFields);
  const data = Object.fromEntries(
    Object.entries(known).filter(([name]) => !elsewhere.includes(name)),
  );
  const omitted = omittedMembers(settings, settingsFields);
  if (isRecord(defaults)) {
    const translated = translateUser(defaults);
    data.defaults = translated.data;
    omitted.push(...translated.omitted.map((note) => `defaults.${note}`));
  }
  if (isRecord(branding)) {
    data.branding = pick(branding, brandingFields);
    omitted.push(...omittedMembers(branding, brandingFields).map((note) => `branding.${note}`));
  }
  return { data, omitted };
}

function pick(record: Record<string, unknown>, names: ReadonlySet<string>) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
}

/** Notes on members that have a value and no equivalent here. */
function omittedMembers(record: Record<string, unknown>, names: ReadonlySet<string>): Note[] {
  return Object.entries(record)
    .filter(([name, value]) => !names.has(name) && hasValue(value))
    .map(([name, value]) => `${name} (${JSON.stringify(value)})`);
}

/** Whether a value is not an empty one of its type. */
export function hasValue(value: unknown): boolean {
  return value !== null && value !== "" && value !== false && value !== 0 &&
    !(Array.isArray(value) && value.length === 0);
}
