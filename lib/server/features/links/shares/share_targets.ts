import { type EntryPath, nameOf, parentOf } from "../../../../shared/path.ts";
import { Collection, idsIn, Index, movedWith, PlaceIndex } from "../../../core/kv/collection.ts";
import { inParts } from "../../../core/kv/parts.ts";
import { folderDigest } from "../../../core/kv/path_digests.ts";
import { randomId } from "../../../core/kv/random_id.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { AtomicStep } from "../../../core/kv/commit.ts";
import type { Share } from "./share.ts";

/** The entry that shares of one user lead to. */
export interface ShareTarget extends Pick<Share, "userId" | "path" | "place"> {
  /** When the last of its shares ends, in seconds since 1970, or later; 0 for never. */
  end: number;
}

/** The index of targets by path: empty values. */
const targetsByPlace = new PlaceIndex<ShareTarget>("share_places", ({ place }) => [place]);

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
export const shareTargets = new Collection<ShareTarget>("share_targets", {
  indexes: [targetsByPlace, shareMarks],
  // Each takes a check and up to five changes, of which a commit has 1,000.
  follows: { moved: movedWith, batch: 50 },
});

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
  return { id, entry: await shareTargets.entry(store, id) };
}

/** The step by which a share comes to a target. */
export function joinTarget({ id, entry }: OpenTarget, share: Share): AtomicStep {
  const { userId, path, place, expire } = share;
  const end = entry.value ? laterEnd(entry.value.end, expire) : expire;
  return (operation) =>
    shareTargets.put(operation.check(entry), [id], { userId, path, place, end });
}

/** The step by which a share of a target gets another end. */
export function renewTarget({ id, entry }: OpenTarget, expire: number): AtomicStep {
  const { value } = entry;
  return (operation) => {
    const checked = operation.check(entry);
    if (!value) return checked;
    return shareTargets.put(checked, [id], { ...value, end: laterEnd(value.end, expire) });
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
  const selector = { prefix: sharesByTarget.prefix(id) };
  const some = await store.read((kv) => Array.fromAsync(kv.list(selector, { limit: 2 })));
  const isLast = some.every(({ key }) => key.at(-1) === hash);
  return (operation) =>
    entry.versionstamp === null
      ? operation.check(entry)
      : shareTargets.write(operation, entry, isLast ? null : entry.value);
}

/** Targets that are read at once: each may have a path of tens of thousands of characters. */
const fewTargets = 50;

/**
 * The targets at one place in the order of their ids, part by part.
 *
 * @param of.userId whose, so that those of others are not read; of all users unless given
 * @param of.from the id with which they begin
 */
export async function* targetsAt(
  store: Store,
  place: EntryPath,
  { userId, from = "" }: { userId?: number; from?: string } = {},
): AsyncGenerator<OpenTarget[], void> {
  const prefix = userId === undefined
    ? targetsByPlace.below(place)
    : shareMarks.prefix(userId, folderDigest(parentOf(place)), nameOf(place));
  // In the index by place, ids are behind the digests of what is below it.
  for (let start: Deno.KvKey | undefined = [...prefix, from]; start;) {
    const selector: Deno.KvListSelector = { prefix, start };
    const limit = fewTargets + 1;
    const keys: Deno.KvEntry<unknown>[] = await store.read((kv) =>
      Array.fromAsync(kv.list(selector, { limit }))
    );
    const found = await openTargets(store, keys.slice(0, fewTargets));
    yield found.filter(({ entry }) => entry.value?.place === place);
    start = keys[fewTargets]?.key;
  }
}

/** An entry that is shared, and when the last of its shares ends. */
export interface Mark {
  name: string;
  /** In seconds since 1970; 0 for never. */
  expire: number;
}

/** Prefix of the marks of the entries in a folder that a user shares. */
function marksIn(folder: EntryPath, userId: number): Deno.KvKey {
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

async function openTargets(
  store: Store,
  keys: readonly Deno.KvEntry<unknown>[],
): Promise<OpenTarget[]> {
  const ids = idsIn(keys);
  const entries = await shareTargets.namedEntries(store, keys);
  return entries.map((entry, at) => ({ id: ids[at] ?? "", entry }));
}

/** The later one of two ends; 0 is never. */
function laterEnd(one: number, other: number): number {
  return one === 0 || other === 0 ? 0 : Math.max(one, other);
}
