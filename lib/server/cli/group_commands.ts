import { DomainError } from "../../shared/errors.ts";
import { groupFieldsSchema } from "../../shared/schemas/group.ts";
import type { Group } from "../users/groups/group.ts";
import type { Groups } from "../users/groups/groups.ts";
import { readGroupChange, readGroupDraft } from "../users/groups/read_group.ts";
import { type Call, type Command, wordAt } from "./command.ts";
import { dataOf, flagsOf } from "./flags.ts";
import { sizeText, tableLines } from "./texts.ts";
import { findUser, permissionsOf } from "./user_commands.ts";
import { rootsFlag, rootsText } from "./user_flags.ts";

const { perm, quota } = groupFieldsSchema.entries;

const groupFlags = [...flagsOf({ perm, quota }), rootsFlag];

const changeFlags = [{ name: "name", value: "NAME" }, ...groupFlags];

/** The commands that manage groups. */
export const groupCommands: Command[] = [
  {
    name: "groups add",
    words: "<name>",
    about: "add a group; rights that no flag names are not given",
    flags: groupFlags,
    async run(call) {
      const data = { ...dataOf(call.flags, groupFlags), name: wordAt(call, 0, "name") };
      const { members: _, ...draft } = readGroupDraft(data);
      const group = await call.records.users.groups.create(draft);
      await call.records.note("group_add", { subject: group.name });
      await printGroups(call, [group]);
    },
  },
  {
    name: "groups ls",
    words: "",
    about: "list all groups with their members",
    async run(call) {
      await printGroups(call, await call.records.users.groups.list());
    },
  },
  {
    name: "groups update",
    words: "<id|name>",
    about: "change a group and the rights of all its members",
    flags: changeFlags,
    async run(call) {
      const { groups } = call.records.users;
      const group = await findGroup(groups, wordAt(call, 0, "group"));
      const data = dataOf(call.flags, changeFlags);
      if (Object.keys(data).length === 0) {
        throw new DomainError("invalid_option", "Cannot change the group: no flags given");
      }
      const { change } = readGroupChange(data, group);
      const changed = await groups.update(group.id, change);
      await recordGroup(call, group, Object.keys(change));
      await printGroups(call, [changed]);
    },
  },
  {
    name: "groups join",
    words: "<id|name> <user>…",
    about: "add users to a group, by id or name",
    run: (call) => changeMembers(call, (members, ids) => [...new Set([...members, ...ids])]),
  },
  {
    name: "groups leave",
    words: "<id|name> <user>…",
    about: "remove users from a group, by id or name",
    run: (call) => changeMembers(call, (members, ids) => members.filter((id) => !ids.includes(id))),
  },
  {
    name: "groups rm",
    words: "<id|name>",
    about: "remove a group; its members stay",
    async run(call) {
      const { groups } = call.records.users;
      const group = await findGroup(groups, wordAt(call, 0, "group"));
      await groups.remove(group.id);
      await call.records.note("group_remove", { subject: group.name });
      call.print(`Removed the group "${group.name}"`);
    },
  },
];

/**
 * Finds a group by id or name. A name of digits is found if no group has that id.
 *
 * @throws DomainError `not_found`
 */
export async function findGroup(groups: Groups, word: string): Promise<Group> {
  const all = await groups.list();
  const found = all.find(({ id }) => String(id) === word) ??
    all.find(({ name }) => name === word.normalize("NFC").trim());
  if (found) return found;
  throw new DomainError("not_found", `Cannot find the group "${word}": no such group`);
}

/** Takes down which fields of a group were changed. */
export async function recordGroup(
  { records: { note } }: Pick<Call, "records">,
  { name }: Group,
  fields: readonly string[],
): Promise<void> {
  await note("group_change", { subject: `${name}: ${fields.join(", ")}` });
}

async function changeMembers(
  call: Call,
  change: (members: number[], ids: readonly number[]) => number[],
): Promise<void> {
  const { users } = call.records;
  const group = await findGroup(users.groups, wordAt(call, 0, "group"));
  wordAt(call, 1, "user");
  const ids: number[] = [];
  for (const word of call.words.slice(1)) ids.push((await findUser(users, word)).id);
  const members = (await users.list()).filter(({ groups }) => groups.includes(group.id));
  await users.groups.setMembers(group, change(members.map(({ id }) => id), ids));
  await recordGroup(call, group, ["members"]);
  await printGroups(call, [group]);
}

async function printGroups(call: Call, groups: readonly Group[]): Promise<void> {
  const users = await call.records.users.list();
  const head = ["id", "name", "admin", "may", "rules", "roots", "quota", "members"];
  const rows = groups.map((group) => [
    String(group.id),
    group.name,
    group.perm.admin ? "yes" : "no",
    permissionsOf(group),
    String(group.rules.length),
    rootsText(group.roots),
    quotaText(group),
    users.filter(({ groups }) => groups.includes(group.id)).map(({ username }) => username)
      .join(", ") || "-",
  ]);
  for (const line of tableLines(head, rows)) call.print(line);
}

function quotaText({ quota: { bytes, files } }: Group): string {
  const parts = [bytes > 0 ? sizeText(bytes) : "", files > 0 ? `${files} files` : ""];
  return parts.filter(Boolean).join(", ") || "-";
}
