import { DomainError } from "../../../../shared/errors.ts";
import type { CodecName } from "../format.ts";
import { type Codec, release } from "./codec.ts";
import type { OutputBuffer } from "../output_buffer.ts";
import {
  type BrotliCompress,
  constants,
  crc32,
  createBrotliCompress,
  createZstdCompress,
  type ZstdCompress,
} from "node:zlib";
import type { Deflating } from "../deflate.ts";
import { Deflater } from "../deflater.ts";

/** The used part of bzip2-wasm, which has no types. */
interface Bzip2 {
  init(): Promise<void>;
  compress(bytes: Uint8Array, level: number, maxBytes: number): Uint8Array;
}

/** Makes a codec for one stream; only gzip has options. */
type MakeCodec = (deflating: Deflating) => Codec;

/** xz levels from 3 on take at least twice as long and save 10 %. */
const xzPreset = 2;

/** The largest block of bzip2, in bytes; its own level 9. */
const bzip2Block = 900_000;
const bzip2Level = 9;

const lz4Block = 2 ** 20;

/** Bytes that the other libraries compress at a time; xz takes 10 ms for them. */
const chunkSize = 64 * 1024;

const loaders: Record<CodecName, () => MakeCodec | Promise<MakeCodec>> = {
  gzip: () => (deflating) => new GzipCodec(deflating),
  brotli: () => brotliCodec,
  zstd: () => zstdCodec,
  async snappy() {
    const { Compressor } = await import("snappy");
    return () => new NativeStreamCodec(new Compressor());
  },
  async xz() {
    const { XzCompressor } = await import("@napi-rs/lzma");
    return () => new NativeStreamCodec(new XzCompressor({ preset: xzPreset }));
  },
  async lz4() {
    const { compressFrameSync } = await import("lz4-napi");
    const { Buffer } = await import("node:buffer");
    const options = { contentChecksum: true };
    return () =>
      new BlockCodec(
        lz4Block,
        (block) =>
          compressFrameSync(Buffer.from(block.buffer, block.byteOffset, block.length), options),
      );
  },
  async bzip2() {
    const { default: Bzip2 }: { default: new () => Bzip2 } = await import("bzip2-wasm");
    const bzip2 = new Bzip2();
    await bzip2.init();
    return () =>
      new BlockCodec(bzip2Block, (block) => bzip2.compress(block, bzip2Level, maxBzip2(block)));
  },
};

const loaded = new Map<CodecName, Promise<MakeCodec>>();

/**
 * Opens a codec for one stream. A library is loaded on first use; whether it loads on this system
 * is checked once.
 *
 * @param deflating options of gzip
 * @throws {DomainError} `not_supported` when its library does not load here
 */
export async function openCodec(name: CodecName, deflating: Deflating): Promise<Codec> {
  let loading = loaded.get(name);
  if (!loading) {
    loading = Promise.resolve(loaders[name]());
    loaded.set(name, loading);
  }
  try {
    return (await loading)(deflating);
  } catch {
    throw new DomainError(
      "not_supported",
      `Cannot compress with ${name}: its library does not load on this system`,
    );
  }
}

/** bzip2's upper bound for incompressible input, from its manual. */
function maxBzip2(block: Uint8Array): number {
  return Math.ceil(block.length * 1.01) + 600;
}

/**
 * A codec for libraries that compress only a whole input: the stream is cut into blocks, each a
 * frame of its own. Formats with concatenated frames read as one.
 */
class BlockCodec implements Codec {
  readonly #block: Uint8Array<ArrayBuffer>;
  readonly #compress: (block: Uint8Array<ArrayBuffer>) => Uint8Array;
  #used = 0;
  #hasWritten = false;

  /** @param size of a block, in bytes */
  constructor(size: number, compress: (block: Uint8Array<ArrayBuffer>) => Uint8Array) {
    this.#block = new Uint8Array(size);
    this.#compress = compress;
  }

  async write(bytes: Uint8Array, into: OutputBuffer): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const part = bytes.subarray(done, done + this.#block.length - this.#used);
      this.#block.set(part, this.#used);
      this.#used += part.length;
      done += part.length;
      if (this.#used === this.#block.length) await this.#handOn(into);
    }
  }

  async end(into: OutputBuffer): Promise<void> {
    if (this.#used > 0 || !this.#hasWritten) await this.#handOn(into);
  }

  async #handOn(into: OutputBuffer): Promise<void> {
    const compressed = this.#compress(this.#block.subarray(0, this.#used));
    this.#used = 0;
    this.#hasWritten = true;
    await into.write(compressed);
    release(compressed);
    if (into.pauses.isDue) await into.pauses.pause();
  }
}

/** RFC 1952: deflated, no name, no time, fast algorithm unspecified, made on Unix. */
const gzipHead = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);

/** gzip as one member: some programs read only the first. */
class GzipCodec implements Codec {
  readonly isFast = true;
  readonly #deflater: Deflater;
  #crc = 0;
  #length = 0;

  constructor(deflating: Deflating) {
    this.#deflater = new Deflater(deflating);
  }

  async write(bytes: Uint8Array<ArrayBuffer>, into: OutputBuffer): Promise<void> {
    if (this.#length === 0) await into.write(gzipHead);
    this.#crc = crc32(bytes, this.#crc);
    this.#length += bytes.length;
    await this.#deflater.write(bytes, into);
  }

  async end(into: OutputBuffer): Promise<void> {
    await this.#deflater.end(into);
    const tail = new DataView(new ArrayBuffer(8));
    tail.setUint32(0, this.#crc, true);
    tail.setUint32(4, this.#length % 2 ** 32, true);
    await into.write(new Uint8Array(tail.buffer));
  }
}

/** A compressor of the napi-rs packages: takes chunks, returns the output available so far. */
interface NativeCompressor {
  update(bytes: Uint8Array): Uint8Array;
  finish(): Promise<Uint8Array>;
}

/** A codec for such a compressor: one continuous stream. */
class NativeStreamCodec implements Codec {
  readonly #compressor: NativeCompressor;
  #isFinished = false;

  constructor(compressor: NativeCompressor) {
    this.#compressor = compressor;
  }

  async write(bytes: Uint8Array, into: OutputBuffer): Promise<void> {
    for (let start = 0; start < bytes.length; start += chunkSize) {
      const made = this.#compressor.update(bytes.subarray(start, start + chunkSize));
      await into.write(made);
      release(made);
      if (into.pauses.isDue) await into.pauses.pause();
    }
  }

  async end(into: OutputBuffer): Promise<void> {
    this.#isFinished = true;
    await into.write(await this.#compressor.finish());
  }

  /** Finishing is the only way to free the library's memory before garbage collection. */
  close(): void {
    if (!this.#isFinished) this.#compressor.finish().catch(() => {});
    this.#isFinished = true;
  }
}

/** At this quality brotli is about as fast as zstd's default, and smaller than gzip. */
const brotliQuality = 4;

/**
 * Brotli's window as a power of two: 2 MiB. Its default of 4 MiB takes 8 MiB more memory a stream
 * and saves 2 %.
 */
const brotliWindow = 21;

/** A codec for formats that `node:zlib` offers only as a stream. */
class ZlibStreamCodec implements Codec {
  readonly #stream: BrotliCompress | ZstdCompress;
  readonly #failed = Promise.withResolvers<never>();
  #made: Uint8Array[] = [];

  constructor(stream: BrotliCompress | ZstdCompress) {
    this.#stream = stream;
    stream.on("data", (bytes: Uint8Array) => this.#made.push(bytes));
    stream.on("error", this.#failed.reject);
    this.#failed.promise.catch(() => {});
  }

  async write(bytes: Uint8Array, into: OutputBuffer): Promise<void> {
    const written = new Promise<void>((resolve) => this.#stream.write(bytes, () => resolve()));
    await Promise.race([written, this.#failed.promise]);
    await this.#handOn(into);
  }

  async end(into: OutputBuffer): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#stream.once("end", resolve));
    this.#stream.end();
    await Promise.race([ended, this.#failed.promise]);
    await this.#handOn(into);
  }

  close(): void {
    this.#stream.destroy();
  }

  /** Only the buffer of the last bytes may still be filled further. */
  async #handOn(into: OutputBuffer): Promise<void> {
    const made = this.#made.splice(0);
    const filling = made.at(-1)?.buffer;
    for (const bytes of made) await into.write(bytes);
    for (const bytes of made) if (bytes.buffer !== filling) release(bytes);
  }
}

/** Brotli (RFC 7932). It has no frames, so the output is one stream. */
function brotliCodec(): Codec {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_LGWIN]: brotliWindow,
  };
  return new ZlibStreamCodec(createBrotliCompress({ chunkSize, params }));
}

/** Zstandard (RFC 8878) at its default level, with a checksum. */
function zstdCodec(): Codec {
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  return new ZlibStreamCodec(createZstdCompress({ chunkSize, params }));
}
