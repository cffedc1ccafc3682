import { createHash } from "node:crypto";
import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { ChecksumName } from "../../../shared/api_types.ts";
import { FileReading } from "./file_reading.ts";
import type { ProgressMeter } from "../transfer/progress.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";

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
