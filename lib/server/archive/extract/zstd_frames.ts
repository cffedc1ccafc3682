import type { Bytes, ByteStream } from "./archived_entry.ts";
import type { ByteReader } from "./byte_reader.ts";
import { framesOf, gathered, numberAt, passed } from "./framing.ts";

/** The type of a block that holds one byte, to be repeated. */
const repeated = 1;

/** Lengths of the fields of a frame's header, by the bits that tell them (RFC 8878). */
const idLengths = [0, 1, 2, 4];
const sizeLengths = [0, 2, 4, 8];

/**
 * Cuts a stream so that each frame of zstd begins with a chunk of its own: the decoder of
 * `node:zlib` drops what follows a frame in a chunk, and does not notice that a frame breaks off.
 *
 * @throws {DomainError} `broken_archive`
 */
export function zstdFrames(stream: ByteStream): ByteStream {
  const read = (reader: ByteReader, head: Bytes) => gathered(restOfFrame(reader, head));
  return framesOf(stream, { name: "zstd", magic: 0xfd2fb528, read });
}

async function* restOfFrame(reader: ByteReader, head: Bytes): ByteStream {
  yield head;
  const [descriptor = 0] = yield* passed(reader, 1);
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeLength = sizeLengths[descriptor >> 6] || (isSingle ? 1 : 0);
  yield* passed(reader, (isSingle ? 0 : 1) + (idLengths[descriptor & 3] ?? 0) + sizeLength);
  for (let isLast = false; !isLast;) {
    const header = numberAt(yield* passed(reader, 3), 0, 3);
    isLast = (header & 1) !== 0;
    yield* passed(reader, (header >> 1 & 3) === repeated ? 1 : header >> 3);
  }
  if (descriptor & 4) yield* passed(reader, 4);
}
