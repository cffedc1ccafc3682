import { type EntryPath, isInside } from "../../shared/path.ts";
import { stateOfPlace } from "../access/place_state.ts";
import type { PendingChange } from "../files/entry_observers.ts";
import { pendingChangesPrefix } from "../kv/keys/files.ts";
import {
  shareAudiencePrefix,
  shareKey,
  shareMarksPrefix,
  shareNameKey,
  shareNamesPrefix,
  sharePlaceKey,
  sharePlacesPrefix,
  sharesPrefix,
  shareTargetKey,
  shareTargetsPrefix,
  shareUseKey,
  shareUsesPrefix,
  targetShareKey,
  targetSharesPrefix,
  userShareKey,
  userSharesPrefix,
} from "../kv/keys/shares.ts";
import { getAll, hasAny, sameKey } from "../kv/parts.ts";
import type { Store } from "../kv/store.ts";
import { hasExpired, termsOf } from "../shares/share.ts";
import { digestsOf } from "../kv/path_digests.ts";
import {
  audienceKeys,
  dropShare,
  putShare,
  readShare,
  type StoredShare,
} from "../shares/share_records.ts";
import { dropTarget, markOf, putTarget, type ShareTarget } from "../shares/share_targets.ts";
import { findUser } from "./check_users.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** Checks that shares have an owner and an entry, and that their indexes name them and no others. */
export async function* checkShares(
  { store, gate }: CheckContext,
  tops: readonly EntryPath[],
): Findings {
  for (const listed of await store.list<StoredShare>(sharesPrefix())) {
    const target = await store.get<ShareTarget>(shareTargetKey(listed.value.target));
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
  const byShare = (prefix: Deno.KvKey, keysOf: (share: StoredShare) => Deno.KvKey[]) =>
    checkIndex(store, prefix, shareKey, keysOf);
  yield* byShare(userSharesPrefix(), ({ userId, hash }) => [userShareKey(userId, hash)]);
  yield* byShare(shareAudiencePrefix(), audienceKeys);
  yield* byShare(targetSharesPrefix(), ({ target, hash }) => [targetShareKey(target, hash)]);
  yield* byShare(shareUsesPrefix(), ({ hash }) => [shareUseKey(hash)]);
  const byTarget = (prefix: Deno.KvKey, keyOf: (id: string, target: ShareTarget) => Deno.KvKey) =>
    checkIndex<ShareTarget>(store, prefix, shareTargetKey, (target, id) => [keyOf(id, target)]);
  yield* byTarget(sharePlacesPrefix([]), (id, { place }) => sharePlaceKey(digestsOf(place), id));
  yield* byTarget(shareMarksPrefix(), markOf);
  yield* checkTargets(store);
  yield* checkNames(store);
}

/** Checks that every target has a share. */
async function* checkTargets(store: Store): Findings {
  for (const { key } of await store.list(shareTargetsPrefix())) {
    const id = String(key.at(-1));
    const target = await store.get<ShareTarget>(key);
    const { value } = target;
    if (value === null || await hasAny(store, targetSharesPrefix(id))) continue;
    yield {
      what: `entry of shares "${value.place}": no share leads to it`,
      repair: commit(store, (operation) => dropTarget(operation.check(target), id, value)),
    };
  }
}

/** Checks that every name leads to a share that has it. */
async function* checkNames(store: Store): Findings {
  for (const { key, value } of await store.list<string>(shareNamesPrefix())) {
    const [index, share] = await store.getMany<[string, StoredShare]>([key, shareKey(value)]);
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
  const pending = await store.list<PendingChange>(pendingChangesPrefix());
  if (pending.some((each) => isInside(value.place, each.value.from))) return false;
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
  const { userId, hash, target: id } = share;
  const { name: chosen } = termsOf(share);
  const keys = [
    ...[userShareKey(userId, hash), targetShareKey(id, hash), ...audienceKeys(share)],
    ...[sharePlaceKey(digestsOf(target.value.place), id), markOf(id, target.value)],
    ...chosen === "" ? [] : [shareNameKey(chosen)],
  ];
  const found = await getAll(store, keys);
  if (found.every(({ versionstamp }) => versionstamp !== null)) return;
  const there = target.value;
  yield {
    what: `${name}: it is missing from an index`,
    repair: commit(
      store,
      (operation) => putTarget(putShare(operation.check(entry, target), read.share, id), id, there),
    ),
  };
}

/**
 * Checks that the records of an index name records that have them.
 *
 * @param recordKey the key of the record of a name, which ends the keys of the index
 */
export async function* checkIndex<T>(
  store: Store,
  prefix: Deno.KvKey,
  recordKey: (name: string) => Deno.KvKey,
  keysOf: (record: T, name: string) => Deno.KvKey[],
): Findings {
  const lost: Deno.KvEntryMaybe<unknown>[][] = [];
  for (const { key } of await store.list(prefix)) {
    const name = String(key.at(-1));
    const [index, record] = await store.getMany<[null, T]>([key, recordKey(name)]);
    if (index.versionstamp === null) continue;
    const keys = record.value === null ? [] : keysOf(record.value, name);
    if (!keys.some((each) => sameKey(each, key))) lost.push([index, record]);
  }
  if (lost.length === 0) return;
  yield {
    what: `index "${String(prefix[0])}": ${lost.length} of its records name no such share`,
    repair: async () => {
      let isDone = true;
      for (const [index, record] of lost) {
        if (!index || !record) continue;
        const { ok } = await store.atomic((operation) =>
          operation.check(index, record).delete(index.key)
        );
        isDone &&= ok;
      }
      return isDone;
    },
  };
}
