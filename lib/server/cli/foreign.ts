/**
 * What File Browser means by its records, said as we say it. Its exports are taken as they are
 * written by its commands `users export` and `config export`.
 */

/** Something of a record that has no place here. */
export type Note = string;

/** A record in our words, with what was left out. */
export interface Translated {
  data: Record<string, unknown>;
  left: Note[];
}

/** Fields of a user's record that we have, or that mean nothing away from its store. */
const userFields = new Set([
  "id",
  "username",
  "password",
  "scope",
  "locale",
  "lockPassword",
  "viewMode",
  "singleClick",
  "perm",
  "commands",
  "sorting",
  "rules",
  "hideDotfiles",
  "dateFormat",
]);

const settingsFields = new Set([
  "key",
  "signup",
  "createUserDir",
  "defaults",
  "branding",
  "commands",
  "shell",
  "rules",
]);

const brandingFields = new Set(["name", "disableExternal", "files", "theme"]);

/** A user, or the defaults for users. Their order of entries is the other way round there. */
export function translateUser(record: Record<string, unknown>): Translated {
  const { sorting } = record;
  const known = pick(record, userFields);
  const isOrdered = isRecord(sorting) && typeof sorting.asc === "boolean";
  const data = isOrdered ? { ...known, sorting: { ...sorting, asc: !sorting.asc } } : known;
  return { data, left: leftOut(record, userFields) };
}

/** The settings of `config export`. */
export function translateConfig(record: Record<string, unknown>): Translated {
  const settings = isRecord(record.settings) ? record.settings : {};
  const { defaults, branding, key: _key, ...known } = pick(settings, settingsFields);
  const data: Record<string, unknown> = { ...known };
  const left = leftOut(settings, settingsFields);
  if (isRecord(defaults)) {
    const translated = translateUser(defaults);
    data.defaults = translated.data;
    left.push(...translated.left.map((note) => `defaults.${note}`));
  }
  if (isRecord(branding)) {
    data.branding = pick(branding, brandingFields);
    left.push(...leftOut(branding, brandingFields).map((note) => `branding.${note}`));
  }
  return { data, left };
}

/** Whether a value is an object of JSON. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pick(record: Record<string, unknown>, names: ReadonlySet<string>) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
}

/** Members that say something and that we have no place for. */
function leftOut(record: Record<string, unknown>, names: ReadonlySet<string>): Note[] {
  return Object.entries(record)
    .filter(([name, value]) => !names.has(name) && isTelling(value))
    .map(([name, value]) => `${name} (${JSON.stringify(value)})`);
}

/** Whether a value is more than the absence of one. */
export function isTelling(value: unknown): boolean {
  return value !== null && value !== "" && value !== false && value !== 0 &&
    !(Array.isArray(value) && value.length === 0);
}
