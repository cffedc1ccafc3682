import { DomainError } from "../../shared/errors.ts";
import type { GroupInfo } from "../../shared/schemas/group.ts";
import type { Group } from "../features/accounts/users/groups/group.ts";
import type { Groups } from "../features/accounts/users/groups/groups.ts";
import {
  type ApiCommand,
  apiCommand,
  type Columns,
  type Item,
  jsonAnswerTo,
  printTable,
} from "./api_commands.ts";
import { type Call, type Command, wordAt } from "./command.ts";
import { sizeText } from "./texts.ts";
import { findUser, permissionsOf } from "./user_commands.ts";
import { rootsFlag, rootsText } from "./user_flags.ts";

/** A group with the names of its members. */
type NamedGroup = GroupInfo & { names: string[] };

const columns: Columns = {
  ...{ id: "id", name: "name" },
  admin: (item) => groupIn(item).perm.admin,
  may: (item) => permissionsOf(groupIn(item)),
  rules: (item) => groupIn(item).rules.length,
  roots: (item) => rootsText(groupIn(item).roots),
  quota: (item) => quotaText(groupIn(item)),
  members: (item) => groupIn(item).names.join(", "),
};

/** Rules and members have commands of their own. */
const flags = { rules: null, roots: rootsFlag, members: null, join: null, leave: null };

const table = { show: columns, complete: withNames, flags };

const declared: readonly ApiCommand[] = [
  {
    name: "groups add",
    store: "made",
    about: "add a group; rights that no flag names are not given",
    ...{ route: "groups/index", method: "POST", words: ["name"], ...table },
  },
  {
    name: "groups ls",
    about: "list all groups with their members",
    ...{ route: "groups/index", method: "GET", ...table },
  },
  {
    name: "groups update",
    about: "change a group, by id or name, and the rights of all its members",
    ...{ route: "groups/[id]", method: "PUT", words: ["group"], find: idOf, ...table },
  },
  {
    name: "groups rm",
    about: "remove a group, by id or name; its members stay",
    ...{ route: "groups/[id]", method: "DELETE", words: ["group"], find: idOf },
    show: (group) => `Removed the group "${group}"`,
  },
];

/** The commands that manage groups: calls of the API. */
export const groupCommands: Command[] = [
  ...declared.map(apiCommand),
  memberCommand("join", "add users to a group"),
  memberCommand("leave", "remove users from a group"),
];

function memberCommand(member: "join" | "leave", about: string): Command {
  return {
    name: `groups ${member}`,
    words: "<group> <user>…",
    about: `${about}, by id or name`,
    async run(call) {
      const { users } = call.records;
      const place = await idOf(call, wordAt(call, 0, "group"));
      wordAt(call, 1, "user");
      const ids: number[] = [];
      for (const word of call.words.slice(1)) ids.push((await findUser(users, word)).id);
      const request = {
        route: "groups/[id]",
        method: "PUT",
        place,
        body: { [member]: ids },
      } as const;
      const group = await jsonAnswerTo(call, request) as Item;
      printTable(call, columns, await withNames(call, [group]));
    },
  };
}

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

async function idOf({ records: { users } }: Call, word: string): Promise<string> {
  return String((await findGroup(users.groups, word)).id);
}

async function withNames({ records: { users } }: Call, items: readonly Item[]): Promise<Item[]> {
  const ids = items.flatMap((item) => groupIn(item).members);
  const names = new Map((await users.some(ids)).map(({ id, username }) => [id, username]));
  return items.map((item) => ({
    ...item,
    names: groupIn(item).members.flatMap((id) => names.get(id) ?? []),
  }));
}

/** What the API answers about a group has its schema. */
function groupIn(item: Item): NamedGroup {
  return item as unknown as NamedGroup;
}

function quotaText({ quota: { bytes, files } }: GroupInfo): string {
  const parts = [bytes > 0 ? sizeText(bytes) : "", files > 0 ? `${files} files` : ""];
  return parts.filter(Boolean).join(", ");
}
