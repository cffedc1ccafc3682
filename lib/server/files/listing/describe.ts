import type { Resource } from "../../../shared/schemas/entry.ts";
import type { FolderView } from "../../../shared/schemas/view.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { ContentWorker, ListingWorker } from "../workers/workers.ts";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryFacts, entryOf, modifiedOf } from "./entries.ts";
import { describeFolder, factsOf, lockOf } from "./folder_resource.ts";
import type { ListOptions, NamesOf } from "./listing.ts";
import { NameCache } from "./name_cache.ts";
import type { FolderSizes } from "./size_order.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import { findSubtitles } from "./find_subtitles.ts";
import { checksum } from "../content/checksum.ts";
import { etagOf } from "../content/open_content.ts";
import { readStart } from "../content/file_reading.ts";
import { type DescribedFile, describeUnicode } from "../content/text_resource.ts";
import { isAmbiguous, typeOf } from "../content/types.ts";
import { LruCache } from "../../../shared/lru_cache.ts";

/** Memory for the names of small folders in each serving thread. */
const maxNameBytes = 2 * 1024 * 1024;

const names = new NameCache(maxNameBytes);
/** The names of small folders, from the cache of this thread. */
export const namesOf: NamesOf = (folder, open, pauses) => names.names(folder, open, pauses);

/** Options of a description. */
export interface DescribeOptions
  extends Omit<ListOptions, "view" | "countsPictures" | "taken" | "unread" | "sizes"> {
  /** Reads when the pictures of a folder were taken, for that order. */
  takenIn?: (path: EntryPath) => Promise<Pick<ListOptions, "taken" | "unread">>;
  /** Reads the known sizes of the subfolders of a folder, for that order. */
  sizesIn?: ((path: EntryPath) => Promise<FolderSizes>) | undefined;
  /**
   * Reads how the viewer looks at a folder; the answer then tells it, and how many pictures the
   * folder has. Sorted and grouped as it says, unless `isOrdered`.
   */
  viewOf?: (path: EntryPath) => Promise<FolderView>;
  /** Whether the request says how to sort and to group. */
  isOrdered?: boolean;
  /** Reads the names of the entries of a folder that the viewer shares, by the folder's place. */
  sharedIn?: (place: EntryPath) => Promise<ReadonlySet<string>>;
  /** Add the text of a text file (up to 10 MiB, if the viewer may download). */
  content?: boolean;
  /** md5, sha1, sha256 or sha512. Needs the permission to download. */
  checksum?: string;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
  /**
   * Waits until `bytes` of memory are available for the work and its answer; a repeated call
   * corrects the number.
   */
  reserve?: (bytes: number) => Promise<void>;
}

/** JSON in UTF-8: a large folder in chunks, a huge one or a long text as it is read. */
type Json = Uint8Array<ArrayBuffer>[] | ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * A described entry: a value, or JSON for a large folder or a long text. Files have an ETag. The
 * caller reads or cancels a stream.
 */
export type Description =
  | { kind: "resource"; resource: Resource; etag?: string; modified: Date }
  | { kind: "json"; json: Json; etag?: undefined }
  | { kind: "json"; json: Json; etag: string; modified: Date };

/** Workers for work that would block the thread. */
export interface Helpers {
  listingWorker: ListingWorker;
  contentWorker: ContentWorker;
}

/**
 * Describes an entry for `GET /api/resources/{path}`. Small folders are listed in this thread,
 * large ones in the listing Worker. Files come with their `etag`.
 *
 * @param helpers for slow work; the open application has them
 *
 * @throws {DomainError} `forbidden`, `not_found`, `invalid_option` (checksum, or one of a folder)
 */
export async function describe(
  access: Access,
  { listingWorker, contentWorker }: Helpers,
  path: EntryPath,
  options: DescribeOptions,
): Promise<Description> {
  const entry = access.stat(path);
  if (!entry.isFolder) return await describeFile(access, contentWorker, entry, options);
  if (options.checksum !== undefined) {
    throw new DomainError(
      "invalid_option",
      `Cannot compute a checksum of "${path}": it is a folder`,
    );
  }
  const shared = await options.sharedIn?.(access.placeOf(entry));
  const { offset, limit, around, startsWith, filter, sorting, groupBy, timeZone, slashed } =
    options;
  const wanted: ListOptions = {
    ...{ offset, limit, around, startsWith, filter, sorting, groupBy, timeZone, shared, slashed },
    ...await viewOptions(path, options),
  };
  if (wanted.sorting.by === "taken") Object.assign(wanted, await options.takenIn?.(path));
  if (wanted.sorting.by === "size" && options.sizesIn) wanted.sizes = await options.sizesIn(path);
  if (isLarge(entry)) {
    const estimate = listingEstimate(entry, options.limit);
    await options.reserve?.(estimate);
    const args = { access, path, options: wanted };
    if (estimate > hugeBytes) {
      const { stream } = await listingWorker.listInParts(args, options);
      return { kind: "json", json: stream.read() };
    }
    const json = await listingWorker.list(args, options);
    await options.reserve?.(json.reduce((sum, page) => sum + page.length, 0));
    return { kind: "json", json };
  }
  const pauses = new Pauses(undefined, "serving");
  const resource = await describeFolder(access, entry, wanted, pauses, namesOf);
  if (!options.filter) recordSize(entry, (resource.numDirs ?? 0) + (resource.numFiles ?? 0));
  return { kind: "resource", resource, modified: modifiedOf(entry.info) };
}

/** The options of a listing that follow from how the viewer looks at the folder. */
async function viewOptions(
  path: EntryPath,
  options: DescribeOptions,
): Promise<Partial<ListOptions>> {
  const view = await options.viewOf?.(path);
  if (!view) return {};
  const { sorting = options.sorting, groupBy = options.groupBy } = options.isOrdered
    ? options
    : view;
  const countsPictures = (options.offset ?? 0) === 0 && !options.filter;
  return { view, countsPictures, sorting, groupBy };
}

/** The value of a description, parsed if it is bytes: for pages, which show a small window. */
export async function resourceOf(description: Description): Promise<Resource> {
  if (description.kind === "resource") return description.resource;
  const { json } = description;
  return await new Response(Array.isArray(json) ? new Blob(json) : json).json();
}

/** The requested parts of a file's description beyond name, size and times. */
interface FileOptions {
  content?: boolean;
  checksum?: string;
  signal?: AbortSignal;
  reserve?: (bytes: number) => Promise<void>;
}

/** Unicode texts up to this size, in bytes, are read in the serving thread. */
const shortText = 64 * 1024;

/** Memory of a long text in transit, in bytes: a few chunks in two threads. */
const heldByText = 1024 * 1024;

/**
 * Describes anything but a folder: a file, a broken link, or a pipe, socket or device, which is
 * never opened. With a checksum there is no text.
 *
 * @throws {DomainError} `invalid_option`, `forbidden` for a checksum without the permission to
 * download
 */
async function describeFile(
  access: Access,
  contentWorker: ContentWorker,
  entry: EntryHandle,
  options: FileOptions,
): Promise<Description> {
  const { path, name, info } = entry;
  const { signal, reserve } = options;
  const sniffs = entry.isFile && isAmbiguous(name);
  const facts = factsOf(entry, sniffs ? readStart(access, path) : undefined);
  const lock = lockOf(access, path);
  const canModify = access.may("modify") && !lock.readOnly;
  const resource: Resource = { ...entryOf(facts, canModify), ...lock };
  if (options.checksum !== undefined) {
    resource.checksums = await checksum(access, contentWorker, path, options.checksum, {
      signal,
      reserve,
    });
  } else if (isTextOfAnySize(facts) && options.content && access.may("download")) {
    return await withText(access, contentWorker, entry, { signal, reserve });
  }
  if (resource.type === "video") {
    resource.subtitles = findSubtitles(access, entry, (folder) => !isLarge(folder)) ??
      await contentWorker.find({ access, path }, { signal });
  }
  return describedBy({ resource, info });
}

/** Reads the text: in a Worker, unless it is short Unicode. */
async function withText(
  access: Access,
  contentWorker: ContentWorker,
  { path, info }: EntryHandle,
  { signal, reserve }: Pick<FileOptions, "signal" | "reserve">,
): Promise<Description> {
  const described = info.size <= shortText ? await describeUnicode(access, path, signal) : null;
  if (described) return describedBy(described);
  await reserve?.(heldByText);
  const { head, stream } = await contentWorker.describe({ access, path }, { signal });
  return { kind: "json", json: stream.read(), etag: head.etag, modified: new Date(head.modified) };
}

function describedBy({ resource, info }: DescribedFile): Description {
  return { kind: "resource", resource, etag: etagOf(info), modified: modifiedOf(info) };
}

/** Whether a file may be text by its name and first bytes, however large it is. */
function isTextOfAnySize({ name, info, isBroken, firstBytes }: EntryFacts): boolean {
  return info.isFile && !isBroken && typeOf(name, 0, firstBytes) === "text";
}

/**
 * A folder's own size grows with its entries: 1,600 names of usual length take about 64 KiB on ext4,
 * 96 KiB on btrfs, 32 KiB on tmpfs.
 */
const largeBytes = 64 * 1024;

/**
 * From this number of entries on, listing in the serving thread would delay other requests. Below
 * it, this thread is faster: it has compiled the code, and the Worker may have to start.
 */
const largeCount = 1_600;

/** Maximum number of remembered folders. */
const capacity = 10_000;

/** Numbers of their entries, by real path. */
const known = new LruCache<string, number>(capacity);

/**
 * Whether the listing Worker should list a folder. Judged by the folder's own size, and by the last
 * listing on file systems without such a size.
 */
function isLarge(folder: EntryHandle): boolean {
  return folder.info.size > largeBytes || known.get(folder.real) !== undefined;
}

/** Estimated bytes of JSON for an entry, and at least for a folder. */
const jsonBytes = 250;
const folderBytes = 32;

/** Estimated JSON above which it is sent while it is written: it would take too much memory. */
const hugeBytes = 16 * 1024 * 1024;

/**
 * Estimates the JSON of a large folder's listing, in bytes.
 *
 * @param limit of the number of entries
 */
function listingEstimate(folder: EntryHandle, limit = Infinity): number {
  const count = Math.max(largeCount, folder.info.size / folderBytes);
  return Math.min(count, limit) * jsonBytes;
}

/** Records the number of entries found in a folder. */
function recordSize(folder: EntryHandle, count: number): void {
  if (count > largeCount) known.set(folder.real, count);
  else known.delete(folder.real);
}
