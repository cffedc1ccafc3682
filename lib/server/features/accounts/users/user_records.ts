import type { ApiToken } from "../auth/api_token.ts";
import type { SessionRecord } from "../auth/session.ts";
import { Collection, Index } from "../../../core/kv/collection.ts";
import { inParts } from "../../../core/kv/parts.ts";
import type { Store } from "../../../core/kv/store.ts";
import { type Identity, storedUser, type User } from "./user.ts";
import { dayMs } from "../../../../shared/time.ts";

/** The index of the names of users: contains the id only. */
export const userNames = new Index<Pick<User, "id" | "username">, [id: number]>(
  "user_names",
  ({ username }) => [[username]],
  ({ id }) => id,
);

/** The index of home folders made at signup, case folded: contains the id only. */
export const userHomes = new Index<Pick<User, "id" | "home">, [id: number]>(
  "user_homes",
  ({ home }) => home === "" ? [] : [[home]],
  ({ id }) => id,
);

/** The index of accounts elsewhere: contains the id only. */
export const userIdentities = new Index<Pick<User, "id" | "identity">, [id: number]>(
  "user_identities",
  ({ identity }) => identity ? [[identityPart(identity)]] : [],
  ({ id }) => id,
);

/** The index of the members of groups: empty values. Their groups stand in their records. */
export const groupMembers = new Index<Pick<User, "groups">, [id: number]>(
  "group_members",
  ({ groups }, id) => groups.map((group) => [group, id]),
);

/**
 * A user by id. A record is one value of less than 64 KiB (limited in `lib/server/core/kv/size.ts`); a user
 * name has at most 255 characters, so that a key with it stays below 2 KiB.
 */
export const userRecords = new Collection<User, [id: number]>("users", {
  indexes: [userNames, userHomes, userIdentities, groupMembers],
  owned: ["factors", "notifications", "notification_states", "notification_mails"],
  read: storedUser,
});

/** One session, about 500 bytes; below the user's id, so that a user's sessions can be listed. */
export const sessionRecords = new Collection<SessionRecord, [userId: number, sid: string]>(
  "sessions",
  { expires: ({ expires }, now) => expires <= now },
);

/** The index of API tokens by user: empty values. */
export const apiTokensByUser = new Index<ApiToken>(
  "user_api_tokens",
  ({ userId }, id) => [[userId, id]],
);

/** How long an API token that is over stays in the list, in milliseconds. */
const keptMs = 30 * dayMs;

/** An API token by the digest of its secret, at most 20 KiB: a name and a path. */
export const apiTokens = new Collection<ApiToken>("api_tokens", {
  indexes: [apiTokensByUser],
  expires: ({ expires }, now) => expires !== null && expires <= now - keptMs,
  max: 100,
});

/**
 * An account elsewhere as a part of a key: neither an issuer nor the word for a kind of account has a
 * space in it.
 */
export function identityPart({ issuer, subject }: Identity): string {
  return `${issuer} ${subject}`;
}

/** Records per atomic operation, which are up to two deletions each; the store takes up to 1000. */
const batch = 400;

/** Removes those of a user's sessions that `goes` selects; returns their number. */
export async function removeSessions(
  store: Store,
  userId: number,
  goes: (session: SessionRecord) => boolean,
): Promise<number> {
  const sessions = await sessionRecords.entries(store, userId);
  const going = sessions.filter(({ value }) => goes(value)).map(({ key }) => key);
  await removeKeys(store, going);
  return going.length;
}

/**
 * Removes the API tokens of a user who is gone. They are dead already, as a token counts only while
 * its user is there.
 *
 * @returns their number
 */
export async function removeApiTokens(store: Store, userId: number): Promise<number> {
  const keys = (await store.list(apiTokensByUser.prefix(userId))).map(({ key }) => key);
  await removeKeys(store, keys, (key) => [key, apiTokens.key(String(key.at(-1)))]);
  return keys.length;
}

async function removeKeys(
  store: Store,
  keys: readonly Deno.KvKey[],
  all: (key: Deno.KvKey) => Deno.KvKey[] = (key) => [key],
): Promise<void> {
  for (let start = 0; start < keys.length; start += batch) {
    const some = keys.slice(start, start + batch).flatMap(all);
    await store.atomic((operation) => some.reduce((former, key) => former.delete(key), operation));
  }
}

/** Members of one part: they are keys alone. */
const membersSize = 500;

/** The ids of the members of a group in their order, part by part. */
export async function* memberParts(
  store: Store,
  group: number,
  after?: number,
): AsyncGenerator<number[], void> {
  const options = { after, size: membersSize };
  for await (const part of inParts(store, groupMembers.prefix(group), options)) {
    yield part.map(({ key }) => Number(key.at(-1)));
  }
}

/** The ids of all members of a group, in their order. */
export async function membersOf(store: Store, group: number): Promise<number[]> {
  return (await Array.fromAsync(memberParts(store, group))).flat();
}

/** How many members a group has: keys alone are read, and not again until the store is written. */
export async function countMembers(store: Store, group: number): Promise<number> {
  return await store.cachedRead(groupMembers.prefix(group), async () => {
    let count = 0;
    for await (const part of memberParts(store, group)) count += part.length;
    return count;
  });
}
