import { brokenArchiveError, type Bytes, type ByteStream } from "./archived_entry.ts";
import { ByteReader } from "./byte_reader.ts";
import { numberAt } from "./framing.ts";

/** The types of chunks. */
const packed = 0x00;
const plain = 0x01;
const firstSkipped = 0x80;
const beginning = 0xff;

const name = "sNaPpY";

/** The most that comes out of a chunk, in bytes, and the longest chunk of it. */
const maxBytes = 64 * 1024;
const maxChunkBytes = 80 * 1024;

/** Table of CRC-32C (Castagnoli), reversed. */
const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let sum = index;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >>> 1 ^ 0x82f63b78 : sum >>> 1;
  return sum;
});

/**
 * Decodes the framing format of Snappy chunk by chunk. The library's own stream waits for half a
 * minute when it is given damaged bytes.
 *
 * @param decompress decompresses the bytes of one chunk
 * @throws {DomainError} `broken_archive`
 */
export async function* decodeSnappy(
  stream: ByteStream,
  decompress: (bytes: Bytes) => Uint8Array,
): ByteStream {
  const reader = new ByteReader(stream);
  try {
    for (let head = await reader.take(4); head; head = await reader.take(4)) {
      const [type = 0] = head;
      const length = numberAt(head, 1, 3);
      if (type === packed || type === plain) {
        yield await chunkOf(reader, length, type === packed, decompress);
      } else if (type === beginning) {
        const found = new TextDecoder().decode(await reader.need(Math.min(length, name.length)));
        if (found !== name || length !== name.length) {
          throw brokenArchiveError("it is not a Snappy stream");
        }
      } else if (type >= firstSkipped) await reader.skip(length);
      else throw brokenArchiveError("a chunk in it is of an unknown kind");
    }
  } finally {
    await reader.close();
  }
}

async function chunkOf(
  reader: ByteReader,
  length: number,
  isPacked: boolean,
  decompress: (bytes: Bytes) => Uint8Array,
): Promise<Bytes> {
  if (length < 4 || length > maxChunkBytes) {
    throw brokenArchiveError("a chunk in it has a wrong length");
  }
  const expected = numberAt(await reader.need(4), 0, 4);
  const chunk = await reader.need(length - 4);
  const bytes = isPacked ? decompress(within(chunk)) as Bytes : chunk;
  if (bytes.length > maxBytes || maskedSum(bytes) !== expected) {
    throw brokenArchiveError("the checksum of a chunk in it is wrong");
  }
  return bytes;
}

/** Checks the size that a packed chunk says to have, in seven bits a byte: the library takes it. */
function within(chunk: Bytes): Bytes {
  const [first = 0, second = 0, third = 0] = chunk;
  const isShort = first < 0x80 || second < 0x80 || third < 0x80;
  const size = (first & 0x7f) | (first < 0x80 ? 0 : (second & 0x7f) << 7) |
    (first < 0x80 || second < 0x80 ? 0 : (third & 0x7f) << 14);
  if (isShort && size <= maxBytes) return chunk;
  throw brokenArchiveError("a chunk in it is too large");
}

/** The checksum of a chunk, turned and shifted as the format has it. */
function maskedSum(bytes: Bytes): number {
  let sum = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) {
    sum = sum >>> 8 ^ (table[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  }
  sum = (sum ^ 0xffffffff) >>> 0;
  return ((sum >>> 15 | sum << 17) + 0xa282ead8) >>> 0;
}
