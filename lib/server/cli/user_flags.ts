import type { CommandFlag } from "./flags.ts";
import * as v from "valibot";
import { notesOf, withoutDefault } from "../../shared/schemas/parts.ts";
import type { NamedRoot } from "../../shared/schemas/named_root.ts";
import { preferencesSchema, userFieldsSchema } from "../../shared/schemas/user.ts";

const { mail, lockPassword } = userFieldsSchema.entries;

/** Flags for the defaults of users in the settings. */
export const defaultsFlags = flagsOf(preferencesSchema.entries);

/** The flag for named roots, of a user or a group. */
export const rootsFlag: CommandFlag = { name: "roots", value: "NAME=PATH[:ro],…", read: readRoots };

/** Flags for a new user. */
export const userFlags: readonly CommandFlag[] = [
  ...defaultsFlags,
  ...flagsOf({ mail, lockPassword }),
  rootsFlag,
];

/** Flags for a change of a user. */
export const userChangeFlags: readonly CommandFlag[] = [
  { name: "username", short: "u", value: "NAME" },
  { name: "password", short: "p", value: "PASSWORD" },
  ...userFlags,
];

/** Named roots as the flag takes them; "-" for none. */
export function rootsText(roots: readonly NamedRoot[]): string {
  return roots.map(({ name, path, readOnly }) => `${name}=${path}${readOnly ? ":ro" : ""}`)
    .join(",") || "-";
}

/** Reads named roots: `Photos=/media/photos:ro,Team=/team`; an empty text is none. */
function readRoots(text: string): unknown {
  return text.split(",").map((part) => part.trim()).filter(Boolean).map((part) => {
    const equals = part.indexOf("=");
    const place = part.slice(equals + 1);
    const readOnly = place.endsWith(":ro");
    const path = readOnly ? place.slice(0, -":ro".length) : place;
    return { name: part.slice(0, Math.max(equals, 0)), path, readOnly };
  });
}

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
