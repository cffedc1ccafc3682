import { DomainError } from "../../shared/errors.ts";
import type { Group } from "../users/groups/group.ts";
import type { Users } from "../users/users.ts";
import type { AudienceNames } from "./read_draft.ts";
import { type Share, type ShareAudience, termsOf } from "./share.ts";

/**
 * The users and groups of these names; a group's has an `@` before it. Null for anybody.
 *
 * @throws DomainError `invalid_body` for a name that none has
 */
export async function audienceOf(
  names: Exclude<AudienceNames, undefined>,
  users: Users,
): Promise<ShareAudience | null> {
  if (names === null) return null;
  const groups = names.some((name) => name.startsWith("@")) ? await users.groups.list() : [];
  const audience: ShareAudience = { users: [], groups: [] };
  for (const name of new Set(names.map((name) => name.trim().normalize("NFC")))) {
    const group = groups.find((each) => `@${each.name}` === name);
    const user = group ? null : await users.byName(name);
    if (group) audience.groups.push(group.id);
    else if (user) audience.users.push(user.id);
    else {
      const reason = "there is no such user or group";
      throw new DomainError("invalid_body", `Cannot share with "${name}": ${reason}`);
    }
  }
  return audience;
}

/** Tells the names of the audiences of shares, of those who are there; nothing is read without one. */
export async function audienceNames(
  shares: readonly Share[],
  users: Users,
): Promise<(share: Share) => string[] | undefined> {
  if (!shares.some((share) => termsOf(share).audience)) return () => undefined;
  const people = new Map((await users.list()).map(({ id, username }) => [id, username]));
  const groups = new Map((await users.groups.list()).map(({ id, name }: Group) => [id, name]));
  return (share) => {
    const { audience } = termsOf(share);
    if (!audience) return undefined;
    return [
      ...audience.users.flatMap((id) => people.get(id) ?? []),
      ...audience.groups.flatMap((id) => groups.has(id) ? `@${groups.get(id)}` : []),
    ];
  };
}
