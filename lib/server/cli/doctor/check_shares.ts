import { type EntryPath, isInside } from "../../../shared/path.ts";
import { stateOfPlace } from "../../core/access/place_state.ts";
import { pendingChanges } from "../../files/entry_observers.ts";
import { type Collection, Index } from "../../core/kv/collection.ts";
import { getAll, hasAny, sameKey } from "../../core/kv/parts.ts";
import type { Store } from "../../core/kv/store.ts";
import { hasExpired, termsOf } from "../../features/links/shares/share.ts";
import {
  dropShare,
  readShare,
  shareNames,
  shareRecords,
  sharesByAudience,
  sharesByUser,
  type StoredShare,
} from "../../features/links/shares/share_records.ts";
import { sharesByTarget, shareTargets } from "../../features/links/shares/share_targets.ts";
import { findUser } from "./check_users.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** Checks that shares have an owner and an entry, and that their indexes name them and no others. */
export async function* checkShares(
  { store, gate }: CheckContext,
  tops: readonly EntryPath[],
): Findings {
  for (const listed of await shareRecords.entries(store)) {
    const target = await shareTargets.entry(store, listed.value.target);
    // The next sweep removes what has ended, and what led to an entry that was removed.
    if (hasExpired(listed.value, Date.now()) || target.value === null) continue;
    const { userId } = listed.value;
    const { place } = target.value;
    const owner = await findUser(store, userId);
    const drop = async () => (await store.atomic(await dropShare(store, listed))).ok;
    const name = `share of "${place}" by ${owner ? `"${owner.username}"` : "a user"}`;
    if (!owner) {
      yield { what: `${name} who is gone`, repair: drop };
      continue;
    }
    const state = stateOfPlace(gate.spec(), place, tops);
    if (state.kind === "unknown") {
      yield { what: `${name}: ${state.reason}`, repair: "not checked" };
    } else if (state.kind === "behind_link") {
      yield { what: `${name}: a folder on the way to it is a link now`, repair: "by hand" };
    } else if (state.kind === "gone" && await isSettled(store, listed, target)) {
      yield { what: `${name}: there is no such entry`, repair: drop };
      continue;
    }
    yield* checkIndexesOf(store, listed, name);
  }
  const uses = new Index<StoredShare>("share_uses", (_, hash) => [[hash]]);
  for (const index of [sharesByUser, sharesByAudience, sharesByTarget, uses]) {
    yield* checkIndex(store, shareRecords, index);
  }
  for (const index of shareTargets.indexes) yield* checkIndex(store, shareTargets, index);
  yield* checkTargets(store);
  yield* checkNames(store);
}

/** Checks that every target has a share. */
async function* checkTargets(store: Store): Findings {
  for (const { key } of await store.list(shareTargets.prefix())) {
    const id = String(key.at(-1));
    const target = await shareTargets.entry(store, id);
    const { value } = target;
    if (value === null || await hasAny(store, sharesByTarget.prefix(id))) continue;
    yield {
      what: `entry of shares "${value.place}": no share leads to it`,
      repair: commit(store, (operation) => shareTargets.drop(operation, target)),
    };
  }
}

/** Checks that every name leads to a share that has it. */
async function* checkNames(store: Store): Findings {
  for (const { key, value } of await store.list<string>(shareNames.prefix())) {
    const [index, share] = await store.getMany<[string, StoredShare]>([
      key,
      shareRecords.key(value),
    ]);
    const name = String(key.at(-1));
    if (index.value !== value || (share.value && termsOf(share.value).name === name)) continue;
    yield {
      what: `name of a share "${name}": no such share has it`,
      repair: commit(store, (operation) => operation.check(index, share).delete(key)),
    };
  }
}

/**
 * Whether no change is under way that this share, or request for files, is about to follow. A
 * change is noted first and its note is removed last, after the records were changed.
 *
 * @param entry the record
 * @param at the record that says where it leads, if that is another one
 */
export async function isSettled(
  store: Store,
  entry: Deno.KvEntry<unknown>,
  at: Deno.KvEntryMaybe<{ place: EntryPath }>,
): Promise<boolean> {
  const { value } = at;
  if (value === null) return false;
  const pending = await pendingChanges.list(store);
  if (pending.some((each) => isInside(value.place, each.from))) return false;
  const [now, there] = await store.getMany<unknown[]>([entry.key, at.key]);
  return now?.versionstamp === entry.versionstamp && there?.versionstamp === at.versionstamp;
}

async function* checkIndexesOf(
  store: Store,
  listed: Deno.KvEntry<StoredShare>,
  name: string,
): Findings {
  const read = await readShare(store, listed.value.hash);
  const [entry, target] = [read?.entry, read?.target];
  const share = entry?.value;
  if (!read || !share || !target?.value || entry.versionstamp !== listed.versionstamp) return;
  const { hash, target: id } = share;
  const keys = [
    ...shareRecords.indexKeys(share, hash),
    ...shareTargets.indexKeys(target.value, id),
  ];
  const found = await getAll(store, keys);
  if (found.every(({ versionstamp }) => versionstamp !== null)) return;
  const there = target.value;
  yield {
    what: `${name}: it is missing from an index`,
    repair: commit(store, (operation) => {
      shareRecords.put(operation.check(entry, target), [hash], share);
      return shareTargets.put(operation, [id], there);
    }),
  };
}

/** Checks that the keys of an index end with the ids of records that have them. */
export async function* checkIndex<T>(
  store: Store,
  collection: Collection<T>,
  index: Index<T>,
): Findings {
  const lost: Deno.KvEntryMaybe<unknown>[][] = [];
  for (const { key } of await store.list(index.prefix())) {
    const id = String(key.at(-1));
    const [entry, record] = await store.getMany<[null, T]>([key, collection.key(id)]);
    if (entry.versionstamp === null) continue;
    const keys = record.value === null ? [] : index.keys(record.value, id);
    if (!keys.some((each) => sameKey(each, key))) lost.push([entry, record]);
  }
  if (lost.length === 0) return;
  yield {
    what: `index "${index.name}": ${lost.length} of its records name no such share`,
    repair: async () => {
      let isDone = true;
      for (const [entry, record] of lost) {
        if (!entry || !record) continue;
        const { ok } = await store.atomic((operation) =>
          operation.check(entry, record).delete(entry.key)
        );
        isDone &&= ok;
      }
      return isDone;
    },
  };
}
