import { randomId } from "../kv/random_id.ts";
import {
  type EntryPath,
  isInside,
  joinPaths,
  nameOf,
  parentOf,
  relativePath,
} from "../../shared/path.ts";
import { commitChange } from "../kv/commit.ts";
import {
  shareMarkKey,
  shareMarksPrefix,
  sharePlaceKey,
  sharePlacesPrefix,
  shareTargetKey,
  targetShareKey,
  targetSharesPrefix,
} from "../kv/keys/shares.ts";
import { getAll, inParts } from "../kv/parts.ts";
import { digestsOf, folderDigest } from "../kv/path_digests.ts";
import type { Store } from "../kv/store.ts";
import type { AtomicStep } from "../users/reserve_keys.ts";
import type { Share } from "./share.ts";

/** The entry that shares of one user lead to. */
export interface ShareTarget extends Pick<Share, "userId" | "path" | "place"> {
  /** When the last of its shares ends, in seconds since 1970, or later; 0 for never. */
  end: number;
}

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
  const prefix = shareMarksPrefix(userId, folderDigest(parentOf(place)), nameOf(place));
  const ids = (await store.list(prefix)).map(({ key }) => String(key.at(-1)));
  const entries = await getAll<ShareTarget>(store, ids.map(shareTargetKey));
  const at = entries.findIndex(({ value }) => value?.path === path && value.place === place);
  const [id, entry] = [ids[at], entries[at]];
  if (id !== undefined && entry) return { id, entry };
  const fresh = randomId(12);
  return { id: fresh, entry: await store.get<ShareTarget>(shareTargetKey(fresh)) };
}

/** The step by which a share comes to a target. */
export function joinTarget({ id, entry }: OpenTarget, share: Share): AtomicStep {
  const { userId, path, place, expire } = share;
  const end = entry.value ? laterEnd(entry.value.end, expire) : expire;
  return (operation) => putTarget(operation.check(entry), id, { userId, path, place, end });
}

/** The step by which a share of a target gets another end. */
export function renewTarget({ id, entry }: OpenTarget, expire: number): AtomicStep {
  const { value } = entry;
  return (operation) => {
    const checked = operation.check(entry);
    return value ? putTarget(checked, id, { ...value, end: laterEnd(value.end, expire) }) : checked;
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
  const selector = { prefix: targetSharesPrefix(id) };
  const some = await store.read((kv) => Array.fromAsync(kv.list(selector, { limit: 2 })));
  const isLast = some.every(({ key }) => key.at(-1) === hash);
  return (operation) => {
    const left = operation.check(entry).delete(targetShareKey(id, hash));
    if (!value) return left;
    return isLast ? dropTarget(left, id, value) : left.set(entry.key, value);
  };
}

/** The ids of the targets at one place, those of all users. */
export async function targetsAt(store: Store, place: EntryPath): Promise<OpenTarget[]> {
  const prefix = sharePlacesPrefix(digestsOf(place));
  // Ids are behind the digests of what is below the place.
  const selector = { prefix, start: [...prefix, ""] };
  const keys = await store.read((kv) => Array.fromAsync(kv.list(selector)));
  const found = await openTargets(store, keys);
  return found.filter(({ entry }) => entry.value?.place === place);
}

/** The targets at a place or below it, part by part. */
export async function* targetsBelow(store: Store, place: EntryPath): AsyncGenerator<OpenTarget[]> {
  const prefix = sharePlacesPrefix(digestsOf(place));
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
  await changeBelow(store, from, (operation, id, target) => {
    const place = joinPaths(to, relativePath(target.place, from));
    // A path through a link leads through it still, or nowhere.
    const path = target.path === target.place ? place : target.path;
    return putTarget(dropTarget(operation, id, target), id, { ...target, place, path });
  });
}

/**
 * Removes targets: the shares that lead to them are dead at once.
 *
 * @returns their ids
 */
export async function removeTargets(store: Store, place: EntryPath): Promise<string[]> {
  return await changeBelow(store, place, dropTarget);
}

/** An entry that is shared, and when the last of its shares ends. */
export interface Mark {
  name: string;
  /** In seconds since 1970; 0 for never. */
  expire: number;
}

/** The entries in a folder that a user shares: one record for each is read. */
export async function markedNames(
  store: Store,
  folder: EntryPath,
  userId: number,
): Promise<Mark[]> {
  const marks: Mark[] = [];
  for await (const part of inParts<number>(store, shareMarksPrefix(userId, folderDigest(folder)))) {
    for (const { key, value: expire } of part) {
      const name = String(key.at(-2));
      if (name !== "") marks.push({ name, expire });
    }
  }
  return marks;
}

/** Stores a target with its index entries. */
export function putTarget(
  operation: Deno.AtomicOperation,
  id: string,
  target: ShareTarget,
): Deno.AtomicOperation {
  return operation
    .set(shareTargetKey(id), target)
    .set(sharePlaceKey(digestsOf(target.place), id), null)
    .set(markOf(id, target), target.end);
}

/** Removes a target with its index entries. */
export function dropTarget(
  operation: Deno.AtomicOperation,
  id: string,
  target: ShareTarget,
): Deno.AtomicOperation {
  return operation
    .delete(shareTargetKey(id))
    .delete(sharePlaceKey(digestsOf(target.place), id))
    .delete(markOf(id, target));
}

/** The key of the mark of a target. */
export function markOf(id: string, { userId, place }: ShareTarget): Deno.KvKey {
  return shareMarkKey(userId, folderDigest(parentOf(place)), nameOf(place), id);
}

/** Changes all targets at a place or below it, those that come there meanwhile included. */
async function changeBelow(
  store: Store,
  place: EntryPath,
  change: (
    operation: Deno.AtomicOperation,
    id: string,
    target: ShareTarget,
  ) => Deno.AtomicOperation,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const found of targetsBelow(store, place)) {
    await commitChange(store, async () => {
      const keys = found.map(({ id }) => shareTargetKey(id));
      const entries = await getAll<ShareTarget>(store, keys);
      return {
        result: undefined,
        build: (operation) =>
          entries.reduce((all, entry, at) => {
            const { value } = entry;
            const isThere = value !== null && isInside(value.place, place);
            return isThere ? change(all.check(entry), found[at]?.id ?? "", value) : all;
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
  const ids = keys.map(({ key }) => String(key.at(-1)));
  const entries = await getAll<ShareTarget>(store, ids.map(shareTargetKey));
  return entries.map((entry, at) => ({ id: ids[at] ?? "", entry }));
}

/** The later one of two ends; 0 is never. */
function laterEnd(one: number, other: number): number {
  return one === 0 || other === 0 ? 0 : Math.max(one, other);
}
