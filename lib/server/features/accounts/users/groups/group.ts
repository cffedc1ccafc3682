import * as v from "valibot";
import { DomainError } from "../../../../../shared/errors.ts";
import {
  type GroupFields,
  groupFieldsSchema,
  type GroupInfo,
} from "../../../../../shared/schemas/group.ts";
import { readName } from "../username.ts";
import { allPermissions } from "../../../../core/access/viewer.ts";

/** A group as the store holds it. */
export interface Group extends GroupFields {
  /** Counts up from 1 and is never reused: a member's record may still have that of a removed one. */
  id: number;
  /** When it was changed last, in milliseconds since 1970; later with each change. */
  changed: number;
}

const fieldNames = Object.keys(groupFieldsSchema.entries) as (keyof GroupFields)[];

/**
 * The fields as they are stored: the name in its one spelling, and with `admin` every permission.
 *
 * @param former the group's name as it is
 * @throws DomainError `invalid_name`
 */
export function normalizeGroup(fields: GroupFields, former?: string): GroupFields {
  const name = readName(fields.name, former);
  if (name === null || /[,;]/.test(name)) {
    const reason = "it needs 1 to 255 printable characters, no comma and no semicolon";
    throw new DomainError("invalid_name", `Cannot use this name of a group: ${reason}`);
  }
  return { ...fields, name, perm: fields.perm.admin ? allPermissions() : fields.perm };
}

/** A record as it was stored; fields that it is older than have their defaults. */
export function storedGroup(group: Group): Group {
  return { ...blankGroup(), ...group };
}

/** The defaults of all fields; the name is empty. */
export function blankGroup(): GroupFields {
  return v.getDefaults(groupFieldsSchema) as GroupFields;
}

/** The fields alone, whatever else the value has. */
export function groupFieldsOf(group: GroupFields): GroupFields {
  return Object.fromEntries(fieldNames.map((name) => [name, group[name]])) as GroupFields;
}

/** A group with its members, as administrators see it. */
export function toGroupInfo(group: Group, members: number[]): GroupInfo {
  return { id: group.id, ...groupFieldsOf(group), members };
}
