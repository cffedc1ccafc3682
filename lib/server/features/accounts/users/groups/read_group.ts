import { groupChangeSchema, type GroupFields } from "../../../../../shared/schemas/group.ts";
import { mergePatch, patchOf, read } from "../../../../../shared/schemas/read.ts";
import { blankGroup, groupFieldsOf } from "./group.ts";
import type { MemberChange } from "./groups.ts";

const groupPatch = patchOf(groupChangeSchema);

/**
 * Reads a new group from a request; what it leaves out is nothing.
 *
 * @throws DomainError `invalid_body`; `invalid_rule`
 */
export function readGroupDraft(data: unknown): GroupFields & { members: number[] } {
  const blank = { ...blankGroup(), members: [] as number[] };
  const { join: _, leave: __, ...draft } = read(groupPatch, data);
  return mergePatch(blank, draft);
}

/**
 * Reads the change of a group from a request: the fields that it has.
 *
 * @throws DomainError `invalid_body`; `invalid_rule`
 */
export function readGroupChange(
  data: unknown,
  former: GroupFields,
): { change: Partial<GroupFields>; members?: number[]; moved?: MemberChange } {
  const { members, join, leave, ...patch } = read(groupPatch, data);
  const fields = groupFieldsOf(mergePatch(groupFieldsOf(former), patch));
  const given = Object.entries(fields)
    .filter(([name]) => Reflect.get(patch, name) !== undefined);
  const change: Partial<GroupFields> = Object.fromEntries(given);
  if (members) return { change, members };
  return join || leave ? { change, moved: { join, leave } } : { change };
}
