import { createHash } from "node:crypto";
import { DomainError } from "../../../shared/errors.ts";
import { LruCache } from "../../../shared/lru_cache.ts";
import { type EntryPath, parentOf, ROOT } from "../../../shared/path.ts";
import type { Gate } from "../../core/access/gate.ts";
import { SERVER } from "../../core/access/viewer.ts";
import { GroupCommit } from "../../core/concurrency/group_commit.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { mounts } from "../../core/disk/mounts.ts";
import { isBelow, pathBelow, realPathBelow } from "../../core/disk/real_path.ts";
import { Collection } from "../../core/kv/collection.ts";
import { commitChange } from "../../core/kv/commit.ts";
import { inParts } from "../../core/kv/parts.ts";
import type { Store } from "../../core/kv/store.ts";
import type { DiskMove, InodeFollower } from "../../files/entry_observers.ts";
import type { Inode } from "../../files/transfer/moved_inodes.ts";
import type { Replacement } from "../../files/upload/commit_upload.ts";

/** Most ids that are kept. The oldest are dropped: those files get the ids of their inodes. */
const maxKept = 250_000;

/** Most ids of one record, of about 20 bytes each. */
const maxOfRecord = 500;

/** Changes that are written together, at most: {@linkcode maxOfRecord} ids or so each. */
const maxOfCommit = 50;

/** Records that are merged into one by one commit, at most. */
const maxMerged = 50;

/** For how long it is known where the disk of a folder begins, in milliseconds; for most folders. */
const diskMs = 5_000;
const maxDisks = 1_000;

/** An inode, by the number that {@linkcode inodeNumber} makes of it, with the id that its file has. */
type KeptId = readonly [inode: number, id: number];

/** Ids that are others than those of their inodes, in the order in which they came. */
interface KeptIds {
  ids: readonly KeptId[];
}

/**
 * The ids of files that have taken the place of others, or have come from other disks, at most
 * 10 KiB: a log, in which later entries replace earlier ones. The key is a number that grows.
 */
export const fileIdRecords = new Collection<KeptIds, readonly [number]>("file_ids");

/** An inode that takes the id of another. */
interface Succession {
  /** The numbers of both. */
  former: number;
  now: number;
  /** Of one name among several that the former has: that name alone has another inode then. */
  place?: EntryPath | undefined;
  /** Whether the former gets the id that the other one would have, as it may be seen again. */
  swaps: boolean;
}

/** Inodes whose ids change together: they follow others, or are spent. */
interface IdChange {
  successions: readonly Succession[];
  /** Numbers of inodes that are gone, and that a new file may get. */
  spent?: readonly number[];
}

/** An entry as it is asked for. */
export interface IdentifiedEntry {
  /** Of a link's target. */
  info: Facts;
  /** The entry's own place below the server root, without following the link that it may be. */
  place?: EntryPath;
  /** Whether it is a link, or was reached through one. */
  isLinked?: boolean;
}

/** The dependencies of {@linkcode FileIds}. */
export interface FileIdsOptions {
  store: Store;
  gate: Gate;
  /** Takes an error for the log. */
  report(error: unknown): void;
}

/**
 * Numbers of files and folders for clients that follow them through renames and moves: decimal,
 * below 2^53, so that each language has room for them.
 *
 * - An id is a digest of inode and birth time: equal in all threads, on all machines and after a
 *   restart, without a record. A reused inode has another birth time. On a disk without birth times
 *   the inode of what was deleted here, or replaced, is noted as spent. Those below a deleted
 *   folder, and what other programs delete, are not: there a new file may get the id of one that is
 *   gone. Its ETag is another, so that a client renames its copy and then fetches the content. The
 *   mount point is part of the id for disks below the root, as two disks have equal inodes.
 * - Our own saves and uploads make new inodes. Then the two files swap their ids: the new one has
 *   that of the former, and the former, if it is kept as a version, that of the new one. So no two
 *   inodes ever have one id, also when the version comes back under another name. The store has
 *   these ids, and each thread has them in memory, about 70 bytes each.
 * - A move to another disk makes new inodes as well, which swap their ids with the former ones in
 *   the same way: those may still be there when such a move ends early.
 * - A file with several names (hard links), and what is reached through a link, has an id of its
 *   place: two entries of a listing must differ. Such an id changes with a rename.
 */
export class FileIds implements InodeFollower {
  readonly #options: FileIdsOptions;
  readonly #ids = new Map<number, number>();
  readonly #commits = new GroupCommit<"ids", IdChange>(
    (_, changes) => this.#commit(changes),
    maxOfCommit,
  );
  /** What is read changes this very object. */
  readonly #readKey = [...fileIdRecords.prefix(), crypto.randomUUID()];
  /** The number of the last record that was read. */
  #last = 0;
  /** Where the disks of folders begin, by place and device. */
  readonly #disks = new LruCache<string, { point: string; at: number }>(maxDisks);

  constructor(options: FileIdsOptions) {
    this.#options = options;
  }

  /** The ids of some entries, in their order. */
  async idsOf(entries: readonly IdentifiedEntry[]): Promise<string[]> {
    await this.#follow();
    const rootDevice = this.#rootDevice();
    return entries.map((entry) => String(this.#idOf(entry, rootDevice)));
  }

  /** Has a file that has taken the place of another take its id, too. */
  async replaced({ place, former, isKept, now }: Replacement): Promise<void> {
    await this.#change((rootDevice) => {
      const disk = this.#diskOf(now, place, rootDevice);
      const hasOthers = isOneOfSeveral(former);
      return {
        successions: [{
          former: inodeNumber(former, disk),
          now: inodeNumber(now, disk),
          place: hasOthers ? place : undefined,
          swaps: !hasOthers && (isKept || former.birthtime === null),
        }],
      };
    });
  }

  /** Has entries that have moved to another disk take their ids along. */
  async moved({ from, to, inodes }: DiskMove): Promise<void> {
    await this.#change((rootDevice) => {
      const numberIn = (inode: Inode, folder: EntryPath) =>
        inodeNumber(inode, this.#diskOf({ dev: inode.dev, isDirectory: true }, folder, rootDevice));
      return {
        successions: inodes.flatMap(({ former, now }): Succession[] =>
          // A name among several has an id of its place, which changes with it.
          isOneOfSeveral(former) ? [] : [{
            former: numberIn(former, parentOf(from)),
            now: numberIn(now, to),
            swaps: true,
          }]
        ),
      };
    });
  }

  /** Notes that an entry is gone, where another one of the same inode could not be told from it. */
  async removed(place: EntryPath, info: Facts): Promise<void> {
    if (info.birthtime !== null || isOneOfSeveral(info)) return;
    await this.#change((rootDevice) => {
      const folder = { dev: info.dev, isDirectory: true };
      const disk = this.#diskOf(folder, parentOf(place), rootDevice);
      return { successions: [], spent: [inodeNumber(info, disk)] };
    });
  }

  async #change(read: (rootDevice: number) => IdChange): Promise<void> {
    try {
      await this.#commits.add("ids", read(this.#rootDevice()));
    } catch (error) {
      // The entries are in their places: their ids alone are others.
      this.#options.report(error);
    }
  }

  /** Merges the records, and drops ids that are no longer used. */
  async removeExpired(): Promise<void> {
    const { store } = this.#options;
    const entries: Deno.KvEntry<KeptIds>[] = [];
    for await (const part of inParts<KeptIds>(store, fileIdRecords.prefix())) {
      entries.push(...part);
    }
    const known = new Set<number>();
    const needed = entries.toReversed().map(({ value }) =>
      value.ids.toReversed().filter(([inode, id]) => {
        if (known.has(inode)) return false;
        known.add(inode);
        return inode !== id && known.size <= maxKept;
      }).reverse()
    ).reverse();
    // The oldest first: an entry that ends an id may go only after the one that it ends.
    for (let at = 0; at < entries.length;) {
      const ids = [...needed[at] ?? []];
      let end = at + 1;
      while (end < entries.length && end - at < maxMerged) {
        const next = needed[end] ?? [];
        if (ids.length + next.length > maxOfRecord) break;
        ids.push(...next);
        end++;
      }
      await this.#merge(entries.slice(at, end), ids);
      at = end;
    }
  }

  /** Puts ids into the last of some records, in place of all of them. */
  async #merge(entries: readonly Deno.KvEntry<KeptIds>[], ids: readonly KeptId[]): Promise<void> {
    const last = entries.at(-1);
    if (!last || (entries.length === 1 && ids.length === last.value.ids.length)) return;
    await this.#options.store.atomic((operation) => {
      for (const entry of entries) operation.check(entry);
      for (const { key } of entries.slice(0, -1)) operation.delete(key);
      return operation.set(last.key, { ids });
    });
  }

  #idOf({ info, place, isLinked = false }: IdentifiedEntry, rootDevice: number): number {
    const own = inodeNumber(info, this.#diskOf(info, place, rootDevice));
    const hasPlace = isLinked || isOneOfSeveral(info);
    const id = this.#ids.get(own) ?? own;
    return hasPlace && place !== undefined ? numberOf(id, ...wordsOf(place)) : id;
  }

  async #commit(changes: readonly IdChange[]): Promise<void> {
    const { store } = this.#options;
    const { first, records } = await commitChange(store, async () => {
      await this.#read();
      const changed = new Map<number, number>();
      const idOf = (inode: number) => changed.get(inode) ?? this.#ids.get(inode) ?? inode;
      for (const { successions, spent = [] } of changes) {
        for (const { former, now, place, swaps } of successions) {
          if (former === now) continue;
          // A name among several had an id of its own, and the others keep theirs.
          const id = place === undefined ? idOf(former) : numberOf(idOf(former), ...wordsOf(place));
          if (swaps) changed.set(former, idOf(now));
          else if (place === undefined && this.#ids.has(former)) changed.set(former, former);
          changed.set(now, id);
        }
        for (const inode of spent) changed.set(inode, randomId());
      }
      const ids: KeptId[] = [...changed];
      const records: KeptIds[] = [];
      while (ids.length > 0) records.push({ ids: ids.splice(0, maxOfRecord) });
      const first = this.#last + 1;
      return {
        result: { first, records },
        build: records.length === 0 ? null : (operation) =>
          records.reduce((all, record, at) => {
            const key = fileIdRecords.key(first + at);
            return all.check({ key, versionstamp: null }).set(key, record);
          }, operation),
      };
    });
    for (const [at, record] of records.entries()) this.#take(first + at, record);
  }

  /** Takes over what other threads have written; nothing is read while nothing was written. */
  async #follow(): Promise<void> {
    await this.#options.store.cachedRead(this.#readKey, async () => {
      await this.#read();
      return null;
    });
  }

  async #read(): Promise<void> {
    const after = { after: this.#last };
    for await (
      const part of inParts<KeptIds>(this.#options.store, fileIdRecords.prefix(), after)
    ) {
      for (const { key, value } of part) this.#take(Number(key.at(-1)), value);
    }
  }

  #take(number: number, { ids }: KeptIds): void {
    if (number <= this.#last) return;
    this.#last = number;
    for (const [inode, id] of ids) {
      this.#ids.delete(inode);
      if (inode !== id) this.#ids.set(inode, id);
    }
    for (const oldest of this.#ids.keys()) {
      if (this.#ids.size <= maxKept) return;
      this.#ids.delete(oldest);
    }
  }

  /**
   * The place of an entry's disk below the root; "" for the root's own, and an unknown one. One
   * disk may be mounted in parts at several places, as the volumes of a container are.
   */
  #diskOf(
    { dev, isDirectory }: Pick<Facts, "dev" | "isDirectory">,
    place: EntryPath | undefined,
    rootDevice: number,
  ): string {
    if (dev === rootDevice || place === undefined) return "";
    const folder = isDirectory ? place : parentOf(place);
    const [key, now] = [`${dev} ${folder}`, Date.now()];
    const known = this.#disks.get(key);
    if (known && now - known.at < diskMs) return known.point;
    const point = this.#pointOf(folder, dev);
    this.#disks.set(key, { point, at: now });
    return point;
  }

  /** Where the disk of a place begins: its mount point, or the top of a volume of btrfs. */
  #pointOf(place: EntryPath, dev: number): string {
    const { gate } = this.#options;
    const { root } = gate.spec();
    const point = mounts.pointOf(realPathBelow(place, root));
    const outermost = isBelow(point, root) ? pathBelow(realPathBelow(ROOT, point), root) : ROOT;
    const access = gate.enter(SERVER);
    let top = place;
    try {
      for (let at = place; at !== outermost && at !== ROOT;) {
        at = parentOf(at);
        if (access.stat(at).info.dev !== dev) break;
        top = at;
      }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
    return top;
  }

  #rootDevice(): number {
    try {
      return this.#options.gate.enter(SERVER).stat(ROOT).info.dev;
    } catch (error) {
      if (error instanceof DomainError) return NaN;
      throw error;
    }
  }
}

/**
 * The number of an inode: a digest of it and its birth time, below 2^53.
 *
 * @param disk tells disks apart
 */
export function inodeNumber(
  { ino, birthtime }: Pick<Facts, "ino" | "birthtime">,
  disk = "",
): number {
  const born = Math.max(0, birthtime?.getTime() ?? 0);
  const words = disk === "" ? [] : wordsOf(disk);
  return numberOf(ino ?? 0, born, ...words);
}

/** Whether a file has other names as well (hard links). */
function isOneOfSeveral({ isFile, nlink }: Pick<Facts, "isFile" | "nlink">): boolean {
  return isFile && (nlink ?? 1) > 1;
}

/** An id that no inode has, but by a chance of one in 2^53. */
function randomId(): number {
  return numberOf(...crypto.getRandomValues(new Uint32Array(3)));
}

/**
 * A digest of some whole numbers. A cryptographic one would take half of the time of a listing, and
 * no user chooses inodes.
 */
function numberOf(...numbers: readonly number[]): number {
  let [low, high] = [0x9e37_79b9, 0x85eb_ca6b];
  for (const number of numbers) {
    for (const word of [number >>> 0, Math.floor(number / 0x1_0000_0000) >>> 0]) {
      low = mixed(low ^ word);
      high = mixed(Math.imul(high ^ word, 0x27d4_eb2f) ^ low);
      low = mixed(low ^ high >>> 7);
    }
  }
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}

/** Spreads the bits of a word over all of it (the last step of MurmurHash3). */
function mixed(word: number): number {
  let bits = Math.imul(word ^ word >>> 16, 0x85eb_ca6b);
  bits = Math.imul(bits ^ bits >>> 13, 0xc2b2_ae35);
  return bits ^ bits >>> 16;
}

/** A digest of a text as numbers. */
function wordsOf(text: string): number[] {
  const digest = createHash("sha256").update(text).digest();
  return [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8)];
}
