import { version } from "../../../shared/version.ts";
import { isoOf } from "../../../shared/time.ts";
import { toUserInfo, type User } from "../../features/accounts/users/user.ts";
import { groupFieldsOf } from "../../features/accounts/users/groups/group.ts";
import { audienceNames } from "../../features/links/shares/audience.ts";
import { toShareInfo } from "../../features/links/shares/share.ts";
import { toRequestInfo } from "../../features/links/requests/request.ts";
import { Requests } from "../../features/links/requests/requests.ts";
import type { Records } from "../command.ts";

/** Names of users and groups by their ids, which mean nothing elsewhere. */
type Names = ReadonlyMap<number, string>;

/** All users with their password hashes, as `users import` takes them. */
export async function exportedUsers({ users }: Records) {
  const groups = await groupNames(users);
  const all = await users.list();
  return { cubby: version, users: all.map((user) => ({ ...toUserInfo(user), ...own(user) })) };

  function own({ passwordHash: password, groups: ids }: User) {
    return { password, groups: ids.flatMap((id) => groups.get(id) ?? []) };
  }
}

/** The settings and stored options, as `config import` takes them. */
export async function exportedSettings({ settings, serverOptions }: Records) {
  return {
    cubby: version,
    settings: await settings.get(),
    server: await serverOptions.get(),
  };
}

/** All groups, each with the names of its members. */
export async function exportedGroups({ users }: Records) {
  const members = await users.list();
  const groups = (await users.groups.list()).map((group) => ({
    ...groupFieldsOf(group),
    members: members.filter((user) => user.groups.includes(group.id)).map(nameOfUser),
  }));
  return { cubby: version, groups };
}

/** All shares, with the paths below the server's root, and the hashes of their passwords. */
export async function exportedShares({ users, shares }: Records) {
  const names = await userNames(users);
  const exported: unknown[] = [];
  for await (const part of shares.parts()) {
    const uses = await shares.uses.all(part);
    const audiences = await audienceNames(part, users);
    for (const share of part) {
      const { userID, ...info } = toShareInfo(
        share,
        share.place,
        uses(share.hash),
        audiences(share),
      );
      exported.push({ ...info, ...linkOf(names, userID, share) });
    }
  }
  return { cubby: version, shares: exported };
}

/** All requests for files, likewise. */
export async function exportedRequests({ users, store, passwords }: Records) {
  const names = await userNames(users);
  const requests = new Requests(store, passwords);
  const exported: unknown[] = [];
  for await (const part of requests.parts()) {
    for (const request of part) {
      const use = await requests.uses.of(request.hash);
      const { userID, ...info } = toRequestInfo(request, request.place, use);
      exported.push({ ...info, ...linkOf(names, userID, request) });
    }
  }
  return { cubby: version, requests: exported };
}

/** The name of a user by the id; that of a deleted one is the id itself. */
export function ownerIn(names: Names, id: number): string {
  return names.get(id) ?? `user ${id}`;
}

/** The names of all users by their ids. */
export async function userNames(users: Records["users"]): Promise<Names> {
  return new Map((await users.names()).map(({ id, name }) => [id, name]));
}

async function groupNames({ groups }: Records["users"]): Promise<Names> {
  return new Map((await groups.list()).map(({ id, name }) => [id, name]));
}

/** What a link is besides what its owner sees. */
function linkOf(
  names: Names,
  userId: number,
  { expire, passwordHash }: { expire: number; passwordHash: string | null },
) {
  return {
    owner: ownerIn(names, userId),
    expires: expire === 0 ? null : isoOf(expire * 1000),
    passwordHash,
  };
}

function nameOfUser({ username }: User): string {
  return username;
}
