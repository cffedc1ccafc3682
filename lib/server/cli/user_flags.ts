import { type CommandFlag, flagsOf } from "./flags.ts";
import { visiblePassword } from "./password_input.ts";
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
  { name: "password", short: "p", value: "PASSWORD", about: visiblePassword },
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
