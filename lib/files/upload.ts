import { DomainError } from "../errors.ts";
import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";

/** How to upload. */
export interface UploadOptions {
  /** Replace what has the name. Needs the permission to modify as well. */
  override: boolean;
  /** The `If-Match` header: the present file must have one of these tags. */
  ifMatch?: string;
  /** The number of bytes announced; another count is `invalid_body`. */
  expectedLength?: number;
  /** When the client goes, the work stops and nothing is left behind. */
  signal?: AbortSignal;
}

/** What became of an upload. */
export interface Uploaded {
  /** The validator of the file as it is now. */
  etag: string;
  /** The name was free before. */
  created: boolean;
}

/**
 * Writes a file under a name, in one step at the end: until then the former file is untouched, and
 * a failure leaves nothing behind. Missing parents are made.
 *
 * @throws {DomainError} `exists`, `is_folder`, `forbidden`, `precondition_failed`, `invalid_body`,
 * `invalid_name`, `disk_full`, `read_only`
 */
export function uploadFile(
  _access: Access,
  _path: EntryPath,
  _body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  _options: UploadOptions,
): Promise<Uploaded> {
  return Promise.reject(new DomainError("internal", "Cannot upload the file"));
}

/**
 * Writes new content into a file that is there, with the same care as {@link uploadFile}.
 *
 * @throws {DomainError} as {@link uploadFile}, and `not_found`
 */
export function saveFile(
  _access: Access,
  _path: EntryPath,
  _body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  _options: Omit<UploadOptions, "override">,
): Promise<{ etag: string }> {
  return Promise.reject(new DomainError("internal", "Cannot save the file"));
}
