import { DomainError } from "../../../../shared/errors.ts";

/** Bytes on their way from an archive to the disk. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** A stream of bytes, in chunks of any length. */
export type ByteStream = AsyncIterable<Bytes>;

/** An entry as an archive tells of it: nothing of it is checked. */
export interface ArchivedEntry {
  /** With slashes between its names. */
  path: string;
  kind: "file" | "folder" | "link" | "other" | "copy";
  /** Of a copy: the path of the entry before it that has its content (a hard link). */
  original?: string;
  /** Bytes; {@link content} must yield as many. */
  size: number;
  /** Milliseconds since 1970; null where the archive does not tell. */
  modified: number | null;
  /** Its permission bits; null where the archive does not tell. */
  mode?: number | null;
  /** Its content cannot be read without a password. */
  isEncrypted?: boolean;
  /** How to find its content again; null where only reading on leads to it. */
  place?: EntryPlace | null;
  /** The content of a file, to be read before the next entry is asked for. */
  content(): ByteStream;
}

/** Where the content of a file lies in its archive. */
export interface EntryPlace {
  /**
   * Of a zip: the entry's own header. Of a tar: its content, as it is when decompressed; of a sparse
   * file its first header.
   */
  at: number;
  /** Of a tar only: a sparse file, which its headers are needed for. */
  isSparse?: boolean;
  /** Of a zip only: the length of the content as it is there, in bytes. */
  packed?: number;
  /** Of a zip only: the number of the compression method. */
  method?: number;
  /** Of a zip only: the CRC-32 of the content. */
  sum?: number;
}

/** The error for an archive that cannot be read to its end. */
export function brokenArchiveError(reason: string): DomainError {
  return new DomainError("broken_archive", `Cannot read the archive: ${reason}`);
}

/** The error for an archive, or an entry, with a password. */
export function encryptedError(what: string): DomainError {
  return new DomainError("encrypted_archive", `Cannot read the archive: ${what} is encrypted`);
}

/** The error for an archive that is an attack. */
export function unsafeArchiveError(reason: string): DomainError {
  return new DomainError("unsafe_archive", `Cannot read the archive: ${reason}`);
}

/** The error for an archive that is larger than the server takes. */
export function archiveTooLargeError(reason: string): DomainError {
  return new DomainError("archive_too_large", `Cannot read the archive: ${reason}`);
}

/** The error for what is not read here. */
export function unsupportedArchiveError(reason: string): DomainError {
  return new DomainError("not_supported", `Cannot read the archive: ${reason}`);
}
