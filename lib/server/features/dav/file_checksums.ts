import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parentOf } from "../../../shared/path.ts";
import { dayMs } from "../../../shared/time.ts";
import type { Access } from "../../core/access/access.ts";
import type { Gate } from "../../core/access/gate.ts";
import { SERVER } from "../../core/access/viewer.ts";
import { GroupCommit } from "../../core/concurrency/group_commit.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { Collection } from "../../core/kv/collection.ts";
import { inParts } from "../../core/kv/parts.ts";
import type { Store } from "../../core/kv/store.ts";
import { inodeNumber } from "./file_ids.ts";

/** Checksums that are written together, at most. */
const maxOfCommit = 50;

/** Of more files than this in one folder all records of the folder are read. */
const fewFiles = 40;

/** Most paths of one change whose checksums follow it. */
const maxFollowed = 16;

/** Checksums that were not asked for during so many days are removed. */
const maxAgeDays = 180;

/** Days after which it is noted again that they were asked for. */
const noteEveryDays = 30;

/** Checksums of a file's content by their algorithms, in lower-case hexadecimal digits. */
export type Checksums = Partial<Record<ChecksumAlgorithm, string>>;

/** The algorithms of the clients, from the one that they prefer. */
export const checksumAlgorithms = ["SHA1", "SHA256", "MD5"] as const;

/** One of {@linkcode checksumAlgorithms}. */
export type ChecksumAlgorithm = typeof checksumAlgorithms[number];

/** A file whose checksums are asked for. */
export interface SummedFile {
  /** Its own place below the server root. */
  place: EntryPath;
  info: Facts;
}

/** The checksums of a file, and the state in which it had them. */
interface StoredChecksums {
  sums: Checksums;
  size: number;
  /** Times in milliseconds since 1970. */
  modified: number;
  changed: number;
  /** The day on which they were asked for last, in days since 1970. */
  day: number;
}

/** By the numbers of two inodes: that of the folder and that of the file. */
type Id = readonly [folder: number, file: number];

/** Checksums of files, about 150 bytes each, by the numbers of the inodes of folder and file. */
export const checksumRecords = new Collection<StoredChecksums, Id>("file_checksums", {
  expires: ({ day }, now) => day < now / dayMs - maxAgeDays,
});

/** The dependencies of {@linkcode FileChecksums}. */
export interface FileChecksumsOptions {
  store: Store;
  gate: Gate;
  /** Takes an error for the log. */
  report(error: unknown): void;
}

/**
 * Checksums that clients have sent and the server has verified. They hold while
 * a file has the same inode, birth time, size and times; the time of its last change (`ctime`) can
 * be set by no program.
 *
 * - The records are kept by inodes, that of the folder first: those of a folder are read together,
 *   a folder that moves takes them along at no cost, and a file in the trash has them again once it
 *   is restored.
 * - A file that the server itself renames or moves takes them along, as far as there are few paths
 *   in a change. Another program's rename ends them, as it changes `ctime`.
 * - They end half a year after they were last asked for.
 */
export class FileChecksums {
  readonly #options: FileChecksumsOptions;
  readonly #writes = new GroupCommit<"sums", Written>(
    (_, written) => this.#write(written),
    maxOfCommit,
  );
  readonly #folders = new WeakMap<object, Map<number, StoredChecksums>>();
  #expiredOn = 0;

  constructor(options: FileChecksumsOptions) {
    this.#options = options;
  }

  /** The checksums of some files, in their order; null for a file of which none are known. */
  async known(entries: readonly SummedFile[]): Promise<(Checksums | null)[]> {
    const found = new Map<SummedFile, Checksums>();
    const byFolder = Map.groupBy(
      entries.filter(({ info }) => info.isFile),
      ({ place }) => parentOf(place),
    );
    for (const [folder, files] of byFolder) {
      const number = this.#numberAt(folder);
      if (number === null) continue;
      const stored = await this.#storedIn(number, files);
      for (const file of files) {
        const record = stored.get(inodeNumber(file.info));
        if (!record || !isOf(record, file.info)) continue;
        found.set(file, record.sums);
        if (today() - record.day > noteEveryDays) {
          this.#writeLater([number, inodeNumber(file.info)], { ...record, day: today() });
        }
      }
    }
    return entries.map((entry) => found.get(entry) ?? null);
  }

  /**
   * Keeps checksums of a file, beside those that are known. They are in the store when the promise
   * resolves.
   *
   * @param info of the file when it had these checksums; nothing is kept when it is another now
   */
  async note(place: EntryPath, info: Facts, sums: Checksums): Promise<void> {
    const now = this.#look(place);
    const folder = this.#numberAt(parentOf(place));
    if (!now?.isFile || folder === null || now.ino !== info.ino) return;
    if (!isSameContent(now, info)) return;
    await this.#put([folder, inodeNumber(now)], stateOf(now, sums));
  }

  /**
   * Has the checksums of a file follow it that the server itself has renamed or moved.
   *
   * @param paths as the one who changed them has them: both where it was and where it is; others do
   * nothing
   */
  async follow(access: Access, paths: readonly EntryPath[]): Promise<void> {
    if (paths.length < 2 || paths.length > maxFollowed) return;
    try {
      await this.#followAll([...new Set(paths.map((path) => access.ownPlaceAt(path)))]);
    } catch (error) {
      // Without a checksum a client cannot verify a download, and takes it all the same.
      this.#options.report(error);
    }
  }

  /** Removes checksums that were not asked for for long; once a day, as they are many. */
  async removeExpired(): Promise<void> {
    if (this.#expiredOn === today()) return;
    this.#expiredOn = today();
    await checksumRecords.removeExpired(this.#options.store, Date.now());
  }

  async #followAll(places: readonly EntryPath[]): Promise<void> {
    const folders = new Set(places.flatMap((place) => this.#numberAt(parentOf(place)) ?? []));
    for (const place of places) {
      const info = this.#look(place);
      const own = this.#numberAt(parentOf(place));
      if (!info?.isFile || own === null) continue;
      const file = inodeNumber(info);
      for (const folder of new Set([own, ...folders])) {
        const record = await checksumRecords.get(this.#options.store, folder, file);
        if (!record || !isSameContent(info, factsIn(record))) continue;
        if (folder === own && isOf(record, info)) break;
        await this.#put([own, file], stateOf(info, record.sums));
        if (folder !== own) await checksumRecords.remove(this.#options.store, folder, file);
        break;
      }
    }
  }

  async #storedIn(
    folder: number,
    files: readonly SummedFile[],
  ): Promise<ReadonlyMap<number, StoredChecksums>> {
    const { store } = this.#options;
    if (files.length <= fewFiles) {
      const keys = files.map(({ info }) => checksumRecords.key(folder, inodeNumber(info)));
      return recordsOf(await checksumRecords.getAll(store, keys));
    }
    const prefix = checksumRecords.prefix(folder);
    const entries = await store.cachedRead(prefix, async () => {
      const read: { key: Deno.KvKey; value: StoredChecksums }[] = [];
      for await (const part of inParts<StoredChecksums>(store, prefix, { size: 900 })) {
        read.push(...part);
      }
      return read;
    });
    const known = this.#folders.get(entries) ?? recordsOf(entries);
    this.#folders.set(entries, known);
    return known;
  }

  async #put(id: Id, record: StoredChecksums): Promise<void> {
    await this.#writes.add("sums", { id, record });
  }

  #writeLater(id: Id, record: StoredChecksums): void {
    this.#put(id, record).catch((error) => this.#options.report(error));
  }

  async #write(written: readonly Written[]): Promise<void> {
    const { store } = this.#options;
    const keys = written.map(({ id }) => checksumRecords.key(...id));
    const former = await checksumRecords.getAll(store, keys);
    await store.atomic((operation) => {
      for (const [index, { id, record }] of written.entries()) {
        const before = former[index]?.value;
        const isSame = before && isSameContent(factsIn(before), factsIn(record));
        const sums = isSame ? { ...before.sums, ...record.sums } : record.sums;
        checksumRecords.put(operation, id, { ...record, sums });
      }
      return operation;
    });
  }

  /** The number of the inode of a folder; null when it is gone. */
  #numberAt(folder: EntryPath): number | null {
    const info = this.#look(folder);
    return info && inodeNumber(info);
  }

  #look(place: EntryPath): Facts | null {
    try {
      return this.#options.gate.enter(SERVER).stat(place).info;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }
}

interface Written {
  id: Id;
  record: StoredChecksums;
}

/** The facts by which contents are told apart. */
type ContentFacts = Pick<Facts, "size" | "mtime">;

function today(): number {
  return Math.floor(Date.now() / dayMs);
}

function stateOf({ size, mtime, ctime }: Facts, sums: Checksums): StoredChecksums {
  const modified = mtime?.getTime() ?? 0;
  return { sums, size, modified, changed: ctime?.getTime() ?? modified, day: today() };
}

/** Whether a file is as it was when it had some checksums. */
function isOf({ size, modified, changed }: StoredChecksums, info: Facts): boolean {
  const now = stateOf(info, {});
  return now.size === size && now.modified === modified && now.changed === changed;
}

function factsIn({ size, modified }: StoredChecksums): ContentFacts {
  return { size, mtime: new Date(modified) };
}

function isSameContent(one: ContentFacts, other: ContentFacts): boolean {
  return one.size === other.size && Number(one.mtime) === Number(other.mtime);
}

function recordsOf(
  entries: readonly { key: Deno.KvKey; value: StoredChecksums | null }[],
): Map<number, StoredChecksums> {
  return new Map(
    entries.flatMap(({ key, value }) => value ? [[Number(key.at(-1)), value]] : []),
  );
}
