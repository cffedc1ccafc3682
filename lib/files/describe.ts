import { DomainError } from "../errors.ts";
import type { Resource, Sorting } from "../api_types.ts";
import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";
import type { Walker } from "../walk/walker.ts";

/** What to tell of an entry. */
export interface DescribeOptions {
  /** The window of a folder's sorted entries: how many to leave out, how many to give. */
  offset?: number;
  limit?: number;
  sorting: Sorting;
  /** Add the text of a text file (up to 10 MiB, if the viewer may download). */
  content?: boolean;
  /** md5, sha1, sha256 or sha512. */
  checksum?: string;
  /** When the client goes, the work stops. */
  signal?: AbortSignal;
}

/** A described entry: as a value, or, for a large folder, as the bytes of its JSON. */
export type Description =
  | { kind: "resource"; resource: Resource; etag?: string; modified: Date }
  | { kind: "json"; json: Uint8Array<ArrayBuffer> };

/**
 * Describes an entry as `GET /api/resources/{path}` answers it.
 *
 * @throws {DomainError} `forbidden`, `not_found`, `invalid_option` (checksum)
 */
export function describe(
  _access: Access,
  _walker: Walker,
  _path: EntryPath,
  _options: DescribeOptions,
): Promise<Description> {
  return Promise.reject(new DomainError("internal", "Cannot describe the entry"));
}

/** The value of a description, parsed when it came as bytes: for pages, which show a small window. */
export function resourceOf(description: Description): Resource {
  if (description.kind === "resource") return description.resource;
  return JSON.parse(new TextDecoder().decode(description.json));
}
