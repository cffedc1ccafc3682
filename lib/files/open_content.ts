import { DomainError } from "../errors.ts";
import type { EntryType } from "../api_types.ts";
import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";

/** What is known of a file's content without opening it: enough for HEAD and conditional requests. */
export interface ContentInfo {
  /** Bytes. */
  size: number;
  modified: Date;
  /** A strong validator, with its quotes. */
  etag: string;
  name: string;
  type: EntryType;
  /** The media type, by extension; `application/octet-stream` when unknown. */
  mediaType: string;
}

/** An open file; whoever asked for it closes it. */
export interface OpenContent extends ContentInfo {
  file: Deno.FsFile;
}

/**
 * Tells of a file what its download would say, without opening it.
 *
 * @throws {DomainError} `forbidden`, `not_found`, `not_a_file` (a pipe, socket, device), `is_folder`
 */
export function statContent(_access: Access, _path: EntryPath): ContentInfo {
  throw new DomainError("internal", "Cannot look at the file");
}

/**
 * Opens a file for reading. The file is verified to be the one the gate let through.
 *
 * @throws {DomainError} as {@link statContent}
 */
export function openContent(_access: Access, _path: EntryPath): Promise<OpenContent> {
  return Promise.reject(new DomainError("internal", "Cannot open the file"));
}
