import { DiskError } from "../../../core/disk/disk.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { CodecName } from "../format.ts";
import { type ArchiveFile, FileReader } from "./archive_file.ts";
import {
  type ArchivedEntry,
  brokenArchiveError,
  unsupportedArchiveError,
} from "./archived_entry.ts";
import { ByteReader } from "./byte_reader.ts";
import { loadDecoder } from "./decoders.ts";
import type { Limits } from "./limits.ts";
import { readByLibrary } from "./library/seven_zip.ts";
import { readTar } from "./read_tar.ts";
import { nameReader } from "./tar_names.ts";
import { listZip, readZip } from "./read_zip.ts";
import { findZip } from "./zip_place.ts";

/** The kind of a file by its first bytes. */
export type Kind = "zip" | "tar" | "library" | CodecName;

/** A tar, and what it may be compressed by. */
export type TarKind = Exclude<Kind, "zip" | "library">;

/** The first bytes of each kind, in hexadecimal digits. */
const beginnings: readonly [string, Kind][] = [
  ["504b0304", "zip"],
  ["504b0506", "zip"],
  ["1f8b08", "gzip"],
  ["425a68", "bzip2"],
  ["fd377a585a00", "xz"],
  ["28b52ffd", "zstd"],
  ["04224d18", "lz4"],
  ["ff060000734e61507059", "snappy"],
  ["377abcaf271c", "library"],
  ["526172211a07", "library"],
];

/** The first 512 bytes of a tar that none of the formats begin with may still be one. */
const headerSize = 512;
const ustarAt = 257;

/** A stream of brotli has no mark: its name tells. */
const brotliName = /\.(tar\.br|tbr)$/i;

/**
 * Reads the entries of an archive. Its first bytes decide about the format, not its name.
 *
 * @param isWanted tells the entries whose content will be read; they alone are checked beforehand
 * @throws {DomainError} `not_supported` for other kinds; `broken_archive`; and as the readers do
 */
export async function* readArchive(
  file: ArchiveFile,
  name: string,
  limits: Limits,
  isWanted: (path: string) => boolean = () => true,
): AsyncGenerator<ArchivedEntry, void> {
  const kind = await archiveKind(file, name);
  if (kind === "zip") return yield* asBroken(readZip(file, limits, isWanted));
  if (kind === "library") return yield* asBroken(readByLibrary(file, isWanted));
  yield* asBroken(readTarIn(file, kind));
}

/**
 * Lists the entries of an archive: of a zip by its directory alone, of a tar as a stream that skips
 * what it can. Encrypted entries are listed, too.
 *
 * @throws {DomainError} likewise
 */
export async function* listArchive(
  file: ArchiveFile,
  name: string,
  limits: Limits,
): AsyncGenerator<ArchivedEntry, void> {
  const kind = await archiveKind(file, name);
  if (kind === "zip") return yield* asBroken(listZip(file, limits));
  if (kind === "library") return yield* asBroken(readByLibrary(file, () => false));
  yield* asBroken(readTarIn(file, kind));
}

async function* readTarIn(
  file: ArchiveFile,
  kind: TarKind,
): AsyncGenerator<ArchivedEntry, void> {
  const again = () => openTar(file.uncounted(), kind);
  yield* readTar(await openTar(file, kind), nameReader(again));
}

/**
 * Reads an archive other than a zip as the tar that is in it.
 *
 * @throws {DomainError} `not_supported` when the library of its codec does not load here
 */
export async function openTar(file: ArchiveFile, kind: TarKind): Promise<ByteReader> {
  if (kind === "tar") return new FileReader(file);
  const decode = await loadDecoder(kind);
  return new ByteReader(decode(file.stream()));
}

/**
 * The kind of an archive by its first bytes; that of a stream of brotli by its name, and that of a
 * zip behind other bytes by its end.
 *
 * @throws {DomainError} `not_supported`
 */
export async function archiveKind(file: ArchiveFile, name: string): Promise<Kind> {
  const head = await file.read(Math.min(headerSize, file.size), 0);
  const digits = head.subarray(0, 16).toHex();
  const [, known] = beginnings.find(([beginning]) => digits.startsWith(beginning)) ?? [];
  if (known) return known;
  if (brotliName.test(name)) return "brotli";
  const isUstar = head.subarray(ustarAt, ustarAt + 5).toHex() === "7573746172";
  if (isUstar || (/\.tar$/i.test(name) && head.length === headerSize)) return "tar";
  if (await findZip(file)) return "zip";
  throw unsupportedArchiveError("unknown format");
}

/** Errors of a library say that the archive is damaged. */
async function* asBroken(
  entries: AsyncGenerator<ArchivedEntry, void>,
): AsyncGenerator<ArchivedEntry, void> {
  try {
    for await (const entry of entries) {
      yield { ...entry, content: () => contentOf(entry) };
    }
  } catch (error) {
    throw toBroken(error);
  }
}

async function* contentOf({ content }: ArchivedEntry): ReturnType<ArchivedEntry["content"]> {
  try {
    yield* content();
  } catch (error) {
    throw toBroken(error);
  }
}

/** The error that a reader's error means for the archive. */
export function toBroken(error: unknown): unknown {
  const isOurs = error instanceof DomainError || error instanceof DiskError ||
    (error instanceof DOMException && error.name === "AbortError");
  return isOurs
    ? error
    : brokenArchiveError(error instanceof Error ? error.message : String(error));
}
