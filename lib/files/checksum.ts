import { createHash } from "node:crypto";
import { DomainError } from "../errors.ts";
import type { Access } from "../access/access.ts";
import type { EntryPath } from "../access/path.ts";

/** The digests that can be asked for. */
export const checksumAlgorithms = ["md5", "sha1", "sha256", "sha512"] as const;

/** One of {@link checksumAlgorithms}. */
export type ChecksumAlgorithm = typeof checksumAlgorithms[number];

/** Bytes hashed at a time: less than a millisecond of work before others have their turn. */
const chunk = 256 * 1024;

/**
 * The digest of a file's content, read as a stream.
 *
 * @throws {DomainError} `invalid_option` for another algorithm; `forbidden` without the permission
 * to download; `not_found`, `is_folder`, `not_a_file`; and the signal's reason
 */
export async function checksum(
  access: Access,
  path: EntryPath,
  algorithm: string,
  signal?: AbortSignal,
): Promise<Partial<Record<ChecksumAlgorithm, string>>> {
  const known = checksumAlgorithms.find((name) => name === algorithm);
  if (!known) {
    throw new DomainError(
      "invalid_option",
      `Cannot make a checksum: "${algorithm}" is none of ${checksumAlgorithms.join(", ")}`,
    );
  }
  using file = await access.read(path).open();
  const hash = createHash(known);
  const buffer = new Uint8Array(chunk);
  for (let count = await file.read(buffer); count !== null; count = await file.read(buffer)) {
    signal?.throwIfAborted();
    hash.update(buffer.subarray(0, count));
  }
  return { [known]: hash.digest("hex") };
}
