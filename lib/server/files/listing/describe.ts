import type { FolderView, Resource } from "../../../shared/api_types.ts";
import type { Access } from "../../access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { ContentWorker, ListingWorker } from "../../workers/workers.ts";
import { DomainError } from "../../../shared/errors.ts";
import { describeFile } from "./describe_file.ts";
import { modifiedOf } from "./entries.ts";
import { describeFolder } from "./folder_resource.ts";
import { isLarge, listingEstimate, recordSize } from "./large_folders.ts";
import type { ListOptions, NamesOf } from "./listing.ts";
import { NameCache } from "./name_cache.ts";
import { Pauses } from "../../concurrency/pauses.ts";

/** Most names of small folders that each serving thread keeps. */
const maxNames = 20_000;

const names = new NameCache(maxNames);
const namesOf: NamesOf = (folder, open) => names.names(folder, open);

/** Options of a description. */
export interface DescribeOptions extends Omit<ListOptions, "view" | "countsPictures"> {
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

/** JSON in UTF-8: a large folder in chunks, a long text as it is read. */
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
  const { offset, limit, around, startsWith, filter, sorting, groupBy, timeZone } = options;
  const wanted: ListOptions = {
    ...{ offset, limit, around, startsWith, filter, sorting, groupBy, timeZone, shared },
    ...await viewOptions(path, options),
  };
  if (isLarge(entry)) {
    await options.reserve?.(listingEstimate(entry, options.limit));
    const json = await listingWorker.list({ access, path, options: wanted }, options);
    await options.reserve?.(json.reduce((sum, page) => sum + page.length, 0));
    return { kind: "json", json };
  }
  const resource = await describeFolder(access, entry, wanted, new Pauses(), namesOf);
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
