// Reads the directory of a zip, Zip64 and its extra fields; well kept, and reads nothing else.
import { Buffer } from "node:buffer";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import type { Readable } from "node:stream";
import yauzl from "yauzl";
import {
  type ArchivedEntry,
  brokenArchiveError,
  type Bytes,
  type ByteStream,
  encryptedError,
  type EntryPlace,
  unsupportedArchiveError,
} from "./archived_entry.ts";
import type { ArchiveFile } from "./archive_file.ts";
import { ByteReader } from "./byte_reader.ts";
import { decodeBy } from "./decoders.ts";
import type { Limits } from "./limits.ts";
import { decodeName } from "../../../../shared/entry_names.ts";
import { decodeAs, guessEncoding, maxSampleBytes } from "../../../files/text/code_page.ts";
import { loadDetector } from "../../../files/text/read_text.ts";
import { isIn } from "../../../files/text/unicode.ts";
import { findZip, type ZipPlace } from "./zip_place.ts";

/** Files up to this size are inflated in one go, in bytes. */
const smallFile = 512 * 1024;

const stored = 0;
const deflated = 8;

/** The header in front of an entry's content: its first bytes, and its length without the name. */
const localMark = 0x04034b50;
const localHeaderSize = 30;

/** Bits of an entry's flags. */
const isEncrypted = 1;

/** Bytes of the directory that are read at a time. */
const aheadSize = 256 * 1024;

/** Lets the library read the zip in a file. */
class Reader extends yauzl.RandomAccessReader {
  readonly #file: ArchiveFile;
  readonly #place: ZipPlace;
  /**
   * The bytes read last and those after them, as the library asks for each field of the directory.
   */
  #ahead: { bytes: Bytes; at: number } = { bytes: new Uint8Array(0), at: 0 };

  constructor(file: ArchiveFile, place: ZipPlace) {
    super();
    this.#file = file;
    this.#place = place;
  }

  override _readStreamForRange(): Readable {
    throw new Error("Cannot read a zip as a stream of the library");
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#bytes(length, this.#place.start + position).then((bytes) => {
      buffer.set(bytes, offset);
      callback(null);
    }, callback);
  }

  async #bytes(length: number, position: number): Promise<Bytes> {
    const known = position - this.#ahead.at;
    if (known >= 0 && known + length <= this.#ahead.bytes.length) {
      return this.#ahead.bytes.subarray(known, known + length);
    }
    const readLength = Math.max(length, Math.min(aheadSize, this.#place.end - position));
    this.#ahead = { bytes: await this.#file.read(readLength, position), at: position };
    return this.#ahead.bytes.subarray(0, length);
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}

/**
 * Reads a zip by its directory. All of the directory is checked before the first entry comes out.
 *
 * @param isWanted tells the entries whose content will be read, by their paths
 * @throws {DomainError} `broken_archive`, `encrypted_archive`, `archive_too_large`, `not_supported`
 */
export async function* readZip(
  file: ArchiveFile,
  limits: Limits,
  isWanted: (path: string) => boolean,
): AsyncGenerator<ArchivedEntry, void> {
  const zip = await Zip.in(file);
  let size = 0;
  for await (const entry of zip.entries(limits)) {
    if (!isWanted(entry.path)) continue;
    checkReadable(entry);
    size += entry.size;
  }
  limits.announce(size);
  yield* zip.entries(limits);
}

/**
 * Lists a zip by its directory, with what cannot be read: see {@link checkReadable}.
 *
 * @throws {DomainError} `broken_archive`, `encrypted_archive`, `archive_too_large`
 */
export async function* listZip(
  file: ArchiveFile,
  limits: Limits,
): AsyncGenerator<ArchivedEntry, void> {
  yield* (await Zip.in(file)).entries(limits);
}

/** A zip in a file. */
class Zip {
  readonly #file: ArchiveFile;
  readonly #place: ZipPlace;
  /** The encoding of names that do not tell theirs, once one has been met. */
  #encoding: string | null = null;

  private constructor(file: ArchiveFile, place: ZipPlace) {
    this.#file = file;
    this.#place = place;
  }

  /** @throws {DomainError} `broken_archive` where there is none */
  static async in(file: ArchiveFile): Promise<Zip> {
    const place = await findZip(file);
    if (!place) throw brokenArchiveError("it is truncated, or not a zip");
    return new Zip(file, place);
  }

  async *entries(limits: Limits): AsyncGenerator<ArchivedEntry, void> {
    const zip = await this.#open();
    limits.expectEntries(zip.entryCount);
    try {
      for await (const entry of zip.eachEntry()) {
        if (this.#encoding === null && isOldName(entry)) {
          this.#encoding = await this.#guessEncoding();
        }
        yield entryOf(
          this.#file,
          this.#place.start,
          entry,
          pathOf(entry, this.#encoding ?? "utf-8"),
        );
      }
    } catch (error) {
      const isStrong = error instanceof Error && error.message.includes("strong encryption");
      throw isStrong ? encryptedError("it") : error;
    }
  }

  /** All names are looked at together: a single one is too short to tell. */
  async #guessEncoding(): Promise<string> {
    const samples: Bytes[] = [];
    let length = 0;
    for await (const entry of (await this.#open()).eachEntry()) {
      const bytes = new Uint8Array(entry.fileNameRaw);
      if (!isOldName(entry) || isIn("utf-8", bytes)) continue;
      length += bytes.length;
      if (length > maxSampleBytes) break;
      samples.push(bytes);
    }
    return samples.length === 0 ? "utf-8" : guessEncoding(samples, await loadDetector());
  }

  #open(): Promise<yauzl.ZipFile> {
    const { start, end } = this.#place;
    const options = {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    };
    const reader = new Reader(this.#file, this.#place);
    return yauzl.fromRandomAccessReaderPromise(reader, end - start, options);
  }
}

function entryOf(
  file: ArchiveFile,
  start: number,
  entry: yauzl.Entry,
  path: string,
): ArchivedEntry {
  const size = entry.uncompressedSize;
  const place = {
    at: start + entry.relativeOffsetOfLocalHeader,
    packed: entry.compressedSize,
    method: entry.compressionMethod,
    sum: entry.crc32,
  };
  return {
    path,
    size,
    place,
    kind: kindOf(entry, path),
    modified: entry.getLastModDate({ timezone: "UTC" }).getTime(),
    mode: isFromUnix(entry.versionMadeBy) ? entry.externalFileAttributes >>> 16 : null,
    isEncrypted: (entry.generalPurposeBitFlag & isEncrypted) !== 0,
    content: () => zippedContent(file, path, size, place),
  };
}

/**
 * Checks that the content of an entry can be read.
 *
 * @throws {DomainError} `encrypted_archive`; `not_supported` for another compression
 */
export function checkReadable(
  { path, isEncrypted, place }: Pick<ArchivedEntry, "path" | "isEncrypted" | "place">,
): void {
  if (isEncrypted) throw encryptedError(`"${path}"`);
  const { method = stored } = place ?? {};
  if (method === stored || method === deflated) return;
  throw unsupportedArchiveError(`"${path}" uses the compression method ${method}`);
}

function kindOf(
  { versionMadeBy, externalFileAttributes, uncompressedSize }: yauzl.Entry,
  path: string,
): ArchivedEntry["kind"] {
  const type = isFromUnix(versionMadeBy) ? externalFileAttributes >>> 28 : 0;
  // What `zip` read from a pipe has its content, and counts as a file.
  if (type === 0o01 && uncompressedSize > 0) return "file";
  if (type === 0o12) return "link";
  if (type !== 0 && type !== 0o10 && type !== 0o04) return "other";
  return path.endsWith("/") || type === 0o04 ? "folder" : "file";
}

/**
 * The content of an entry, whose checksum is checked at its end.
 *
 * @param size as the directory tells it, in bytes
 * @throws {DomainError} `broken_archive`
 */
export async function* zippedContent(
  file: ArchiveFile,
  path: string,
  size: number,
  { at, packed = 0, method = stored, sum }: EntryPlace,
): ByteStream {
  const header = Buffer.from(await file.read(localHeaderSize, at));
  if (header.readUInt32LE(0) !== localMark) {
    throw brokenArchiveError(`"${path}" is not at its declared position`);
  }
  const start = at + localHeaderSize + header.readUInt16LE(26) + header.readUInt16LE(28);
  let made = 0;
  for await (const part of inflated(file.stream(start, start + packed), method, size, packed)) {
    made = crc32(part, made);
    yield part;
  }
  if (made !== sum) throw brokenArchiveError(`the checksum of "${path}" is wrong`);
}

async function* inflated(
  raw: ByteStream,
  method: number,
  size: number,
  packed: number,
): ByteStream {
  if (method === stored) yield* raw;
  else if (size > smallFile || packed > smallFile) yield* decodeBy(() => createInflateRaw(), raw);
  else {
    const reader = new ByteReader(raw);
    const bytes = await reader.need(packed);
    // One byte more than there may be tells whether there is more.
    yield new Uint8Array(inflateRawSync(bytes, { maxOutputLength: size + 1 }));
  }
}

/** The bit of an entry's flags that says that its name is in UTF-8. */
const isUtf8 = 0x800;

/** The systems that an entry may be made on. */
const unix = 3;
const mac = 19;

/** The extra field that holds a name in UTF-8 (Info-ZIP). */
const unicodePath = 0x7075;

/** Whether the name of an entry is in an encoding that nothing tells. */
function isOldName({ fileNameRaw, generalPurposeBitFlag, extraFields }: yauzl.Entry): boolean {
  const bytes = new Uint8Array(fileNameRaw);
  if (bytes.every((byte) => byte < 0x80)) return false;
  // Some programs set the flag, and write the encoding of their system.
  if (generalPurposeBitFlag & isUtf8 && isIn("utf-8", bytes)) return false;
  return nameIn(extraFields, bytes) === undefined;
}

/**
 * The path of an entry. Without the flag for UTF-8 it is in the code page of the IBM PC by the
 * standard, but programs write that of their own system, and on Unix UTF-8.
 *
 * @param encoding of names that do not tell theirs
 */
function pathOf(entry: yauzl.Entry, encoding: string): string {
  const bytes = new Uint8Array(entry.fileNameRaw);
  const isUnicode = encoding === "utf-8" || !isOldName(entry) ||
    (isIn("utf-8", bytes) && (isFromUnix(entry.versionMadeBy) || isLong(bytes)));
  const text = nameIn(entry.extraFields, bytes) ??
    (isUnicode ? null : decodeAs(encoding, bytes)) ?? decodeName(bytes);
  // Some programs on Windows write their own separators. Half a character may have that byte, too.
  return text.replaceAll("\\", "/");
}

/** Whether so many bytes beyond ASCII are not valid as UTF-8 by chance. */
function isLong(bytes: Bytes): boolean {
  return bytes.filter((byte) => byte >= 0x80).length >= 8;
}

/** The name in an extra field, if that is of the present name. */
function nameIn(fields: yauzl.ExtraField[], bytes: Bytes): string | undefined {
  const data = fields.find(({ id }) => id === unicodePath)?.data;
  if (!data || data.length < 6 || data[0] !== 1 || data.readUInt32LE(1) !== crc32(bytes)) return;
  return decodeName(new Uint8Array(data.subarray(5)));
}

/** Whether an entry was made on a system that tells the kinds of entries. */
function isFromUnix(versionMadeBy: number): boolean {
  return [unix, mac].includes(versionMadeBy >> 8);
}
