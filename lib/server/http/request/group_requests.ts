import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { State } from "../../define.ts";
import type { Group } from "../../users/groups/group.ts";

/** Limits of the body of a group: its members are a long list of numbers. */
export const groupBody = { values: 150_000 };

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
): Promise<void> {
  const { users, quotas } = ctx.state.cubby;
  if (members) await users.groups.setMembers(group, members);
  for (const user of await users.listActing()) {
    if (user.groups.includes(group.id)) quotas.check(user);
  }
}
