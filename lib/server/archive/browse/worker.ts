/** The Worker that lists archives as folders, and reads entries in them. */
import { crc32 } from "node:zlib";
import type { FileHandle } from "../../access/file_handle.ts";
import { asRefusal } from "../../access/os_errors.ts";
import { enterAgain } from "../../access/gate.ts";
import { Pauses } from "../../concurrency/pauses.ts";
import { serveWorker } from "../../concurrency/serve_worker.ts";
import type { StreamCall, WorkerCall } from "../../concurrency/worker_call.ts";
import { isSameEntry } from "../../disk/facts.ts";
import { etagOf } from "../../files/content/etag.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { ArchiveFolder } from "../../../shared/schemas/archive.ts";
import { ArchiveFile } from "../extract/archive_file.ts";
import { ArchiveIndex } from "./archive_index.ts";
import { IndexCache } from "./index_cache.ts";
import { listFolder } from "./list_folder.ts";
import type { BrowseOrder, EntryFacts, EntryOrder, ListOrder, ReadingProgress } from "./order.ts";
import { contentIn, fileIn } from "./read_entry.ts";

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
    await call.open({ name, size, modified, etag });
    const source = new ArchiveFile(file, { add() {} }, new Pauses(call.signal));
    for await (const part of contentIn(source, handle.name, order.entry, entry)) {
      await call.send(part);
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
