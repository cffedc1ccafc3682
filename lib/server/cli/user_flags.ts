import type { CommandFlag } from "./flags.ts";
import * as v from "valibot";
import { notesOf, withoutDefault } from "../../shared/schemas/parts.ts";
import { preferencesSchema, userFieldsSchema } from "../../shared/schemas/user.ts";

/** Flags for the defaults of users in the settings. */
export const defaultsFlags = flagsOf(preferencesSchema.entries);

/** Flags for a new user. */
export const userFlags = [
  ...defaultsFlags,
  ...flagsOf({ lockPassword: userFieldsSchema.entries.lockPassword }),
];

/** Flags for a change of a user. */
export const userChangeFlags: readonly CommandFlag[] = [
  { name: "username", short: "u", value: "NAME" },
  { name: "password", short: "p", value: "PASSWORD" },
  ...userFlags,
];

/** A flag for each member of a record, as its schema describes it. */
export function flagsOf(entries: v.ObjectEntries, prefix = ""): readonly CommandFlag[] {
  return Object.entries(entries).flatMap(([member, entry]) => {
    const name = `${prefix}${member}`;
    const schema = withoutDefault(entry);
    if ("entries" in schema) return flagsOf(schema.entries as v.ObjectEntries, `${name}.`);
    const { value } = notesOf(schema);
    if (schema.type === "array") return { name, value, between: /[\s,]+/ };
    if (schema.type !== "number") return { name, value };
    return value === "SIZE" ? { name, value, isSize: true } : { name, value, isNumber: true };
  });
}
