import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, segmentsOf } from "../../../shared/path.ts";
import type { ArchiveFile } from "../extract/archive_file.ts";
import { brokenArchiveError, type Bytes, type ByteStream } from "../extract/archived_entry.ts";
import { namesOf } from "../extract/entry_path.ts";
import { readByLibrary } from "../extract/library/seven_zip.ts";
import { archiveKind, openTar, type TarKind, toBroken } from "../extract/open_archive.ts";
import { checkReadable, zippedContent } from "../extract/read_zip.ts";
import type { ArchiveIndex, IndexedEntry } from "./archive_index.ts";

/**
 * A file of an archive whose content can be read.
 *
 * @throws {DomainError} `not_found`; `is_folder`; `not_a_file` for links and devices;
 * `encrypted_archive`; `not_supported` for a compression that is not read
 */
export function fileIn(index: ArchiveIndex, path: EntryPath): IndexedEntry {
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
export async function* contentIn(
  file: ArchiveFile,
  name: string,
  path: EntryPath,
  { size, place }: IndexedEntry,
): ByteStream {
  let read = 0;
  try {
    const kind = await archiveKind(file, name);
    const at = place ?? { at: 0 };
    const content = kind === "zip"
      ? zippedContent(file, path, size, at)
      : kind === "library"
      ? libraryContent(file, path)
      : tarContent(file, kind, at.at, size);
    for await (const part of content) {
      read += part.length;
      if (read > size) throw brokenArchiveError(`"${path}" is larger than declared`);
      // A part may be a view of a buffer that is still in use.
      if (part.length > 0) yield part.slice() as Bytes;
    }
  } catch (error) {
    throw toBroken(error);
  }
  if (read < size) throw brokenArchiveError(`"${path}" is smaller than declared`);
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
  at: number,
  size: number,
): ByteStream {
  const reader = await openTar(file, kind);
  try {
    await reader.skip(at);
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
