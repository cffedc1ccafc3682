/** Fills a store with very many records, by the keys of the product itself. */
import type { Store } from "../../../lib/server/core/kv/store.ts";
import {
  shareRecords,
  storedShare,
} from "../../../lib/server/features/links/shares/share_records.ts";
import { shareTargets } from "../../../lib/server/features/links/shares/share_targets.ts";
import {
  makeTrashId,
  type TrashedEntry,
  trashRecords,
} from "../../../lib/server/files/trash/trash_records.ts";
import {
  blankGroup,
  type Group,
} from "../../../lib/server/features/accounts/users/groups/group.ts";
import { blankUser, type User } from "../../../lib/server/features/accounts/users/user.ts";
import type { UserCounts } from "../../../lib/server/features/accounts/users/user_counts.ts";
import { type EntryPath, parsePath, ROOT } from "../../../lib/shared/path.ts";
import {
  groupRecords,
  nextGroup,
} from "../../../lib/server/features/accounts/users/groups/groups.ts";
import { userRecords } from "../../../lib/server/features/accounts/users/user_records.ts";
import { userCounts } from "../../../lib/server/features/accounts/users/user_counts.ts";

/** How many records there are to be. */
export interface Amounts {
  users: number;
  /** Half of them lead to one file, the others to files in one folder, all of one user. */
  shares: number;
  trash: number;
}

/** Records of one commit. */
const batch = 100;

/** The file that half of the shares lead to, and the folder of the others. */
export const sharedFile = pathOf("/d/shared.txt");
export const sharedFolder = pathOf("/many");

/** Adds records of user 1, and users who are in the group 1. */
export async function plantMany(store: Store, { users, shares, trash }: Amounts): Promise<void> {
  await plantUsers(store, users);
  await plantShares(store, shares);
  await plantTrash(store, trash);
}

/** Adds users, "user 000002" and so on, who are in the group 1. */
export async function plantUsers(
  store: Store,
  count: number,
  passwordHash = "none",
): Promise<void> {
  const { value: counts } = await store.get<UserCounts>(userCounts.key());
  if (!counts) throw new Error("Cannot add users: the store is none");
  const { nextId } = counts;
  await inBatches(store, count, (operation, at) => {
    const id = nextId + at;
    const username = `user ${String(id).padStart(6, "0")}`;
    const user: User = {
      ...{ ...blankUser(), id, username, groups: [1], passwordHash, home: "" },
      ...{ version: 1, epoch: 1, scope: `/homes/${id}` },
    };
    userRecords.put(operation, [id], user);
  });
  const group: Group = { ...blankGroup(), id: 1, name: "Everyone", changed: 1 };
  await store.atomic((operation) => groupRecords.put(nextGroup.put(operation, [], 2), [1], group));
  const next = { ...counts, nextId: nextId + count, users: counts.users + count };
  await userCounts.set(store, [], next);
}

/**
 * Adds shares of a user, half of them to one file.
 *
 * @param name begins their hashes, each of which ends with its number of 15 digits
 */
export async function plantShares(
  store: Store,
  count: number,
  userId = 1,
  name = "planted",
): Promise<void> {
  await inBatches(store, count, (operation, at) => {
    const isSame = at % 2 === 0;
    const place = isSame ? sharedFile : pathOf(`${sharedFolder}/file-${at}.txt`);
    const target = `${name}-${isSame ? 0 : at}`;
    const hash = `${name}${String(at).padStart(15, "0")}`;
    const share = { hash, userId, path: place, place, expire: 0, passwordHash: null };
    shareRecords.put(operation, [hash], storedShare(share, target));
    shareTargets.put(operation, [target], { userId, path: place, place, end: 0 });
  });
}

async function plantTrash(store: Store, count: number): Promise<void> {
  const end = Date.now() - 60_000;
  await inBatches(store, count, (operation, index) => {
    const at = end - (count - index) * 10;
    const entry: TrashedEntry = {
      ...{ id: makeTrashId(at), userId: 1, path: pathOf(`/gone/file-${index}.txt`) },
      ...{ isDir: false, size: 1_000, at, top: ROOT, ino: index },
    };
    trashRecords.put(operation, [1, entry.id], entry);
  });
}

/** Adds something so many times, many in one commit. */
export async function inBatches(
  store: Store,
  count: number,
  add: (operation: Deno.AtomicOperation, at: number) => void,
): Promise<void> {
  for (let start = 0; start < count; start += batch) {
    await store.atomic((operation) => {
      for (let at = start; at < Math.min(start + batch, count); at++) add(operation, at);
      return operation;
    });
  }
}

function pathOf(text: string): EntryPath {
  return parsePath(text).path;
}
