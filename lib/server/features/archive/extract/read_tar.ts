import { decodeName } from "../../../../shared/entry_names.ts";
import { blockSize } from "../tar/header.ts";
import {
  type ArchivedEntry,
  brokenArchiveError,
  type Bytes,
  type ByteStream,
  unsafeArchiveError,
  unsupportedArchiveError,
} from "./archived_entry.ts";
import { ByteReader } from "./byte_reader.ts";

/** The longest header that holds a name or other facts, in bytes: it is read at once. */
const maxHeaderBytes = 1024 * 1024;

/** How much may come after the end, in bytes: programs fill the last of their records up. */
const maxPaddingBytes = 16 * 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Facts from extended headers (POSIX.1-2001, pax), by their keys. */
type Extended = Map<string, Bytes>;

/** A header of an entry or of more facts about the next one. */
interface Header {
  path: Bytes;
  size: number;
  modified: number;
  mode: number;
  type: string;
  /** Where a link leads. */
  link: Bytes;
}

/**
 * Reads a tar of any usual format (v7, ustar, pax, GNU) as a stream. Headers of names are read up
 * to a limit, so that no archive takes much memory. Content that the caller leaves is skipped.
 *
 * @param reader is closed at the end
 * @throws {DomainError} `broken_archive`; `unsafe_archive` for a long header; `not_supported`
 */
export async function* readTar(reader: ByteReader): AsyncGenerator<ArchivedEntry, void> {
  try {
    const global: Extended = new Map();
    let extended: Extended = new Map();
    for (;;) {
      const header = readHeader(await reader.need(blockSize));
      if (!header) return await readPadding(reader);
      const { type } = header;
      if (type === "x") addRecords(await longHeader(reader, header), extended);
      else if (type === "g") addRecords(await longHeader(reader, header), global);
      else if (type === "L") extended.set("path", textOf(await longHeader(reader, header)));
      else if (type === "K") extended.set("linkpath", textOf(await longHeader(reader, header)));
      else {
        yield* entryOf(reader, header, new Map([...global, ...extended]));
        extended = new Map();
      }
    }
  } finally {
    await reader.close();
  }
}

async function* entryOf(
  reader: ByteReader,
  header: Header,
  facts: Extended,
): AsyncGenerator<ArchivedEntry, void> {
  const path = decodeName(facts.get("path") ?? header.path);
  if (header.type === "S" || [...facts.keys()].some((key) => key.startsWith("GNU.sparse."))) {
    throw unsupportedArchiveError(`"${path}" is a sparse file`);
  }
  const kind = kindOf(header.type, path);
  const isEmpty = kind === "link" || kind === "copy";
  const size = isEmpty ? 0 : numberOf(facts, "size") ?? header.size;
  if (!Number.isSafeInteger(size) || size < 0) throw brokenArchiveError(`"${path}" has no size`);
  const modified = Math.round((numberOf(facts, "mtime") ?? header.modified) * 1000);
  let left = size;
  const place = { at: reader.position };
  async function* content(): ByteStream {
    while (left > 0) {
      const part = await reader.some(left);
      if (!part) throw brokenArchiveError("it is truncated");
      left -= part.length;
      yield part;
    }
  }
  const original = decodeName(facts.get("linkpath") ?? header.link);
  const mode = Number.isNaN(header.mode) ? null : header.mode;
  yield { path, kind, size, modified, mode, content, original, place };
  await reader.skip(left);
  await reader.skip((blockSize - size % blockSize) % blockSize);
}

/** @returns null for the end of the archive: a block of zeros */
function readHeader(block: Bytes): Header | null {
  let sum = 0;
  for (let at = 0; at < blockSize; at++) sum += at >= 148 && at < 156 ? 0x20 : block[at] ?? 0;
  if (sum === 8 * 0x20 && block.every((byte) => byte === 0)) return null;
  if (readNumber(block, 148, 8) !== sum) throw brokenArchiveError("a header in it is damaged");
  const name = textOf(block.subarray(0, 100));
  const isUstar = decodeName(block.subarray(257, 263)) === "ustar\0";
  const prefix = isUstar ? textOf(block.subarray(345, 500)) : new Uint8Array(0);
  const path = prefix.length === 0 ? name : new Uint8Array([...prefix, 0x2f, ...name]);
  return {
    path,
    size: readNumber(block, 124, 12),
    modified: readNumber(block, 136, 12),
    mode: readNumber(block, 100, 8),
    link: textOf(block.subarray(157, 257)),
    type: String.fromCharCode(block[156] || 0x30),
  };
}

/** The bytes before a NUL. */
function textOf(field: Bytes): Bytes {
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
}

/** A number in octal digits, or of GNU in base 256 with its first bit set. */
function readNumber(block: Bytes, at: number, length: number): number {
  const field = block.subarray(at, at + length);
  const [first = 0] = field;
  if (first & 0x80) {
    const isNegative = (first & 0x40) !== 0;
    const start = isNegative ? first - 0x100 : first & 0x3f;
    return field.subarray(1).reduce((sum, byte) => sum * 256 + byte, start);
  }
  const digits = decodeName(textOf(field)).trim();
  if (digits === "") return 0;
  return /^[0-7]+$/.test(digits) ? parseInt(digits, 8) : NaN;
}

function kindOf(type: string, path: string): ArchivedEntry["kind"] {
  if (type === "5" || type === "D") return "folder";
  if (type === "0" || type === "7") return path.endsWith("/") ? "folder" : "file";
  if (type === "2") return "link";
  if (type === "1") return "copy";
  if (type === "3" || type === "4" || type === "6") return "other";
  throw unsupportedArchiveError(`"${path}" is of the unknown kind "${type}"`);
}

async function longHeader(reader: ByteReader, { size }: Header): Promise<Bytes> {
  if (!(size >= 0 && size <= maxHeaderBytes)) {
    throw unsafeArchiveError("a header in it is too long");
  }
  // A copy: the records in it are kept.
  const bytes = (await reader.need(size)).slice();
  await reader.take((blockSize - size % blockSize) % blockSize);
  return bytes;
}

/** Reads records of the form "LENGTH KEY=VALUE\n". */
function addRecords(bytes: Bytes, into: Extended): void {
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const equals = bytes.indexOf(0x3d, at);
    const length = Number(decodeName(bytes.subarray(at, Math.max(at, space))));
    const end = at + length;
    if (!(length > 0 && space < equals && equals < end && end <= bytes.length)) {
      throw brokenArchiveError("an extended header in it is damaged");
    }
    into.set(decodeName(bytes.subarray(space + 1, equals)), bytes.subarray(equals + 1, end - 1));
    at = end;
  }
}

function numberOf(facts: Extended, key: string): number | undefined {
  const bytes = facts.get(key);
  return bytes === undefined ? undefined : Number(decoder.decode(bytes));
}

/** Reads the stream to its end, so that its checksum is checked. */
async function readPadding(reader: ByteReader): Promise<void> {
  for (let read = 0; read < maxPaddingBytes;) {
    const part = await reader.some(maxPaddingBytes);
    if (!part) return;
    read += part.length;
  }
}
