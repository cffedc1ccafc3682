import { Buffer } from "node:buffer";
import { brokenArchiveError, type Bytes, type ByteStream } from "./archived_entry.ts";
import { type ByteReader, joined } from "./byte_reader.ts";
import { XxHash32 } from "./xxhash32.ts";
import { framesOf, numberAt } from "./framing.ts";

/** How far back a block may refer, in bytes. */
const windowSize = 64 * 1024;

/** The largest blocks, in bytes, by the number in a frame's header. */
const blockSizes = new Map([[4, 64 * 1024], [5, 256 * 1024], [6, 1024 ** 2], [7, 4 * 1024 ** 2]]);

/** Decompresses a block, whose size comes before it, with what came before as a dictionary. */
export type DecompressBlock = (block: Buffer, before: Bytes | null) => Uint8Array;

/** The fields of a frame's header. */
interface Frame {
  areLinked: boolean;
  hasBlockSums: boolean;
  hasSum: boolean;
  maxBytes: number;
}

/**
 * Decodes frames of LZ4 block by block, as the library decompresses only whole ones.
 *
 * @throws {DomainError} `broken_archive`
 */
export function decodeLz4(stream: ByteStream, decompress: DecompressBlock): ByteStream {
  const read = (reader: ByteReader) => blocksOf(reader, decompress);
  return framesOf(stream, { name: "LZ4", magic: 0x184d2204, read });
}

async function* blocksOf(reader: ByteReader, decompress: DecompressBlock): ByteStream {
  const { areLinked, hasBlockSums, hasSum, maxBytes } = await readHeader(reader);
  const sum = new XxHash32();
  let before: Bytes | null = null;
  for (;;) {
    const size = numberAt(await reader.need(4), 0, 4);
    if (size === 0) break;
    const isStored = size >= 2 ** 31;
    const length = size % 2 ** 31;
    if (length > maxBytes) throw brokenArchiveError("a block in it is too long");
    const block = await reader.need(length);
    if (hasBlockSums) await reader.need(4);
    const made = isStored ? block : decompressed(block, maxBytes, before, decompress);
    if (hasSum) sum.update(made);
    if (areLinked) before = lastOf(before, made);
    yield made;
  }
  if (hasSum && numberAt(await reader.need(4), 0, 4) !== sum.digest()) {
    throw brokenArchiveError("its checksum is wrong");
  }
}

async function readHeader(reader: ByteReader): Promise<Frame> {
  const [flags = 0, sizes = 0] = await reader.need(2);
  const maxBytes = blockSizes.get(sizes >> 4 & 7);
  if (flags >> 6 !== 1 || maxBytes === undefined) throw brokenArchiveError("its header is damaged");
  // The size of the content, the number of a dictionary, and a checksum.
  await reader.need((flags & 8 ? 8 : 0) + (flags & 1 ? 4 : 0) + 1);
  return {
    areLinked: (flags & 0x20) === 0,
    hasBlockSums: (flags & 0x10) !== 0,
    hasSum: (flags & 4) !== 0,
    maxBytes,
  };
}

function decompressed(
  block: Bytes,
  maxBytes: number,
  before: Bytes | null,
  decompress: DecompressBlock,
): Bytes {
  const sized = Buffer.alloc(4 + block.length);
  sized.writeUInt32LE(maxBytes, 0);
  sized.set(block, 4);
  return decompress(sized, before) as Bytes;
}

function lastOf(before: Bytes | null, made: Bytes): Bytes {
  if (made.length >= windowSize || !before) return made.slice(-windowSize);
  return joined([before, made]).slice(-windowSize);
}
