import type { Context } from "fresh";
import type { State } from "../define.ts";
import { DomainError, type ErrorCode } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import { groupChangeSchema, type GroupInfo } from "../../../shared/schemas/group.ts";
import type { GroupRow } from "../../../shared/settings_data.ts";
import { type List, numberPosition } from "./lists/list.ts";
import { type JsonBody, jsonBody, passwordProof } from "../openapi/json_body.ts";
import type { Parameter } from "../openapi/types.ts";
import { type Group, toGroupInfo } from "../../features/accounts/users/groups/group.ts";
import type { MemberChange } from "../../features/accounts/users/groups/groups.ts";
import type { Users } from "../../features/accounts/users/users.ts";

/** The envelope of a request about a user. */
export interface UserRequest {
  /** Names of the fields to change, not validated yet. */
  which: unknown;
  /** The user's fields, not validated yet. */
  data: Record<string, unknown>;
}

/**
 * Reads the envelope of a request about a user.
 *
 * @param id the user that the URL names; the data may repeat it, but not name another
 * @throws DomainError `invalid_body`
 */
export function readUserRequest(body: Record<string, unknown>, id?: number): UserRequest {
  const { what, which, data } = body;
  if (what !== "user") {
    throw new DomainError("invalid_body", 'Cannot read what: it must be "user"');
  }
  if (!isRecord(data)) {
    throw new DomainError("invalid_body", "Cannot read data: it must be an object");
  }
  const sentId = Object.hasOwn(data, "id") ? data.id : undefined;
  if (sentId !== undefined && sentId !== null && sentId !== (id ?? 0)) {
    throw new DomainError("invalid_body", "Cannot read data.id: the address names another user");
  }
  return { which, data };
}

/**
 * The user id in the URL.
 *
 * @throws DomainError `not_found` when it is not a valid id
 */
export function userIdOf(ctx: Context<State>): number {
  const id = ctx.params.id ?? "";
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw new DomainError("not_found", `Cannot find the user "${id}": an id is a number`);
}

/** A group, in the path. */
export const groupParameter: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The group's number.",
  schema: { type: "integer", minimum: 1 },
};

/** The body of a call that makes or changes a group: its members are a long list of numbers. */
export function groupBody(required: readonly string[]): JsonBody {
  const members = { ...groupChangeSchema.entries, current_password: passwordProof };
  return jsonBody(members, required, { required: true, limits: { values: 150_000 } });
}

/** Errors in what a group is to be. */
export const badGroup: readonly ErrorCode[] = [
  "invalid_name",
  "invalid_rule",
  "wrong_credentials",
  "throttled",
];

/**
 * The group id in the URL.
 *
 * @throws DomainError `not_found` when it is not a valid id
 */
export function groupIdOf(ctx: Context<State>): number {
  const id = ctx.params.id ?? "";
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw new DomainError("not_found", `Cannot find the group "${id}": an id is a number`);
}

/**
 * Makes users the members of a group, if the request names any or none, and has the quotas of all
 * members counted, which may be new ones.
 */
export async function saveMembers(
  ctx: Context<State>,
  group: Group,
  members: readonly number[] | undefined,
  moved?: MemberChange,
): Promise<void> {
  const { users, quotas } = ctx.state.cubby;
  if (members) await users.groups.setMembers(group, members);
  else if (moved) await users.groups.changeMembers(group, moved);
  for await (const part of users.actingMembers(group.id)) {
    for (const user of part) quotas.check(user);
  }
}

/** The groups in the order of their numbers. */
export function groupList({ groups }: Pick<Users, "groups">): List<Group, GroupInfo> {
  return {
    parts: (after) => groups.parts(numberPosition(after)),
    positionOf: ({ id }) => String(id),
    textOf: ({ name }) => name,
    show: async (some) =>
      await Promise.all(
        some.map(async (group) => toGroupInfo(group, await groups.members(group.id))),
      ),
  };
}

/** The same with the numbers of their members in place of these. */
export function groupRows({ groups }: Pick<Users, "groups">): List<Group, GroupRow> {
  return {
    ...groupList({ groups }),
    show: async (some) =>
      await Promise.all(some.map(async (group): Promise<GroupRow> => {
        const { members: _, ...info } = toGroupInfo(group, []);
        return { ...info, memberCount: await groups.countMembers(group.id) };
      })),
  };
}
