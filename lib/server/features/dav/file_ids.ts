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
import type { Replacement } from "../../files/upload/commit_upload.ts";

/** Most ids that are kept. The oldest are dropped: those files get the ids of their inodes. */
const maxKept = 250_000;

/** Most ids of one record, of about 20 bytes each. */
const maxOfRecord = 500;

/** Replacements that are written together, at most. */
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
 * The ids of files that have taken the place of others, at most 10 KiB: a log, in which later
 * entries replace earlier ones. The key is a number that grows.
 */
export const fileIdRecords = new Collection<KeptIds, readonly [number]>("file_ids");

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
 *   a new file may get the id of one that is gone; its ETag is another, so that a client renames
 *   its copy and then fetches the content. A record of each file would not tell the two apart
 *   either. The mount point is part of the id for disks below the root, as two disks have equal
 *   inodes.
 * - Our own saves and uploads make new inodes. Then the two files swap their ids: the new one has
 *   that of the former, and the former, if it is kept as a version, that of the new one. So no two
 *   inodes ever have one id, also when the version comes back under another name. The store has
 *   these ids, and each thread has them in memory, about 70 bytes each.
 * - A file with several names (hard links), and what is reached through a link, has an id of its
 *   place: two entries of a listing must differ. Such an id changes with a rename.
 */
export class FileIds {
  readonly #options: FileIdsOptions;
  readonly #ids = new Map<number, number>();
  readonly #commits = new GroupCommit<"ids", Replacement>(
    (_, replacements) => this.#commit(replacements),
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
  async replaced(replacement: Replacement): Promise<void> {
    try {
      await this.#commits.add("ids", replacement);
    } catch (error) {
      // The file is in its place: its id alone is another.
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
    const isOneOfSeveral = isLinked || (info.isFile && (info.nlink ?? 1) > 1);
    const id = this.#ids.get(own) ?? own;
    return isOneOfSeveral && place !== undefined ? numberOf(id, ...wordsOf(place)) : id;
  }

  async #commit(replacements: readonly Replacement[]): Promise<void> {
    const { store } = this.#options;
    const rootDevice = this.#rootDevice();
    const { number, ids } = await commitChange(store, async () => {
      await this.#read();
      const changed = new Map<number, number>();
      const idOf = (inode: number) => changed.get(inode) ?? this.#ids.get(inode) ?? inode;
      for (const { place, former, isKept, now } of replacements) {
        const disk = this.#diskOf(now, place, rootDevice);
        const [old, own] = [inodeNumber(former, disk), inodeNumber(now, disk)];
        if (old === own) continue;
        const hasOthers = (former.nlink ?? 1) > 1;
        // A name among several had an id of its own, and the others keep theirs.
        const id = hasOthers ? numberOf(idOf(old), ...wordsOf(place)) : idOf(old);
        if (isKept && !hasOthers) changed.set(old, idOf(own));
        else if (!hasOthers && this.#ids.has(old)) changed.set(old, old);
        changed.set(own, id);
      }
      const ids: KeptId[] = [...changed];
      const number = this.#last + 1;
      const key = fileIdRecords.key(number);
      return {
        result: { number, ids },
        build: ids.length === 0
          ? null
          : (operation) => operation.check({ key, versionstamp: null }).set(key, { ids }),
      };
    });
    if (ids.length > 0) this.#take(number, { ids });
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
  #diskOf({ dev, isDirectory }: Facts, place: EntryPath | undefined, rootDevice: number): string {
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
export function inodeNumber({ ino, birthtime }: Facts, disk = ""): number {
  const born = Math.max(0, birthtime?.getTime() ?? 0);
  const words = disk === "" ? [] : wordsOf(disk);
  return numberOf(ino ?? 0, born, ...words);
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
