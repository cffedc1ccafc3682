import type { InviteInfo } from "../../../../shared/schemas/invite.ts";
import {
  type Invite,
  type Invites,
  toInviteInfo,
} from "../../../features/accounts/auth/invites/invites.ts";
import { type List, listOf } from "./list.ts";

/** The links that make users and set passwords, the newest first. */
export async function inviteList(invites: Invites): Promise<List<Invite, InviteInfo>> {
  return listOf(await invites.list(), {
    positionOf: ({ id }) => id,
    textOf: ({ username, by }) => `${username ?? ""} ${by}`,
    show: (some) => some.map(toInviteInfo),
  });
}
