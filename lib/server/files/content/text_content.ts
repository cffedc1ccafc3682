import type { Access } from "../../core/access/access.ts";
import { asRefusal } from "../../core/access/os_errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Facts } from "../../core/disk/facts.ts";
import { FileReading } from "./file_reading.ts";
import { sniffLength } from "./sniff.ts";
import { maxTextBytes } from "./types.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";

/** The first 512 bytes, to detect the type. Needs no permission: they must not leave the server. */
export function readStart(access: Access, path: EntryPath): Uint8Array {
  using file = access.peek(path).openSync();
  const buffer = new Uint8Array(sniffLength);
  try {
    return buffer.subarray(0, file.read(buffer, 0));
  } catch (error) {
    throw asRefusal(error, `Cannot read "${path}"`);
  }
}

/** All the bytes of a file, with its facts at that time. */
export interface Content {
  bytes: Uint8Array<ArrayBuffer>;
  info: Facts;
}

/** Chunk size, in bytes. */
const chunk = 1024 * 1024;

/**
 * Reads a file of at most 10 MiB; of a larger one, only the facts.
 *
 * @throws {DomainError} `forbidden` without the permission to download, `not_found`, `not_a_file`
 */
export async function readContent(
  access: Access,
  path: EntryPath,
  pauses: Pauses,
): Promise<Content> {
  using file = new FileReading(access.read(path));
  return await readWhole(file, pauses);
}

/** Same as {@link readContent}, for an open file, which stays open. */
export async function readWhole(file: FileReading, pauses: Pauses): Promise<Content> {
  const { info } = file;
  if (info.size > maxTextBytes) return { bytes: new Uint8Array(), info };
  const buffer = new Uint8Array(info.size);
  let filled = 0;
  do {
    await file.fill(buffer.subarray(filled, filled + chunk));
    filled += file.count;
    if (pauses.isDue) await pauses.pause();
  } while (file.count > 0 && filled < buffer.length);
  return { bytes: buffer.subarray(0, filled), info };
}
