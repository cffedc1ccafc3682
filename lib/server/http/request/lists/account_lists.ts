import type { Context } from "fresh";
import type { UserName } from "../../../../shared/settings_data.ts";
import type { SessionInfo } from "../../../../shared/schemas/session.ts";
import type { UserInfo } from "../../../../shared/schemas/user.ts";
import { foldText } from "../../../../shared/fold.ts";
import type { State } from "../../define.ts";
import { toUserInfo, type User } from "../../../features/accounts/users/user.ts";
import type { Users } from "../../../features/accounts/users/users.ts";
import { type List, listOf, numberPosition, type Words } from "./list.ts";
import { countOption } from "../query.ts";
import type { InviteInfo } from "../../../../shared/schemas/invite.ts";
import {
  type Invite,
  type Invites,
  toInviteInfo,
} from "../../../features/accounts/auth/invites/invites.ts";
import { type SessionRecord, toSessionInfo } from "../../../features/accounts/auth/session.ts";
import { isLimited, type UserQuota } from "../../../../shared/schemas/quota.ts";
import type { JobInfo } from "../../../../shared/schemas/job.ts";

/** Records that are read at once of users who are found by name: about a page. */
const fewUsers = 50;

/** The group whose members a query asks for; undefined for all users. */
export function groupOption({ url }: Pick<Context<State>, "url">): number | undefined {
  return countOption(url.searchParams, "group");
}

/**
 * The users by number; those that are found by words by name, which the index of names tells.
 *
 * @param group whose members alone
 */
export function userList(users: Users, group?: number): List<User, UserInfo> {
  return {
    parts(after, words) {
      if (words.length > 0) return named(users, after, words, group);
      const before = numberPosition(after);
      return group === undefined ? users.parts(before) : users.memberParts(group, before);
    },
    positionOf: ({ id, username }, words) => words.length === 0 ? String(id) : username,
    textOf: ({ username }) => username,
    show: (some) => some.map(toUserInfo),
    ...group === undefined && { total: () => users.count() },
  };
}

/** The same with their names alone, to choose from. */
export function userNames(users: Users, group?: number): List<User, UserName> {
  return {
    ...userList(users, group),
    show: (some) => some.map(({ id, username }) => ({ id, username })),
  };
}

async function* named(
  users: Users,
  after: string | undefined,
  words: Words,
  group: number | undefined,
): AsyncGenerator<User[], void> {
  for await (const part of users.namesInParts(after)) {
    const found = part.filter(({ name }) => {
      const text = foldText(name);
      return words.every((word) => text.includes(word));
    });
    for (let at = 0; at < found.length; at += fewUsers) {
      const some = await users.some(found.slice(at, at + fewUsers).map(({ id }) => id));
      yield some.filter(({ groups }) => group === undefined || groups.includes(group));
    }
  }
}

/** The links that make users and set passwords, the newest first. */
export async function inviteList(invites: Invites): Promise<List<Invite, InviteInfo>> {
  return listOf(await invites.list(), {
    positionOf: ({ id }) => id,
    textOf: ({ username, by }) => `${username ?? ""} ${by}`,
    show: (some) => some.map(toInviteInfo),
  });
}

/**
 * Sessions of a user, the newest first.
 *
 * @param sid of the request's own one
 */
export function sessionList(
  records: readonly SessionRecord[],
  sid: string,
): List<SessionRecord, SessionInfo> {
  return listOf(records, {
    positionOf: (record) => record.sid,
    textOf: ({ agent, address }) => `${agent} ${address}`,
    show: (some) => some.map((record) => toSessionInfo(record, sid)),
  });
}

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

/** Jobs of a user, the latest first: their number is bounded, so that all of them are read. */
export function jobList(jobs: readonly JobInfo[]): List<JobInfo, JobInfo> {
  return listOf(jobs, {
    positionOf: ({ id }) => id,
    textOf: ({ name, from, to }) => `${name} ${from} ${to ?? ""}`,
    show: (some) => [...some],
  });
}
