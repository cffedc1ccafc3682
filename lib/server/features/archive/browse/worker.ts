/** The Worker that lists archives as folders, and reads entries in them. */
import { crc32 } from "node:zlib";
import type { FileHandle } from "../../../core/access/file_handle.ts";
import { asRefusal } from "../../../core/access/os_errors.ts";
import { enterAgain } from "../../../core/access/gate.ts";
import { Pauses } from "../../../core/concurrency/pauses.ts";
import {
  serveWorker,
  type StreamCall,
  type WorkerCall,
} from "../../../core/concurrency/serve_worker.ts";
import { isSameEntry } from "../../../core/disk/facts.ts";
import { etagOf } from "../../../files/content/open_content.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { ArchiveEntry, ArchiveFolder } from "../../../../shared/schemas/archive.ts";
import { ArchiveFile } from "../extract/archive_file.ts";
import { ArchiveIndex, type IndexedEntry, type IndexedFolder } from "./archive_index.ts";
import { IndexCache } from "./index_cache.ts";
import type { BrowseOrder, EntryFacts, EntryOrder, ListOrder, ReadingProgress } from "./order.ts";
import { isoOf } from "../../../../shared/time.ts";
import { childrenOf, type EntryPath, segmentsOf } from "../../../../shared/path.ts";
import { extensionOf, hasSignature, typeOf } from "../../../files/content/types.ts";
import { formatOfSample } from "../../../files/text/read_text.ts";
import { joined } from "../../../../shared/joined.ts";
import { sortByName, sortEntries } from "../../../files/listing/sort.ts";
import {
  brokenArchiveError,
  type Bytes,
  type ByteStream,
  type EntryPlace,
} from "../extract/archived_entry.ts";
import { namesOf } from "../extract/entry_path.ts";
import { readByLibrary } from "../extract/library/seven_zip.ts";
import { archiveKind, openTar, type TarKind, toBroken } from "../extract/open_archive.ts";
import { readTar } from "../extract/read_tar.ts";
import { checkReadable, zippedContent } from "../extract/read_zip.ts";

/** The thread ends when nothing was asked for so long, in milliseconds, and its memory with it. */
const idleMs = 5 * 60_000;

const indexes = new IndexCache();

/** A folder of an archive, or how far the archive has been read. */
export type Listed = { folder: ArchiveFolder } | { reading: ReadingProgress };

const work = {
  /**
   * Lists some rows of a folder of an archive, which the viewer may download.
   *
   * @returns how far the archive has been read, when that takes longer than asked
   * @throws {DomainError} `forbidden`, `not_found`, `is_folder`, `not_a_file`; `broken_archive`,
   * `unsafe_archive`, `encrypted_archive`, `archive_too_large`, `not_supported`
   */
  async list(order: ListOrder, { signal }: WorkerCall): Promise<Listed> {
    const found = await indexes.get(handleOf(order), order.waitMs, signal);
    if (!(found instanceof ArchiveIndex)) return { reading: found };
    return { folder: listFolder(found, order) };
  },

  /**
   * Streams the content of a file of an archive; its facts alone when the caller cancels.
   *
   * @throws {DomainError} as `list`; `precondition_failed`
   */
  async read(order: EntryOrder, call: StreamCall<EntryFacts>): Promise<void> {
    const handle = handleOf(order);
    const index = await indexes.get(handle, null, call.signal);
    if (!(index instanceof ArchiveIndex)) {
      throw new Error("Cannot read the entry: the archive is not read completely");
    }
    const entry = fileIn(index, order.entry);
    const { name, size, modified } = entry;
    const etag = `${etagOf(handle.info).slice(0, -1)}-${crc32(order.entry).toString(36)}"`;
    using file = handle.openSync();
    if (!isSameEntry(file.facts(), handle.info) || etagOf(file.facts()) !== etagOf(handle.info)) {
      throw new DomainError("precondition_failed", "Cannot read the archive: it has changed");
    }
    const source = new ArchiveFile(file, { add() {} }, new Pauses(call.signal));
    const content = contentIn(source, handle.name, order.entry, entry);
    if (typeOf(name, 0) !== "text") {
      await call.open({ name, size, modified, etag });
      for await (const part of content) await call.send(part);
      return;
    }
    try {
      const start = await startOf(content);
      await call.open({ name, size, modified, etag, encoding: start.encoding });
      for (const part of start.parts) await call.send(part);
      if (start.error) throw start.error;
      for await (const part of content) await call.send(part);
    } finally {
      // The caller may have cancelled before the rest was asked for.
      await content.return();
    }
  },
};

/** The functions of this worker. */
export type BrowseWork = typeof work;

serveWorker(work, {
  idleMs,
  asError: (thrown, _name, { archive }: BrowseOrder) =>
    asRefusal(thrown, `Cannot open "${archive}"`),
});

/** Enters the gate again: the permission to download, the rules and the scope are checked here. */
function handleOf({ access, archive }: BrowseOrder): FileHandle {
  return enterAgain(access).read(archive);
}

/** The last order of each folder, as rows are asked for in parts. */
const sorted = new WeakMap<IndexedFolder, { by: string; count: number; entries: IndexedEntry[] }>();

/**
 * Some rows of a folder in an archive.
 *
 * @throws {DomainError} `not_found`
 */
function listFolder(
  index: ArchiveIndex,
  { inside, sorting, offset, limit }: Pick<ListOrder, "inside" | "sorting" | "offset" | "limit">,
): ArchiveFolder {
  const folder = index.folder(inside);
  const entries = inOrder(folder, sorting);
  const pathOf = childrenOf(inside);
  const numDirs = entries.reduce((count, { kind }) => count + (kind === "folder" ? 1 : 0), 0);
  return {
    path: inside,
    numDirs,
    numFiles: entries.length - numDirs,
    offset,
    sorting,
    size: folder.size,
    total: index.count,
    refused: { count: index.refusedCount, entries: index.refused },
    items: entries.slice(offset, offset + limit).map((entry) => described(entry, pathOf)),
  };
}

function inOrder(folder: IndexedFolder, sorting: ListOrder["sorting"]): IndexedEntry[] {
  const by = `${sorting.by} ${sorting.asc}`;
  const known = sorted.get(folder);
  if (known?.by === by) return known.entries;
  const all = Array.from(folder.children.values(), (entry) => {
    return { entry, name: entry.name, isFolder: entry.kind === "folder" };
  });
  const numberOf = ({ entry: { size, modified } }: typeof all[number]) =>
    sorting.by === "size" ? size : modified ?? 0;
  const entries = sortEntries(sortByName(all), sorting, numberOf).map(({ entry }) => entry);
  sorted.set(folder, { by, count: entries.length, entries });
  return entries;
}

function described(entry: IndexedEntry, pathOf: (name: string) => string): ArchiveEntry {
  const { name, kind, size, modified, isEncrypted } = entry;
  return {
    name,
    path: pathOf(name),
    kind,
    type: kind === "file" ? typeOf(name, size) : "blob",
    extension: kind === "file" ? extensionOf(name) : "",
    size,
    modified: modified === null || !isDate(modified) ? null : isoOf(modified),
    encrypted: isEncrypted,
  };
}

/** Whether a date can hold a time, which an archive may make up. */
function isDate(time: number): boolean {
  return !Number.isNaN(new Date(time).getTime());
}

/**
 * A file of an archive whose content can be read.
 *
 * @throws {DomainError} `not_found`; `is_folder`; `not_a_file` for links and devices;
 * `encrypted_archive`; `not_supported` for a compression that is not read
 */
function fileIn(index: ArchiveIndex, path: EntryPath): IndexedEntry {
  const entry = index.find(segmentsOf(path));
  const action = `Cannot open "${path}" in the archive`;
  if (!entry) throw new DomainError("not_found", `${action}: it is not there`);
  if (entry.kind === "folder") throw new DomainError("is_folder", `${action}: it is a folder`);
  if (entry.kind !== "file") {
    throw new DomainError("not_a_file", `${action}: links and devices cannot be opened`);
  }
  checkReadable({ path, isEncrypted: entry.isEncrypted, place: entry.place });
  return entry;
}

/**
 * The content of a file of an archive, in buffers of its own. It has just as many bytes as the
 * archive says, or fails.
 *
 * @param name of the archive
 * @throws {DomainError} `broken_archive`, `not_supported`
 */
async function* contentIn(
  file: ArchiveFile,
  name: string,
  path: EntryPath,
  { size, place }: IndexedEntry,
): AsyncGenerator<Bytes, void> {
  let read = 0;
  try {
    const kind = await archiveKind(file, name);
    const at = place ?? { at: 0 };
    const content = kind === "zip"
      ? zippedContent(file, path, size, at)
      : kind === "library"
      ? libraryContent(file, path)
      : tarContent(file, kind, at, size);
    for await (const part of content) {
      read += part.length;
      if (read > size) throw brokenArchiveError(`"${path}" is larger than declared`);
      // A part may be a view of a buffer that is still in use; that of a library slices to a view.
      if (part.length > 0) yield new Uint8Array(part);
    }
  } catch (error) {
    throw toBroken(error);
  }
  if (read < size) throw brokenArchiveError(`"${path}" is smaller than declared`);
}

/** The beginning of a text by which its encoding is found, in bytes. */
const sampleBytes = 64 * 1024;

/** The first parts of a text with their encoding; what stopped the reading comes after them. */
async function startOf(content: AsyncGenerator<Bytes, void>) {
  const parts: Bytes[] = [];
  let [length, error]: [number, unknown] = [0, null];
  try {
    while (length < sampleBytes) {
      const { done, value } = await content.next();
      if (done) break;
      parts.push(value);
      length += value.length;
    }
  } catch (thrown) {
    error = thrown;
  }
  const sample = joined(parts);
  const format = hasSignature(sample) ? null : await formatOfSample(sample);
  return { parts, error, encoding: format && format.encoding };
}

async function* libraryContent(file: ArchiveFile, path: EntryPath): ByteStream {
  const isIt = (other: string) => `/${namesOf(other).join("/")}` === path;
  for await (const entry of readByLibrary(file, isIt)) {
    if (isIt(entry.path)) return yield* entry.content();
  }
}

async function* tarContent(
  file: ArchiveFile,
  kind: TarKind,
  { at, isSparse }: EntryPlace,
  size: number,
): ByteStream {
  const reader = await openTar(file, kind);
  try {
    await reader.skip(at);
    if (isSparse) {
      for await (const entry of readTar(reader)) return yield* entry.content();
    }
    for (let left = size; left > 0;) {
      const part = await reader.some(left);
      if (!part) throw brokenArchiveError("it is truncated");
      left -= part.length;
      yield part;
    }
  } finally {
    await reader.close();
  }
}
