import type { Index } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";
import { type UserCounts, userCounts } from "../../features/accounts/users/user_counts.ts";
import { storedUser, type User } from "../../features/accounts/users/user.ts";
import {
  apiTokensByUser,
  removeApiTokens,
  removeSessions,
  sessionRecords,
  userHomes,
  userIdentities,
  userNames,
  userRecords,
} from "../../features/accounts/users/user_records.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** An index whose keys are claimed by users, one each. */
interface Claims {
  noun: string;
  index: Index<User, [id: number]>;
}

const claims: readonly Claims[] = [
  { noun: "name", index: userNames },
  { noun: "home", index: userHomes },
  { noun: "account", index: userIdentities },
];

/** Most attempts to read the users and their counts as of one moment. */
const maxAttempts = 20;

/** Checks the indexes of users, their counts, and the sessions of users who are gone. */
export async function* checkUsers({ store }: CheckContext): Findings {
  for (const each of claims) {
    yield* checkClaims(store, each);
    yield* checkClaimants(store, each);
  }
  yield* checkRoster(store);
  yield* checkSessions(store);
  yield* checkApiTokens(store);
}

/** The user of an id, or null. */
export async function findUser(store: Store, id: number): Promise<User | null> {
  return await userRecords.get(store, id);
}

async function* checkClaims(store: Store, { noun, index }: Claims): Findings {
  for (const { key, value: id } of await store.list<number>(index.prefix())) {
    const [claim, user] = await store.getMany<[number, User]>([key, userRecords.key(id)]);
    if (claim.value !== id || hasClaim(index, user.value, key)) continue;
    yield {
      what: `${noun} "${String(key.at(-1))}": kept for the user ${id}, who does not have it`,
      repair: commit(store, (operation) => operation.check(claim, user).delete(key)),
    };
  }
}

async function* checkClaimants(store: Store, { noun, index }: Claims): Findings {
  for (const { id, ...rest } of await userRecords.list(store)) {
    const [key] = index.keys({ id, ...rest }, id);
    if (!key) continue;
    const [user, claim] = await store.getMany<[User, number]>([userRecords.key(id), key]);
    if (!hasClaim(index, user.value, key) || claim.value === id) continue;
    const other = claim.value === null ? null : await findUser(store, claim.value);
    const what = `user ${id}: the ${noun} "${String(key.at(-1))}"`;
    if (hasClaim(index, other, key)) {
      yield { what: `${what} is that of the user ${claim.value}, too`, repair: "by hand" };
      continue;
    }
    yield {
      what: `${what} is not kept for this user`,
      repair: commit(store, (operation) => operation.check(user, claim).set(key, id)),
    };
  }
}

function hasClaim(index: Claims["index"], user: User | null, key: Deno.KvKey): boolean {
  return user !== null && index.keys(storedUser(user), user.id)[0]?.at(-1) === key.at(-1);
}

async function* checkRoster(store: Store): Findings {
  for (let tries = 0; tries < maxAttempts; tries++) {
    const counts = await userCounts.entry(store);
    const users = await userRecords.list(store);
    // Every change of these counts writes the record.
    const now = await userCounts.entry(store);
    if (now.versionstamp !== counts.versionstamp) continue;
    const admins = users.filter(({ perm }) => perm.admin).length;
    const afterLast = Math.max(0, ...users.map(({ id }) => id)) + 1;
    const next: UserCounts = {
      nextId: Math.max(counts.value?.nextId ?? 1, afterLast),
      users: users.length,
      admins,
    };
    const { value } = counts;
    const names = ["nextId", "users", "admins"] as const;
    if (value && names.every((name) => value[name] === next[name])) return;
    return yield {
      what: `counts of users: they say ${textOf(value)}, but there are ${textOf(next)}`,
      repair: commit(store, (operation) => userCounts.write(operation, counts, next)),
    };
  }
  yield { what: "counts of users: they change all the time", repair: "not checked" };
}

function textOf(counts: UserCounts | null): string {
  if (!counts) return "nothing";
  const { users, admins, nextId } = counts;
  return `${users} (administrators: ${admins}, next id: ${nextId})`;
}

async function* checkSessions(store: Store): Findings {
  const sessions = await sessionRecords.entries(store);
  for (const [id, theirs] of Map.groupBy(sessions, ({ key }) => Number(key[1]))) {
    if (await findUser(store, id)) continue;
    yield {
      what: `sessions of the user ${id}, who is gone: ${theirs.length}`,
      repair: async () => await removeSessions(store, id, () => true) > 0,
    };
  }
}

async function* checkApiTokens(store: Store): Findings {
  const index = await store.list(apiTokensByUser.prefix());
  for (const [id, theirs] of Map.groupBy(index, ({ key }) => Number(key[1]))) {
    if (await findUser(store, id)) continue;
    yield {
      what: `API tokens of the user ${id}, who is gone: ${theirs.length}`,
      repair: async () => await removeApiTokens(store, id) > 0,
    };
  }
}
