import { type EntryPath, isInside, nameOf, parentOf } from "../../../../shared/path.ts";
import { Collection, idsIn, Index, movedWith, PlaceIndex } from "../../../core/kv/collection.ts";
import { commitChange } from "../../../core/kv/commit.ts";
import { getAll, inParts } from "../../../core/kv/parts.ts";
import { folderDigest } from "../../../core/kv/path_digests.ts";
import { randomId } from "../../../core/kv/random_id.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { AtomicStep } from "../../accounts/users/reserve_keys.ts";
import type { Share } from "./share.ts";

/** The entry that shares of one user lead to. */
export interface ShareTarget extends Pick<Share, "userId" | "path" | "place"> {
  /** When the last of its shares ends, in seconds since 1970, or later; 0 for never. */
  end: number;
}

/** The index of targets by path: empty values. */
const targetsByPlace = new PlaceIndex<ShareTarget>("share_places");

/**
 * The index of targets by user, folder and name: when the last of its shares ends. The key has a
 * digest of the folder's path.
 */
const shareMarks = new Index<ShareTarget>(
  "share_marks",
  ({ userId, place }, target) => {
    const [folder, name] = [folderDigest(parentOf(place)), nameOf(place)];
    return [[userId, folder, name, target]];
  },
  ({ end }) => end,
);

/**
 * What a user shares, by the id of the target, at most 18 KiB: two paths. All shares of one entry by
 * one user lead to it, so that a move of the entry changes one record, however many they are.
 */
export const shareTargets = new Collection<ShareTarget>("share_targets", [
  targetsByPlace,
  shareMarks,
]);

/** The index of shares by their target: empty values. */
export const sharesByTarget = new Index<{ target: string }>(
  "target_shares",
  ({ target }, hash) => [[target, hash]],
);

/** A target with its id; without a value where it is not stored yet. */
export interface OpenTarget {
  id: string;
  entry: Deno.KvEntryMaybe<ShareTarget>;
}

/** Targets of one commit: each takes a check and up to five changes, of which there are 1,000. */
const batch = 50;

/** The target for a share: the one that other shares of its user and path lead to, or a new one. */
export async function targetFor(
  store: Store,
  { userId, path, place }: Pick<Share, "userId" | "path" | "place">,
): Promise<OpenTarget> {
  const prefix = shareMarks.prefix(userId, folderDigest(parentOf(place)), nameOf(place));
  const targets = await openTargets(store, await store.list(prefix));
  const same = targets.find(({ entry: { value } }) =>
    value?.path === path && value.place === place
  );
  if (same) return same;
  const id = randomId(12);
  return { id, entry: await store.get<ShareTarget>(shareTargets.key(id)) };
}

/** The step by which a share comes to a target. */
export function joinTarget({ id, entry }: OpenTarget, share: Share): AtomicStep {
  const { userId, path, place, expire } = share;
  const end = entry.value ? laterEnd(entry.value.end, expire) : expire;
  return (operation) => shareTargets.put(operation.check(entry), id, { userId, path, place, end });
}

/** The step by which a share of a target gets another end. */
export function renewTarget({ id, entry }: OpenTarget, expire: number): AtomicStep {
  const { value } = entry;
  return (operation) => {
    const checked = operation.check(entry);
    if (!value) return checked;
    return shareTargets.put(checked, id, { ...value, end: laterEnd(value.end, expire) });
  };
}

/**
 * The step by which a share leaves a target, which ends with the last one. The target is written in
 * any case, so that of two commits at once only one is made.
 */
export async function leaveTarget(
  store: Store,
  id: string,
  entry: Deno.KvEntryMaybe<ShareTarget>,
  hash: string,
): Promise<AtomicStep> {
  const { value } = entry;
  const selector = { prefix: sharesByTarget.prefix(id) };
  const some = await store.read((kv) => Array.fromAsync(kv.list(selector, { limit: 2 })));
  const isLast = some.every(({ key }) => key.at(-1) === hash);
  return (operation) => {
    const left = operation.check(entry);
    if (!value) return left;
    return isLast ? shareTargets.drop(left, id, value) : left.set(entry.key, value);
  };
}

/** The ids of the targets at one place, those of all users. */
export async function targetsAt(store: Store, place: EntryPath): Promise<OpenTarget[]> {
  const keys = await store.read((kv) => Array.fromAsync(kv.list(targetsByPlace.at(place))));
  const found = await openTargets(store, keys);
  return found.filter(({ entry }) => entry.value?.place === place);
}

/** The targets at a place or below it, part by part. */
export async function* targetsBelow(store: Store, place: EntryPath): AsyncGenerator<OpenTarget[]> {
  const prefix = targetsByPlace.below(place);
  let start: Deno.KvKey | null = null;
  for (;;) {
    const selector: Deno.KvListSelector = start ? { prefix, start } : { prefix };
    const keys: Deno.KvEntry<unknown>[] = await store.read((kv) =>
      Array.fromAsync(kv.list(selector, { limit: batch + 1, batchSize: batch + 1 }))
    );
    const found = await openTargets(store, keys.slice(0, batch));
    const inside = found.filter(({ entry }) => entry.value && isInside(entry.value.place, place));
    if (inside.length > 0) yield inside;
    const next = keys[batch];
    if (!next) return;
    start = next.key;
  }
}

/**
 * Moves the targets at a place or below it, with all the shares that lead to them: a few records,
 * however many shares there are.
 */
export async function moveTargets(store: Store, from: EntryPath, to: EntryPath): Promise<void> {
  await changeBelow(
    store,
    from,
    (operation, id, entry) =>
      shareTargets.replace(operation, id, entry, movedWith(entry.value, from, to)),
  );
}

/**
 * Removes targets: the shares that lead to them are dead at once.
 *
 * @returns their ids
 */
export async function removeTargets(store: Store, place: EntryPath): Promise<string[]> {
  return await changeBelow(
    store,
    place,
    (operation, id, entry) => shareTargets.drop(operation.check(entry), id, entry.value),
  );
}

/** An entry that is shared, and when the last of its shares ends. */
export interface Mark {
  name: string;
  /** In seconds since 1970; 0 for never. */
  expire: number;
}

/** Prefix of the marks of the entries in a folder that a user shares. */
export function marksIn(folder: EntryPath, userId: number): Deno.KvKey {
  return shareMarks.prefix(userId, folderDigest(folder));
}

/** The entries in a folder that a user shares: one record for each is read. */
export async function markedNames(
  store: Store,
  folder: EntryPath,
  userId: number,
): Promise<Mark[]> {
  const marks: Mark[] = [];
  for await (const part of inParts<number>(store, marksIn(folder, userId))) {
    for (const { key, value: expire } of part) {
      const name = String(key.at(-2));
      if (name !== "") marks.push({ name, expire });
    }
  }
  return marks;
}

/** Changes all targets at a place or below it, those that come there meanwhile included. */
async function changeBelow(
  store: Store,
  place: EntryPath,
  change: (
    operation: Deno.AtomicOperation,
    id: string,
    entry: Deno.KvEntry<ShareTarget>,
  ) => Deno.AtomicOperation,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const found of targetsBelow(store, place)) {
    await commitChange(store, async () => {
      const keys = found.map(({ id }) => shareTargets.key(id));
      const entries = await getAll<ShareTarget>(store, keys);
      return {
        result: undefined,
        build: (operation) =>
          entries.reduce((all, entry, at) => {
            const isThere = entry.value !== null && isInside(entry.value.place, place);
            return isThere ? change(all, found[at]?.id ?? "", entry) : all;
          }, operation),
      };
    });
    ids.push(...found.map(({ id }) => id));
  }
  return ids;
}

async function openTargets(
  store: Store,
  keys: readonly Deno.KvEntry<unknown>[],
): Promise<OpenTarget[]> {
  const ids = idsIn(keys);
  const entries = await shareTargets.named(store, keys);
  return entries.map((entry, at) => ({ id: ids[at] ?? "", entry }));
}

/** The later one of two ends; 0 is never. */
function laterEnd(one: number, other: number): number {
  return one === 0 || other === 0 ? 0 : Math.max(one, other);
}
