import { type Duplex, pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createZstdDecompress } from "node:zlib";
import type { CodecName } from "../format.ts";
import { bzip2Decoder } from "./bzip2_blocks.ts";
import { type Bytes, type ByteStream, unsupportedArchiveError } from "./archived_entry.ts";
import { decodeLz4 } from "./lz4_frames.ts";
import { decodeSnappy } from "./snappy_frames.ts";
import { xzBlocks } from "./xz_blocks.ts";
import { zstdFrames } from "./zstd_frames.ts";

/** Decodes a compressed stream. Errors of the library mean that it is damaged. */
export type Decode = (stream: ByteStream) => ByteStream;

/** A library's decoder of web streams, which keeps back-pressure. */
type WebDecoder = (input: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;

const loaders: Record<CodecName, () => Decode | Promise<Decode>> = {
  gzip: () => (stream) => decodeBy(() => createGunzip({ chunkSize }), stream),
  brotli: () => (stream) => decodeBy(() => createBrotliDecompress({ chunkSize }), stream),
  zstd: () => (stream) => decodeBy(() => createZstdDecompress({ chunkSize }), zstdFrames(stream)),
  async snappy() {
    const { uncompressSync } = await import("snappy");
    return (stream) => {
      return decodeSnappy(
        stream,
        (chunk) => uncompressSync(chunk, { asBuffer: true }) as Uint8Array,
      );
    };
  },
  async xz() {
    const { decompressStream } = await import("@napi-rs/lzma/xz");
    return (stream) => decodeByWeb(decompressStream, xzBlocks(stream));
  },
  async lz4() {
    const { uncompressSync } = await import("lz4-napi");
    return (stream) => decodeLz4(stream, uncompressSync);
  },
  bzip2: bzip2Decoder,
};

/** Bytes of a decoded chunk. */
const chunkSize = 256 * 1024;

const loaded = new Map<CodecName, Promise<Decode>>();

/**
 * The decoder of a codec, whose library is loaded on first use.
 *
 * @throws {DomainError} `not_supported` when its library does not load here
 */
export async function loadDecoder(name: CodecName): Promise<Decode> {
  let loading = loaded.get(name);
  if (!loading) {
    loading = Promise.resolve(loaders[name]());
    loaded.set(name, loading);
  }
  try {
    return await loading;
  } catch {
    throw unsupportedArchiveError(`the library for ${name} does not load on this system`);
  }
}

/** Decodes by a stream of `node:zlib`. */
export async function* decodeBy(make: () => Duplex, stream: ByteStream): ByteStream {
  const decoder = make();
  pipeline(Readable.from(stream, { highWaterMark: 1 }), decoder, () => {});
  yield* decoder as AsyncIterable<Bytes>;
}

/** An error of the stream itself stays what it is: the library makes one of its own of it. */
async function* decodeByWeb(decode: WebDecoder, stream: ByteStream): ByteStream {
  let failure: unknown;
  async function* watched(): ByteStream {
    try {
      yield* stream;
    } catch (error) {
      throw failure = error;
    }
  }
  try {
    yield* decode(ReadableStream.from(watched())) as ReadableStream<Bytes>;
  } catch (error) {
    throw failure ?? error;
  }
}
