import type { Context } from "fresh";
import { isLimited, type UserQuota } from "../../../../shared/schemas/quota.ts";
import type { State } from "../../define.ts";
import type { User } from "../../../features/accounts/users/user.ts";
import { type List, numberPosition } from "./list.ts";

/** The users with a quota by number, and how much each has in use. */
export function quotaList(
  { state: { cubby: { quotas, users } } }: Pick<Context<State>, "state">,
): List<User, UserQuota> {
  return {
    async *parts(after) {
      for await (const some of users.actingParts(numberPosition(after))) {
        yield some.filter(({ quota }) => isLimited(quota));
      }
    },
    positionOf: ({ id }) => String(id),
    textOf: ({ username }) => username,
    show: (some) => quotas.usagesOf(some),
  };
}
