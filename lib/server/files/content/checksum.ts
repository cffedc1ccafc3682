import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../core/access/access.ts";
import { type ChecksumName, checksumNames } from "../../../shared/schemas/choices/choices.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { ContentWorker } from "../workers/workers.ts";
import { Pauses } from "../../core/concurrency/pauses.ts";
import { createHash } from "node:crypto";
import { FileReading } from "./file_reading.ts";
import type { ProgressMeter } from "../transfer/progress.ts";

/** Memory of hashing, in bytes: the chunk being hashed and the one being read. */
const heldByHashing = 2 * 1024 * 1024;

/** Options of a checksum. */
export interface HashOptions {
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
  /** Waits until `bytes` of memory are available. */
  reserve?: (bytes: number) => Promise<void>;
}

/** Files up to this size, in bytes, are hashed in this thread, in less than a millisecond. */
const smallFile = 256 * 1024;

/**
 * The digest of a file's content, read as a stream.
 *
 * @throws {DomainError} `invalid_option` for another algorithm; `forbidden` without the permission
 * to download; `not_found`, `is_folder`, `not_a_file`; and the signal's reason
 */
export async function checksum(
  access: Access,
  contentWorker: ContentWorker,
  path: EntryPath,
  algorithm: string,
  { signal = new AbortController().signal, reserve }: HashOptions = {},
): Promise<Partial<Record<ChecksumName, string>>> {
  const known = checksumNames.find((name) => name === algorithm);
  if (!known) {
    throw new DomainError(
      "invalid_option",
      `Cannot compute a checksum: "${algorithm}" is not one of ${checksumNames.join(", ")}`,
    );
  }
  signal.throwIfAborted();
  const isSmall = access.read(path).info.size <= smallFile;
  if (!isSmall) await reserve?.(heldByHashing);
  const digest = isSmall
    ? await hashFile(access, path, known, new Pauses(signal))
    : await contentWorker.hash({ access, path, algorithm: known }, { signal });
  return { [known]: digest };
}

/** Bytes hashed in one step: at most 2 ms of work. */
const chunk = 1024 * 1024;

/** Minimum chunk size, in bytes, for files without a known size. */
const minChunkBytes = 64 * 1024;

/**
 * The digest of a file's content, in hexadecimal digits. The next chunk is read while one is
 * hashed.
 *
 * @param meter counts the bytes
 * @throws {DomainError} `forbidden` without the permission to download; `not_found`, `is_folder`,
 * `not_a_file`
 */
export async function hashFile(
  access: Access,
  path: EntryPath,
  algorithm: ChecksumName,
  pauses: Pauses,
  meter?: ProgressMeter,
): Promise<string> {
  using file = new FileReading(access.read(path));
  const size = Math.min(chunk, Math.max(minChunkBytes, file.info.size));
  meter?.expect(0, file.info.size);
  let filling = new Uint8Array(size);
  let filled = new Uint8Array(size);
  const hash = createHash(algorithm);
  await file.fill(filling);
  while (file.count > 0) {
    if (pauses.isDue) await pauses.pause();
    [filling, filled] = [filled, filling];
    const { count } = file;
    meter?.add(0, count);
    const next = file.fill(filling);
    hash.update(filled.subarray(0, count));
    await next;
  }
  return hash.digest("hex");
}
