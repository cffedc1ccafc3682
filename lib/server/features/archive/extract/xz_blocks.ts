import {
  archiveTooLargeError,
  brokenArchiveError,
  type Bytes,
  type ByteStream,
} from "./archived_entry.ts";
import { ByteReader } from "./byte_reader.ts";
import { gathered, passed } from "./framing.ts";

const headerSize = 12;
const magic = "fd377a585a00";

/** Bytes of a block's checksum, by the number in the header of its stream. */
const sumSizes = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];

/** The filter that compresses; it is the last one of a block. */
const lzma2 = 0x21;

/** The largest dictionary, in bytes: `xz -9` has half of it. */
const maxDictionaryBytes = 128 * 1024 * 1024;

/**
 * Hands a stream of xz on, but for what would take much memory: the library takes as much as the
 * dictionary of a block asks for, up to 4 GiB, before it decodes a byte.
 *
 * @throws {DomainError} `archive_too_large`, `broken_archive`
 */
export async function* xzBlocks(stream: ByteStream): ByteStream {
  const reader = new ByteReader(stream);
  try {
    yield* gathered(streamsOf(reader));
  } finally {
    await reader.close();
  }
}

async function* streamsOf(reader: ByteReader): ByteStream {
  for (let word = await reader.take(4); word; word = await reader.take(4)) {
    yield word;
    // Words of zeros may come after a stream.
    if (word.every((byte) => byte === 0)) continue;
    const rest = yield* passed(reader, headerSize - word.length);
    if (word.toHex() + rest.subarray(0, 2).toHex() !== magic) {
      throw brokenArchiveError("it is not an xz stream");
    }
    yield* blocksOf(reader, sumSizes[(rest[3] ?? 0) & 15] ?? 0);
  }
}

async function* blocksOf(reader: ByteReader, sumSize: number): ByteStream {
  for (;;) {
    const [size = 0] = yield* passed(reader, 1);
    if (size === 0) return yield* restOfStream(reader);
    const header = yield* passed(reader, (size + 1) * 4 - 1);
    if (dictionaryOf(header) > maxDictionaryBytes) {
      throw archiveTooLargeError("it requires too much memory");
    }
    const length = yield* chunksOf(reader);
    yield* passed(reader, padding(length) + sumSize);
  }
}

/** The chunks of a block, up to its end. @returns how many bytes they have */
async function* chunksOf(reader: ByteReader): AsyncGenerator<Bytes, number> {
  for (let length = 1;; length++) {
    const [control = 0] = yield* passed(reader, 1);
    if (control === 0) return length;
    const isPacked = control >= 0x80;
    const header = yield* passed(reader, isPacked ? 4 + (control >= 0xc0 ? 1 : 0) : 2);
    const at = isPacked ? 2 : 0;
    const size = ((header[at] ?? 0) << 8 | (header[at + 1] ?? 0)) + 1;
    yield* passed(reader, size);
    length += header.length + size;
  }
}

/** The index, whose first byte was read, and the footer. */
async function* restOfStream(reader: ByteReader): ByteStream {
  const counted = yield* numberFrom(reader);
  let length = 1 + counted.length;
  for (let left = counted.number * 2; left > 0; left--) {
    length += (yield* numberFrom(reader)).length;
  }
  yield* passed(reader, padding(length) + 4 + headerSize);
}

/** A number in seven bits a byte, the lowest first. */
async function* numberFrom(
  reader: ByteReader,
): AsyncGenerator<Bytes, { number: number; length: number }> {
  let number = 0;
  for (let length = 1; length <= 9; length++) {
    const [byte = 0] = yield* passed(reader, 1);
    number += (byte & 0x7f) * 2 ** (7 * (length - 1));
    if (byte < 0x80) return { number, length };
  }
  throw brokenArchiveError("a number in it is too long");
}

/** The dictionary that a block asks for, in bytes, from its header without the first byte. */
function dictionaryOf(header: Bytes): number {
  const [flags = 0] = header;
  let at = 1;
  const next = () => {
    let number = 0;
    for (let shift = 0; at < header.length; shift += 7) {
      const byte = header[at++] ?? 0;
      number += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return number;
    }
    throw brokenArchiveError("a header in it is damaged");
  };
  if (flags & 0x40) next();
  if (flags & 0x80) next();
  for (let left = (flags & 3) + 1; left > 0; left--) {
    const filter = next();
    const size = next();
    if (filter === lzma2) {
      const bits = header[at] ?? 0;
      return (2 | bits & 1) * 2 ** (Math.floor(bits / 2) + 11);
    }
    at += size;
  }
  throw brokenArchiveError("a header in it names no known filter");
}

/** The number of bytes to the next multiple of four. */
function padding(length: number): number {
  return (4 - length % 4) % 4;
}
