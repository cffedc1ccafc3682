import { DomainError } from "../../../../shared/errors.ts";
import type { Recipient } from "../../../../shared/schemas/share.ts";
import type { Users } from "../../accounts/users/users.ts";
import type { AudienceDraft } from "./read_draft.ts";
import { audienceKeys, recipientKey, type Share, type ShareAudience, termsOf } from "./share.ts";

/**
 * The users and groups of these names; a group's has an `@` before it. Of a name that is given
 * twice the last right counts. Null for anybody.
 *
 * @throws DomainError `invalid_body` for a name that none has
 */
export async function audienceOf(
  draft: Exclude<AudienceDraft, undefined>,
  users: Users,
): Promise<ShareAudience | null> {
  if (draft === null) return null;
  const rights = new Map(draft.map((each) => {
    const { name, may } = typeof each === "string"
      ? { name: each, may: "download" as const }
      : each;
    return [name.trim().normalize("NFC"), may];
  }));
  const names = [...rights.keys()];
  const groups = names.some((name) => name.startsWith("@")) ? await users.groups.list() : [];
  const audience = { users: [] as number[], groups: [] as number[] };
  const given: NonNullable<ShareAudience["rights"]> = {};
  for (const [name, may] of rights) {
    const group = groups.find((each) => `@${each.name}` === name);
    const user = group ? null : await users.byName(name);
    const found = group ?? user;
    if (!found) {
      const reason = "there is no such user or group";
      throw new DomainError("invalid_body", `Cannot share with "${name}": ${reason}`);
    }
    (group ? audience.groups : audience.users).push(found.id);
    if (may !== "download") given[recipientKey(group ? "group" : "user", found.id)] = may;
  }
  return { ...audience, ...Object.keys(given).length > 0 && { rights: given } };
}

/** Somebody whom a share is for, with the key in the share. */
export interface KeyedRecipient extends Recipient {
  key: string;
}

/** Tells the audiences of shares, of those who are there; nothing is read without one. */
export async function audienceNames(
  shares: readonly Share[],
  users: Users,
): Promise<(share: Share) => Recipient[] | undefined> {
  const recipientsOf = await keyedAudiences(shares, users);
  return (share) => recipientsOf(share)?.map(({ name, may }) => ({ name, may }));
}

/** As {@linkcode audienceNames}, with the keys in the shares. */
export async function keyedAudiences(
  shares: readonly Share[],
  users: Users,
): Promise<(share: Share) => KeyedRecipient[] | undefined> {
  const audiences = shares.flatMap((share) => termsOf(share).audience ?? []);
  if (audiences.length === 0) return () => undefined;
  const named = await users.some(audiences.flatMap((audience) => audience.users));
  const groups = await users.groups.of([...new Set(audiences.flatMap((each) => each.groups))]);
  const names = new Map([
    ...named.map(({ id, username }) => [recipientKey("user", id), username] as const),
    ...groups.map(({ id, name }) => [recipientKey("group", id), `@${name}`] as const),
  ]);
  return (share) => {
    const { audience } = termsOf(share);
    return audience
      ? audienceKeys(audience).flatMap((key): KeyedRecipient[] => {
        const name = names.get(key);
        const may = audience.rights?.[key] ?? "download";
        return name === undefined ? [] : [{ key, name, may }];
      })
      : undefined;
  };
}
