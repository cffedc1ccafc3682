import { permissionNames } from "../../../../../shared/schemas/choices/choices.ts";

/** The decision of a sign-in program: accept, refuse, or leave it to the password here. */
export type HookAction = "auth" | "block" | "pass";

/** The decision of a sign-in program, and what it says of the user, as a request would. */
export interface HookAnswer {
  action: HookAction;
  /** The fields that it names; their values are not validated yet. */
  fields: Record<string, unknown>;
  /** The names of the groups here that the user is in; absent when it says nothing of them. */
  groups?: readonly string[];
}

const actions: readonly HookAction[] = ["auth", "block", "pass"];

/**
 * Reads the output of a sign-in program, in File Browser's form: lines `hook.action=auth` and
 * `user.scope=/anna`. Lines of another form, and with other names, are notes. Null for an output
 * without a decision, or with two: a program that prints what a stranger has typed could be made to
 * print one more.
 */
export function readHookOutput(text: string): HookAnswer | null {
  const values = new Map<string, string>();
  const decisions = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    const [name = "", value] = line.split(/=(.*)/s).map((part) => part.trim());
    if (value === undefined) continue;
    if (name === "hook.action") decisions.add(value);
    else values.set(name, value);
  }
  const [only, ...more] = decisions;
  const action = actions.find((action) => action === only);
  if (action === undefined || more.length > 0) return null;
  const names = values.get("user.groups")?.split(",").map((name) => name.trim().normalize("NFC"));
  const fields = fieldsIn(values);
  return names ? { action, fields, groups: names.filter(Boolean) } : { action, fields };
}

/** Names that are texts here as there. */
const texts = ["scope", "locale", "viewMode"];

const switches = ["singleClick", "hideDotfiles"];

function fieldsIn(values: ReadonlyMap<string, string>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of texts) {
    const value = values.get(`user.${name}`);
    if (value !== undefined) fields[name] = value;
  }
  for (const name of switches) {
    const value = values.get(`user.${name}`);
    if (value !== undefined) fields[name] = switchOf(value);
  }
  const commands = values.get("user.commands");
  if (commands !== undefined) fields.commands = commands.split(/[\s,]+/).filter(Boolean);
  const sorting = partsOf(
    values,
    "user.sorting.",
    ["by", "asc"],
    (name, value) => name === "asc" ? switchOf(value) : value,
  );
  if (sorting) fields.sorting = sorting;
  const perm = partsOf(values, "user.perm.", permissionNames, (_, value) => switchOf(value));
  if (perm) fields.perm = perm;
  return fields;
}

function partsOf(
  values: ReadonlyMap<string, string>,
  before: string,
  names: readonly string[],
  read: (name: string, value: string) => unknown,
): Record<string, unknown> | null {
  const parts = names.flatMap((name): [string, unknown][] => {
    const value = values.get(before + name);
    return value === undefined ? [] : [[name, read(name, value)]];
  });
  return parts.length === 0 ? null : Object.fromEntries(parts);
}

/** Other words than these two stay as they are, to be refused. */
function switchOf(value: string): boolean | string {
  if (value === "true") return true;
  return value === "false" ? false : value;
}
