import { type PermissionName, permissionNames } from "../../../shared/schemas/choices/choices.ts";
import type { GivenValue } from "./option.ts";
import { refusedError } from "./values.ts";

/** The permissions here of the members of a group of accounts elsewhere. */
export interface GroupRights {
  /** The group's name; "*" for everybody. */
  group: string;
  /** Permissions, or those that new users start with. */
  may: readonly PermissionName[] | "default";
  /** The names of groups here that they are put in; absent for none. */
  joins?: readonly string[];
}

/**
 * Reads what the members of groups may do: `GROUP=PERMISSION,…;GROUP=…`, where `*` is everybody and
 * `default` what new users start with; `@NAME` puts them in a group of Cubby. A group's name may
 * have an equals sign itself, as those of LDAP do. Undefined for an empty text.
 *
 * @throws StartRefusal for a group without a name, twice the same, or an unknown permission
 */
export function readGroups(value: GivenValue): readonly GroupRights[] | undefined {
  const entries = value.text.split(";").map((entry) => entry.trim()).filter(Boolean);
  if (entries.length === 0) return undefined;
  const groups = entries.map((entry): GroupRights => {
    const end = entry.lastIndexOf("=");
    const group = entry.slice(0, Math.max(end, 0)).trim();
    if (group === "") throw refusedError(value, `"${entry}" is not of the form GROUP=PERMISSION,…`);
    const words = entry.slice(end + 1).split(",").map((word) => word.trim()).filter(Boolean);
    const [joining = [], others = []] = [true, false].map((isGroup) =>
      words.filter((word) => /^@./.test(word) === isGroup)
    );
    const joins = joining.map((word) => word.slice(1).trim().normalize("NFC"));
    const rest = joins.length > 0 ? { joins } : {};
    if (others.join() === "default") return { group, may: "default", ...rest };
    return { group, may: others.map((word) => readPermission(value, word)), ...rest };
  });
  if (new Set(groups.map(({ group }) => group)).size === groups.length) return groups;
  throw refusedError(value, "it names a group twice");
}

function readPermission(value: GivenValue, word: string): PermissionName {
  const name = permissionNames.find((name) => name === word);
  if (name !== undefined) return name;
  throw refusedError(
    value,
    `"${word}" is not a permission; expected ${permissionNames.join(", ")}`,
  );
}
