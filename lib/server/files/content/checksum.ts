import { DomainError } from "../../../shared/errors.ts";
import type { Access } from "../../access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Reader } from "../../workers/reader.ts";
import { hashFile } from "./hash_file.ts";
import { Pauses } from "../../rpc/pauses.ts";

/** The digests that can be asked for. */
export const checksumAlgorithms = ["md5", "sha1", "sha256", "sha512"] as const;

/** One of {@link checksumAlgorithms}. */
export type ChecksumAlgorithm = typeof checksumAlgorithms[number];

/** What hashing holds, in bytes: a piece that is hashed, and one that is read. */
const heldByHashing = 2 * 1024 * 1024;

/** How to go about it. */
export interface HashOptions {
  /** Ends the work, since the client has gone. */
  signal?: AbortSignal;
  /** Waits until there is room for work that holds so many bytes. */
  hold?: (bytes: number) => Promise<void>;
}

/** Up to so many bytes a file is hashed here and now: less than a millisecond of work. */
const smallFile = 256 * 1024;

/**
 * The digest of a file's content, read as a stream.
 *
 * @throws {DomainError} `invalid_option` for another algorithm; `forbidden` without the permission
 * to download; `not_found`, `is_folder`, `not_a_file`; and the signal's reason
 */
export async function checksum(
  access: Access,
  reader: Reader,
  path: EntryPath,
  algorithm: string,
  { signal = new AbortController().signal, hold }: HashOptions = {},
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
  if (!isSmall) await hold?.(heldByHashing);
  const digest = isSmall
    ? await hashFile(access, path, known, new Pauses(signal))
    : await reader.hash(access, path, known, signal);
  return { [known]: digest };
}
