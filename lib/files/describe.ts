import type { Resource, Sorting } from "../api_types.ts";
import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";
import type { Reader } from "../reading/reader.ts";
import type { Walker } from "../walk/walker.ts";
import { DomainError } from "../errors.ts";
import { describeFile } from "./describe_file.ts";
import { modifiedOf } from "./entries.ts";
import { describeFolder } from "./folder_resource.ts";
import { isLarge, noteSize } from "./large_folders.ts";
import { finish } from "./steps.ts";

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
}

/**
 * A described entry: as a value, or, for a large folder or a long text, as its JSON in
 * UTF-8, in pages.
 * Files have a tag.
 */
export type Description =
  | { kind: "resource"; resource: Resource; etag?: string; modified: Date }
  | { kind: "json"; json: Uint8Array<ArrayBuffer>[]; etag?: undefined }
  | { kind: "json"; json: Uint8Array<ArrayBuffer>[]; etag: string; modified: Date };

/** What does the work that would hold up others. */
export interface Helpers {
  walker: Walker;
  reader: Reader;
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
  { walker, reader }: Helpers,
  path: EntryPath,
  options: DescribeOptions,
): Promise<Description> {
  const entry = access.stat(path);
  if (!entry.isFolder) return await describeFile(access, reader, entry, options);
  if (options.checksum !== undefined) {
    throw new DomainError("invalid_option", `Cannot make a checksum of "${path}": it is a folder`);
  }
  if (isLarge(entry)) {
    return { kind: "json", json: await walker.list(access, path, options, options.signal) };
  }
  const resource = finish(describeFolder(access, path, options));
  noteSize(entry, (resource.numDirs ?? 0) + (resource.numFiles ?? 0));
  return { kind: "resource", resource, modified: modifiedOf(entry.info) };
}

/** The value of a description, parsed when it came as bytes: for pages, which show a small window. */
export function resourceOf(description: Description): Resource {
  if (description.kind === "resource") return description.resource;
  const decoder = new TextDecoder();
  const text = description.json.map((page) => decoder.decode(page, { stream: true })).join("");
  return JSON.parse(text + decoder.decode());
}
