import { joined } from "../../../../shared/joined.ts";
import { brokenArchiveError, type Bytes, type ByteStream } from "./archived_entry.ts";
import { ByteReader } from "./byte_reader.ts";

/** Bytes of a chunk that is handed on. */
const gatheredSize = 256 * 1024;

/** Puts small chunks together, as each costs a turn of the decoder. */
export async function* gathered(stream: ByteStream): ByteStream {
  let parts: Bytes[] = [];
  let length = 0;
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    if (length < gatheredSize) continue;
    yield joined(parts);
    parts = [];
    length = 0;
  }
  if (length > 0) yield joined(parts);
}

/** Hands some bytes on, and returns them. */
export async function* passed(reader: ByteReader, length: number): AsyncGenerator<Bytes, Bytes> {
  const bytes = await reader.need(length);
  if (length > 0) yield bytes;
  return bytes;
}

/** A kind of frames. */
export interface FrameKind {
  /** "zstd". */
  name: string;
  /** The number that each begins with. */
  magic: number;
  /** Decodes one, whose first four bytes are read already. */
  read: (reader: ByteReader, head: Bytes) => ByteStream;
}

/** Frames of other data begin with one of sixteen numbers from this on (RFC 8878, 3.1.2). */
const firstSkipped = 0x184d2a50;

/**
 * Reads the frames of a stream, one after the other.
 *
 * @throws {DomainError} `broken_archive`
 */
export async function* framesOf(stream: ByteStream, { name, magic, read }: FrameKind): ByteStream {
  const reader = new ByteReader(stream);
  try {
    for (let head = await reader.take(4); head; head = await reader.take(4)) {
      const number = numberAt(head, 0, 4);
      if (number >= firstSkipped && number < firstSkipped + 16) {
        await reader.skip(numberAt(await reader.need(4), 0, 4));
      } else if (number === magic) yield* read(reader, head);
      else throw brokenArchiveError(`it is not a ${name} stream`);
    }
  } finally {
    await reader.close();
  }
}

/** A number, the lowest byte first. */
export function numberAt(bytes: Bytes, at: number, length: number): number {
  let number = 0;
  for (let index = length - 1; index >= 0; index--) {
    number = number * 256 + (bytes[at + index] ?? 0);
  }
  return number;
}
