import { decodeName } from "../../../../shared/entry_names.ts";
import { joined } from "../../../../shared/joined.ts";
import { blockSize } from "../tar/header.ts";
import {
  type ArchivedEntry,
  brokenArchiveError,
  type Bytes,
  type ByteStream,
  unsafeArchiveError,
} from "./archived_entry.ts";
import type { ByteReader } from "./byte_reader.ts";
import { filled, readSparse } from "./sparse_file.ts";
import { type Header, readHeader, textOf } from "./tar_header.ts";

/** The longest header that holds a name or other facts, in bytes: it is read at once. */
const maxHeaderBytes = 1024 * 1024;

/** How much may come after the end, in bytes: programs fill the last of their records up. */
const maxPaddingBytes = 16 * 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The fact that holds all pieces of a sparse file, divided by commas. */
const sparseMap = "GNU.sparse.map";
const comma = new TextEncoder().encode(",");

/** The type of a header that names the whole archive (GNU). */
const volumeLabel = "V";

/** Facts from extended headers (POSIX.1-2001, pax), by their keys. */
type Extended = Map<string, Bytes>;

/** Makes a text of the bytes of a path. */
export type ReadName = (bytes: Bytes) => string | Promise<string>;

/**
 * Reads a tar of any usual format (v7, ustar, pax, GNU) as a stream. Headers of names are read up
 * to a limit, so that no archive takes much memory. Content that the caller leaves is skipped.
 *
 * @param reader is closed at the end
 * @param readName for paths in other encodings than UTF-8
 * @throws {DomainError} `broken_archive`; `unsafe_archive` for a long header; `not_supported`
 */
export async function* readTar(
  reader: ByteReader,
  readName: ReadName = decodeName,
): AsyncGenerator<ArchivedEntry, void> {
  try {
    const global: Extended = new Map();
    let extended: Extended = new Map();
    let start = 0;
    for (;;) {
      if (extended.size === 0) start = reader.position;
      const header = readHeader(await reader.need(blockSize));
      if (!header) return await readPadding(reader);
      const { type } = header;
      if (type === "x" || type === "X") addRecords(await longHeader(reader, header), extended);
      else if (type === "g") addRecords(await longHeader(reader, header), global);
      else if (type === "L") extended.set("path", textOf(await longHeader(reader, header)));
      else if (type === "K") extended.set("linkpath", textOf(await longHeader(reader, header)));
      else if (type === volumeLabel) await longHeader(reader, header);
      else {
        const facts = new Map([...global, ...extended]);
        yield* entryOf(reader, { header, facts, start, readName });
        extended = new Map();
      }
    }
  } finally {
    await reader.close();
  }
}

interface Entry {
  header: Header;
  facts: Extended;
  /** Where its headers begin. */
  start: number;
  readName: ReadName;
}

async function* entryOf(
  reader: ByteReader,
  { header, facts, start, readName }: Entry,
): AsyncGenerator<ArchivedEntry, void> {
  const fact = (key: string) => {
    const bytes = facts.get(key);
    return bytes && decodeName(bytes);
  };
  const path = await readName(facts.get("GNU.sparse.name") ?? facts.get("path") ?? header.path);
  const kind = kindOf(header.type, path);
  const isEmpty = kind === "link" || kind === "copy";
  const stored = isEmpty ? 0 : numberOf(facts, "size") ?? header.size;
  if (!Number.isSafeInteger(stored) || stored < 0) {
    throw brokenArchiveError(`"${path}" has no size`);
  }
  const modified = Math.round((numberOf(facts, "mtime") ?? header.modified) * 1000);
  let left = stored;
  const before = reader.position;
  const sparse = kind === "file" ? await readSparse(reader, header.block, fact, stored) : null;
  if (sparse && header.type !== "S") left -= reader.position - before;
  const place = sparse ? { at: start, isSparse: true } : { at: reader.position };
  async function* data(length = left): ByteStream {
    for (let missing = length; missing > 0;) {
      const part = await reader.some(missing);
      if (!part) throw brokenArchiveError("it is truncated");
      missing -= part.length;
      left -= part.length;
      yield part;
    }
  }
  const content = () => sparse ? filled(sparse, data) : data();
  const size = sparse?.size ?? stored;
  const original = await readName(facts.get("linkpath") ?? header.link);
  const mode = Number.isNaN(header.mode) ? null : header.mode;
  yield { path, kind, size, modified, mode, content, original, place };
  await reader.skip(left);
  await reader.skip((blockSize - stored % blockSize) % blockSize);
}

function kindOf(type: string, path: string): ArchivedEntry["kind"] {
  if (type === "5" || type === "D") return "folder";
  if (type === "0" || type === "7" || type === "S") return path.endsWith("/") ? "folder" : "file";
  if (type === "2") return "link";
  if (type === "1") return "copy";
  // A device, a pipe, or what other programs have invented.
  return "other";
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
  const pieces: Bytes[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const equals = bytes.indexOf(0x3d, at);
    const length = Number(decodeName(bytes.subarray(at, Math.max(at, space))));
    const end = at + length;
    if (!(length > 0 && space < equals && equals < end && end <= bytes.length)) {
      throw brokenArchiveError("an extended header in it is damaged");
    }
    const key = decodeName(bytes.subarray(space + 1, equals));
    const value = bytes.subarray(equals + 1, end - 1);
    // pax 0.0 of GNU repeats these two for each piece of a sparse file; 0.1 has all in one.
    if (key === "GNU.sparse.offset" || key === "GNU.sparse.numbytes") pieces.push(value, comma);
    else into.set(key, value);
    at = end;
  }
  if (pieces.length > 0) into.set(sparseMap, joined(pieces.slice(0, -1)));
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
