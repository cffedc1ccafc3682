import type { EntryType } from "../../../shared/schemas/choices/choices.ts";
import type { Access } from "../../core/access/access.ts";
import type { ReadableFile } from "../../core/access/file_handle.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Facts } from "../../core/disk/facts.ts";
import type { RealPath } from "../../core/disk/real_path.ts";
import { modifiedOf } from "../listing/entries.ts";
import { readStart } from "./file_reading.ts";
import { mayBeRecording, mediaTypeOf, typeOf } from "./types.ts";

/** Facts of a file's content without opening it: enough for HEAD and conditional requests. */
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

/** An open file; the caller closes it. */
export interface OpenContent extends ContentInfo {
  file: ReadableFile;
  /** The file's real path, for the proxy that sends it; absent for what has no place in the root. */
  real?: RealPath;
}

/**
 * The facts of a file's download, without opening it.
 *
 * @throws {DomainError} `forbidden`, `not_found`, `not_a_file` (a pipe, socket, device), `is_folder`
 */
export function statContent(access: Access, path: EntryPath): ContentInfo {
  const { name, info } = access.read(path);
  return contentInfo(name, info, startOfRecording(access, path, name, info.size));
}

/**
 * Opens a file for reading: exactly the one that passed the gate.
 *
 * @throws {DomainError} as {@link statContent}
 */
export async function openContent(access: Access, path: EntryPath): Promise<OpenContent> {
  const handle = access.read(path);
  const { name } = handle;
  const start = startOfRecording(access, path, name, handle.info.size);
  const file = await handle.open();
  return { ...contentInfo(name, handle.info, start), file, real: handle.real };
}

/** The first bytes of what may be a recording by its name. */
function startOfRecording(
  access: Access,
  path: EntryPath,
  name: string,
  size: number,
): Uint8Array | undefined {
  return mayBeRecording(name, size) ? readStart(access, path) : undefined;
}

/**
 * The facts of a file's download, from those of the file.
 *
 * @param firstBytes those of what `mayBeRecording()`
 */
export function contentInfo(name: string, info: Facts, firstBytes?: Uint8Array): ContentInfo {
  return {
    size: info.size,
    modified: modifiedOf(info),
    etag: etagOf(info),
    name,
    type: typeOf(name, info.size, firstBytes),
    mediaType: mediaTypeOf(name, firstBytes),
  };
}

/**
 * A strong validator (RFC 9110, 8.8.3) of a file's current state, with its quotes: inode, size and
 * change time. Our own writes always make a new inode.
 */
export function etagOf({ ino, size, mtime }: Pick<Facts, "ino" | "size" | "mtime">): string {
  const digits = (part: number | undefined | null) => (part ?? 0).toString(36);
  return `"${digits(ino)}-${digits(size)}-${digits(mtime?.getTime())}"`;
}

/**
 * Whether `If-Match` permits a change (RFC 9110, 13.1.1): "*" requires the file to exist, a list
 * requires one of its tags. Weak tags never match.
 *
 * @param etag the current file's, null without one
 */
export function ifMatchHolds(header: string, etag: string | null): boolean {
  if (etag === null) return false;
  if (header.trim() === "*") return true;
  return [...header.matchAll(/(?:^|,)\s*("[^"]*")\s*(?=,|$)/g)].some(([, tag]) => tag === etag);
}
