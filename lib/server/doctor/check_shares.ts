import { type EntryPath, isInside } from "../../shared/path.ts";
import { stateOfPlace } from "../access/place_state.ts";
import type { PendingChange } from "../files/entry_observers.ts";
import { pendingChangesPrefix } from "../kv/keys/files.ts";
import {
  shareAudiencePrefix,
  shareKey,
  shareNameKey,
  shareNamesPrefix,
  sharePlaceKey,
  sharePlacesPrefix,
  sharesPrefix,
  shareUseKey,
  shareUsesPrefix,
  userShareKey,
  userSharesPrefix,
} from "../kv/keys/shares.ts";
import type { Store } from "../kv/store.ts";
import { hasExpired, type Share, termsOf } from "../shares/share.ts";
import { digestsOf } from "../kv/path_digests.ts";
import { audienceKeys, dropShare, putShare } from "../shares/share_index.ts";
import { findUser } from "./check_users.ts";
import { type CheckContext, commit, type Findings } from "./finding.ts";

/** Checks that shares have an owner and an entry, and that their indexes name them and no others. */
export async function* checkShares(
  { store, gate }: CheckContext,
  tops: readonly EntryPath[],
): Findings {
  for (const listed of await store.list<Share>(sharesPrefix())) {
    const share = listed.value;
    if (hasExpired(share, Date.now())) continue;
    const owner = await findUser(store, share.userId);
    const drop = commit(store, (operation) => dropShare(operation.check(listed), share));
    const name = `share of "${share.place}" by ${owner ? `"${owner.username}"` : "a user"}`;
    if (!owner) {
      yield { what: `${name} who is gone`, repair: drop };
      continue;
    }
    const state = stateOfPlace(gate.spec(), share.place, tops);
    if (state.kind === "unknown") {
      yield { what: `${name}: ${state.reason}`, repair: "not checked" };
    } else if (state.kind === "behind_link") {
      yield { what: `${name}: a folder on the way to it is a link now`, repair: "by hand" };
    } else if (state.kind === "gone" && await isSettled(store, listed)) {
      yield { what: `${name}: there is no such entry`, repair: drop };
      continue;
    }
    yield* checkIndexesOf(store, listed.key, name);
  }
  yield* checkIndex(store, userSharesPrefix(), ({ userId, hash }) => [userShareKey(userId, hash)]);
  yield* checkIndex(store, shareAudiencePrefix(), audienceKeys);
  yield* checkIndex(
    store,
    sharePlacesPrefix([]),
    ({ place, hash }) => [sharePlaceKey(digestsOf(place), hash)],
  );
  yield* checkIndex(store, shareUsesPrefix(), ({ hash }) => [shareUseKey(hash)]);
  yield* checkNames(store);
}

/** Checks that every name leads to a share that has it. */
async function* checkNames(store: Store): Findings {
  for (const { key, value } of await store.list<string>(shareNamesPrefix())) {
    const [index, share] = await store.getMany<[string, Share]>([key, shareKey(value)]);
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
 * change is noted first and its note is removed last, after the share was changed.
 */
export async function isSettled(
  store: Store,
  { key, value, versionstamp }: Deno.KvEntry<{ place: EntryPath }>,
): Promise<boolean> {
  const pending = await store.list<PendingChange>(pendingChangesPrefix());
  if (pending.some((each) => isInside(value.place, each.value.from))) return false;
  return (await store.get(key)).versionstamp === versionstamp;
}

async function* checkIndexesOf(store: Store, key: Deno.KvKey, name: string): Findings {
  const listed = await store.get<Share>(key);
  if (!listed.value) return;
  const { userId, hash, place } = listed.value;
  const { name: chosen } = termsOf(listed.value);
  const [entry, byUser, byPlace, byName] = await store.getMany<[Share, null, null, string]>([
    key,
    userShareKey(userId, hash),
    sharePlaceKey(digestsOf(place), hash),
    shareNameKey(chosen),
  ]);
  const isNamed = chosen === "" || byName.versionstamp !== null;
  const audience = await Promise.all(audienceKeys(listed.value).map((each) => store.get(each)));
  const isIndexed = byUser.versionstamp !== null && byPlace.versionstamp !== null && isNamed &&
    audience.every(({ versionstamp }) => versionstamp !== null);
  if (isIndexed || entry.versionstamp !== listed.versionstamp) return;
  const share = listed.value;
  yield {
    what: `${name}: it is missing from an index`,
    repair: commit(store, (operation) => putShare(operation.check(entry), share)),
  };
}

async function* checkIndex(
  store: Store,
  prefix: Deno.KvKey,
  keysOf: (share: Share) => Deno.KvKey[],
): Findings {
  const lost: Deno.KvEntryMaybe<unknown>[][] = [];
  for (const { key } of await store.list(prefix)) {
    const hash = String(key.at(-1));
    const [index, share] = await store.getMany<[null, Share]>([key, shareKey(hash)]);
    if (index.versionstamp === null) continue;
    const keys = share.value === null ? [] : keysOf(share.value);
    if (!keys.some((each) => isSameKey(each, key))) lost.push([index, share]);
  }
  if (lost.length === 0) return;
  yield {
    what: `index "${String(prefix[0])}": ${lost.length} of its records name no such share`,
    repair: async () => {
      let isDone = true;
      for (const [index, share] of lost) {
        if (!index || !share) continue;
        const { ok } = await store.atomic((operation) =>
          operation.check(index, share).delete(index.key)
        );
        isDone &&= ok;
      }
      return isDone;
    },
  };
}

function isSameKey(a: Deno.KvKey, b: Deno.KvKey): boolean {
  const text = (key: Deno.KvKey) =>
    key.map((part) => part instanceof Uint8Array ? part.toHex() : String(part)).join();
  return text(a) === text(b);
}
