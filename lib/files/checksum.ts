import { DomainError } from "../errors.ts";
import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";
import type { Reader } from "../reading/reader.ts";
import { runInSlices } from "../walk/slices.ts";
import { hashFile } from "./hash_file.ts";

/** The digests that can be asked for. */
export const checksumAlgorithms = ["md5", "sha1", "sha256", "sha512"] as const;

/** One of {@link checksumAlgorithms}. */
export type ChecksumAlgorithm = typeof checksumAlgorithms[number];

/** Up to so many bytes a file is hashed here and now: less than a millisecond of work. */
const smallFile = 256 * 1024;

/**
 * The digest of a file's content, read as a stream.
 *
 * @param signal ends the work, since the client has gone
 * @throws {DomainError} `invalid_option` for another algorithm; `forbidden` without the permission
 * to download; `not_found`, `is_folder`, `not_a_file`; and the signal's reason
 */
export async function checksum(
  access: Access,
  reader: Reader,
  path: EntryPath,
  algorithm: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Partial<Record<ChecksumAlgorithm, string>>> {
  const known = checksumAlgorithms.find((name) => name === algorithm);
  if (!known) {
    throw new DomainError(
      "invalid_option",
      `Cannot make a checksum: "${algorithm}" is none of ${checksumAlgorithms.join(", ")}`,
    );
  }
  signal.throwIfAborted();
  const isSmall = access.read(path).info.size <= smallFile;
  const digest = isSmall
    ? await runInSlices(hashFile(access, path, known), signal)
    : await reader.hash(access, path, known, signal);
  return { [known]: digest };
}
