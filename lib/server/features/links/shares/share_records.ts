import { Collection, Index } from "../../../core/kv/collection.ts";
import { type AtomicStep, commitChange, noChange } from "../../../core/kv/commit.ts";
import { numberOf } from "../../../core/kv/random_id.ts";
import type { Store } from "../../../core/kv/store.ts";
import { audienceKeys, linkKey, type Share, termsOf } from "./share.ts";
import {
  joinTarget,
  leaveTarget,
  renewTarget,
  sharesByTarget,
  type ShareTarget,
  shareTargets,
  targetFor,
} from "./share_targets.ts";

/** Shares that are removed in one commit: Deno KV takes up to 100 checks, of them and their targets. */
const maxDropped = 48;

/** Mutations of one commit: Deno KV takes up to 1,000. */
const maxWrites = 900;

/** Keys of a share and its target, besides those in the indexes of shares. */
const otherKeys = 5;

/** The record of a share: the entry that it leads to is a record of its own. */
export interface StoredShare extends Omit<Share, "path" | "place"> {
  /** The id of its target. */
  target: string;
}

/** The index of shares by user: empty values. */
export const sharesByUser = new Index<StoredShare>(
  "user_shares",
  ({ userId }, hash) => [[userId, hash]],
);

/** The index of shares by those they are for, a user or a group: empty values. */
export const sharesByAudience = new Index<StoredShare>("share_audience", (share, hash) => {
  const { users = [], groups = [] } = termsOf(share).audience ?? {};
  const audience = [
    ...users.map((id) => ["user", id] as const),
    ...groups.map((id) => ["group", id] as const),
  ];
  return audience.map(([kind, id]) => [kind, id, hash]);
});

/** The index of shares by the name that their owner has chosen: contains the hash only. */
export const shareNames = new Index<StoredShare>(
  "share_names",
  (share) => {
    const { name } = termsOf(share);
    return name === "" ? [] : [[name]];
  },
  (_, hash) => hash,
);

/**
 * The number by which sync clients name one of those whom a share is for. It follows from the
 * secret of the link, and is found again only among the shares of their owner.
 *
 * @param key one of {@linkcode memberKeys}
 */
export function shareNumber({ hash }: Pick<Share, "hash">, key: string): number {
  return numberOf(`${hash} ${key}`);
}

/** The index of shares by user and by the numbers of those they are for: empty values. */
export const sharesByNumber = new Index<StoredShare>("share_numbers", (share, hash) => {
  const { audience } = termsOf(share);
  const keys = [linkKey, ...audience ? audienceKeys(audience) : []];
  return keys.map((key) => [share.userId, shareNumber({ hash }, key), hash]);
});

/** A share by its hash, at most 19 KiB: the id of its target, a bcrypt hash and its terms. */
export const shareRecords = new Collection<StoredShare>("shares", {
  indexes: [sharesByUser, sharesByTarget, sharesByAudience, sharesByNumber, shareNames],
  owned: ["share_uses"],
});

/** A share with the records that it was read from. */
export interface ReadShare {
  share: Share;
  entry: Deno.KvEntry<StoredShare>;
  target: Deno.KvEntryMaybe<ShareTarget>;
}

/** A share by its hash; null for one that is not there, or whose target was removed. */
export async function readShare(
  store: Pick<Store, "get">,
  hash: string,
): Promise<ReadShare | null> {
  for (let entry = await shareRecords.entry(store, hash); entry.value !== null;) {
    const target = await shareTargets.entry(store, entry.value.target);
    if (target.value) return { share: joined(entry.value, target.value), entry, target };
    // It may have got another target meanwhile.
    const now = await shareRecords.entry(store, hash);
    if (now.versionstamp === entry.versionstamp) return null;
    entry = now;
  }
  return null;
}

/** The shares of these records, in their order, without those whose targets were removed. */
export async function joinShares(
  store: Pick<Store, "getMany">,
  records: readonly StoredShare[],
): Promise<Share[]> {
  const ids = [...new Set(records.map(({ target }) => target))];
  const found = await shareTargets.getAll(store, ids.map((id) => shareTargets.key(id)));
  const targets = new Map(ids.map((id, at) => [id, found[at]?.value ?? null]));
  return records.flatMap((record) => {
    const target = targets.get(record.target);
    return target ? [joined(record, target)] : [];
  });
}

/** The step that stores a new share with its index entries. */
export async function addShare(store: Store, share: Share): Promise<AtomicStep> {
  const target = await targetFor(store, share);
  const join = joinTarget(target, share);
  return (operation) =>
    shareRecords.put(join(operation), [share.hash], storedShare(share, target.id));
}

/** The step that replaces the record of a share; its use stays counted. */
export async function replaceShare(
  store: Store,
  { share: before, entry, target }: ReadShare,
  after: Share,
): Promise<AtomicStep> {
  const id = entry.value.target;
  const isMoved = before.path !== after.path || before.place !== after.place;
  const next = isMoved ? await targetFor(store, after) : { id, entry: target };
  const leave = isMoved ? await leaveTarget(store, id, target, after.hash) : noChange;
  const join = isMoved ? joinTarget(next, after) : renewTarget(next, after.expire);
  return (operation) =>
    shareRecords.replace(join(leave(operation)), entry, storedShare(after, next.id));
}

/**
 * The step that removes a share with its index entries and the record of its use.
 *
 * @param record as it was read
 */
export async function dropShare(
  store: Store,
  record: Deno.KvEntry<StoredShare>,
): Promise<AtomicStep> {
  const { hash, target: id } = record.value;
  const target = await shareTargets.entry(store, id);
  const leave = await leaveTarget(store, id, target, hash);
  return (operation) => shareRecords.drop(leave(operation), record);
}

/**
 * Removes shares of a deleted user, many in a commit, and the targets that they lead to: all shares
 * that lead to one are of one user.
 */
export async function dropShares(store: Store, hashes: readonly string[]): Promise<void> {
  for (let rest = hashes; rest.length > 0;) {
    const some = rest.slice(0, maxDropped);
    const done = await commitChange(store, async () => {
      const found = await shareRecords.getAll(store, some.map((hash) => shareRecords.key(hash)));
      const records = found.filter((entry) => entry.versionstamp !== null);
      let writes = 0;
      const fitting = records.filter(({ value }, at) =>
        (writes += otherKeys + shareRecords.indexKeys(value, value.hash).length) <= maxWrites ||
        at === 0
      );
      const ids = [...new Set(fitting.map(({ value }) => value.target))];
      const targets = await shareTargets.getAll(store, ids.map((id) => shareTargets.key(id)));
      const isAll = fitting.length === records.length;
      return {
        result: isAll ? some : fitting.map(({ value }) => value.hash),
        build: (operation) => {
          for (const target of targets) shareTargets.write(operation, target, null);
          for (const record of fitting) shareRecords.drop(operation, record);
          return operation;
        },
      };
    });
    const gone = new Set(done);
    rest = rest.filter((hash) => !gone.has(hash));
  }
}

function joined(record: StoredShare, { path, place }: ShareTarget): Share {
  return { ...record, path, place };
}

/** The record of a share. @param target the id of its target */
export function storedShare({ path: _, place: __, ...share }: Share, target: string): StoredShare {
  return { ...share, target };
}
