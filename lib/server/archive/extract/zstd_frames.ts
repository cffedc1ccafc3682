import { brokenArchive, type Bytes, type ByteStream } from "./archived_entry.ts";
import { ByteReader } from "./byte_reader.ts";
import { gathered, numberAt, passed, skip } from "./framing.ts";

const magic = 0xfd2fb528;

/** Frames to skip begin with one of sixteen numbers from this on. */
const firstSkipped = 0x184d2a50;

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
export async function* zstdFrames(stream: ByteStream): ByteStream {
  const reader = new ByteReader(stream);
  try {
    for (let head = await reader.take(4); head; head = await reader.take(4)) {
      const number = numberAt(head, 0, 4);
      if (number >= firstSkipped && number < firstSkipped + 16) {
        await skip(reader, numberAt(await reader.need(4), 0, 4));
      } else if (number === magic) {
        yield* gathered(restOfFrame(reader, head));
      } else throw brokenArchive("it is no stream of zstd");
    }
  } finally {
    await reader.close();
  }
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
