import type { Resource, Sorting } from "../../../shared/api_types.ts";
import type { Access } from "../../access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { ContentWorker } from "../../workers/content_worker.ts";
import type { ListingWorker } from "../../workers/listing_worker.ts";
import { DomainError } from "../../../shared/errors.ts";
import { describeFile } from "./describe_file.ts";
import { modifiedOf } from "./entries.ts";
import { describeFolder } from "./folder_resource.ts";
import { isLarge, listingEstimate, noteSize } from "./large_folders.ts";
import { Pauses } from "../../concurrency/pauses.ts";

/** What to tell of an entry. */
export interface DescribeOptions {
  /** The window of a folder's sorted entries: how many to leave out, how many to give. */
  offset?: number;
  limit?: number;
  /** The name of an entry of the folder: the window that it is in, of windows of `limit` entries. */
  around?: string;
  sorting: Sorting;
  /** Add the text of a text file (up to 10 MiB, if the viewer may download). */
  content?: boolean;
  /** md5, sha1, sha256 or sha512. Needs the permission to download. */
  checksum?: string;
  /** When the client goes, the work stops. */
  signal?: AbortSignal;
  /**
   * Waits until there is room for work and an answer that hold so many bytes; called again, it
   * corrects the number.
   */
  hold?: (bytes: number) => Promise<void>;
}

/** JSON in UTF-8: a large folder in pages, a long text as it is read. */
type Json = Uint8Array<ArrayBuffer>[] | ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * A described entry: as a value, or, for a large folder or a long text, as its JSON. Files have a
 * tag. A stream is to be read or cancelled.
 */
export type Description =
  | { kind: "resource"; resource: Resource; etag?: string; modified: Date }
  | { kind: "json"; json: Json; etag?: undefined }
  | { kind: "json"; json: Json; etag: string; modified: Date };

/** What does the work that would hold up others. */
export interface Helpers {
  listingWorker: ListingWorker;
  contentWorker: ContentWorker;
}

/**
 * Describes an entry as `GET /api/resources/{path}` answers it. Small folders are listed at once,
 * large ones in the walker. Files come with their `etag`.
 *
 * @param helpers for what takes time; all that is open in this thread has them
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
    throw new DomainError("invalid_option", `Cannot make a checksum of "${path}": it is a folder`);
  }
  if (isLarge(entry)) {
    await options.hold?.(listingEstimate(entry, options.limit));
    const json = await listingWorker.list(access, path, options, options.signal);
    await options.hold?.(json.reduce((sum, page) => sum + page.length, 0));
    return { kind: "json", json };
  }
  const resource = await describeFolder(access, entry, options, new Pauses());
  noteSize(entry, (resource.numDirs ?? 0) + (resource.numFiles ?? 0));
  return { kind: "resource", resource, modified: modifiedOf(entry.info) };
}

/** The value of a description, parsed when it came as bytes: for pages, which show a small window. */
export async function resourceOf(description: Description): Promise<Resource> {
  if (description.kind === "resource") return description.resource;
  const { json } = description;
  return await new Response(Array.isArray(json) ? new Blob(json) : json).json();
}
