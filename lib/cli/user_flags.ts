import type { Flag } from "./flags.ts";

const preferences: Flag[] = [
  { name: "scope", value: "PATH" },
  { name: "locale", value: "LANGUAGE" },
  { name: "viewMode", value: "MODE" },
  { name: "singleClick" },
  { name: "hideDotfiles" },
  { name: "dateFormat" },
  { name: "commands", value: "LIST" },
  { name: "sorting.by", value: "KEY" },
  { name: "sorting.asc" },
  { name: "perm.admin" },
  { name: "perm.create" },
  { name: "perm.delete" },
  { name: "perm.download" },
  { name: "perm.execute" },
  { name: "perm.modify" },
  { name: "perm.rename" },
  { name: "perm.share" },
];

/** What can be said of the users to come: the defaults of the settings. */
export const defaultsFlags: readonly Flag[] = preferences;

/** What can be said of a user. */
export const userFlags: readonly Flag[] = [...preferences, { name: "lockPassword" }];

const lists = new Set(["commands"]);
const texts = new Set(["scope", "locale", "viewMode", "sorting.by", "username", "password"]);

/**
 * The JSON that a client would send to say the same: `perm.admin` becomes a member of `perm`. What it
 * means is read where requests are read.
 */
export function dataOf(flags: ReadonlyMap<string, string>): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const [name, text] of flags) {
    const [member = "", inner] = name.split(".");
    const value = valueOf(name, text);
    if (inner === undefined) data[member] = value;
    else data[member] = { ...(data[member] ?? {}), [inner]: value };
  }
  return data;
}

function valueOf(name: string, text: string): unknown {
  if (lists.has(name)) return text.split(/[\s,]+/).filter(Boolean);
  return texts.has(name) ? text : text === "true";
}
