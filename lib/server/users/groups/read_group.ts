import { groupChangeSchema, type GroupFields } from "../../../shared/schemas/group.ts";
import { mergePatch, patchOf, read } from "../../../shared/schemas/read.ts";
import { blankGroup, groupFieldsOf } from "./group.ts";

const groupPatch = patchOf(groupChangeSchema);

/**
 * Reads a new group from a request; what it leaves out is nothing.
 *
 * @throws DomainError `invalid_body`; `invalid_rule`
 */
export function readGroupDraft(data: unknown): GroupFields & { members: number[] } {
  const blank = { ...blankGroup(), members: [] as number[] };
  return mergePatch(blank, read(groupPatch, data));
}

/**
 * Reads the change of a group from a request: the fields that it has.
 *
 * @throws DomainError `invalid_body`; `invalid_rule`
 */
export function readGroupChange(
  data: unknown,
  former: GroupFields,
): Partial<GroupFields> & { members?: number[] } {
  const { members, ...patch } = read(groupPatch, data);
  const fields = groupFieldsOf(mergePatch(groupFieldsOf(former), patch));
  const given = Object.entries(fields)
    .filter(([name]) => Reflect.get(patch, name) !== undefined);
  const change: Partial<GroupFields> = Object.fromEntries(given);
  return members ? { ...change, members } : change;
}
