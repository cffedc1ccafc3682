import { DomainError } from "../../../shared/errors.ts";
import type { CodecName } from "../format.ts";
import { BlockCodec } from "./blocks.ts";
import type { Codec } from "./codec.ts";
import { GzipCodec } from "./gzip.ts";
import { NativeStreamCodec } from "./native_stream.ts";
import { brotliCodec, zstdCodec } from "./zlib_stream.ts";

/** The used part of bzip2-wasm, which has no types. */
interface Bzip2 {
  init(): Promise<void>;
  compress(bytes: Uint8Array, level: number, maxBytes: number): Uint8Array;
}

/** Makes a codec for one stream. */
type MakeCodec = () => Codec;

/** xz levels from 3 on take at least twice as long and save 10 %. */
const xzPreset = 2;

/** The largest block of bzip2, in bytes; its own level 9. */
const bzip2Block = 900_000;
const bzip2Level = 9;

const lz4Block = 2 ** 20;

const loaders: Record<CodecName, () => MakeCodec | Promise<MakeCodec>> = {
  gzip: () => () => new GzipCodec(),
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
 * @throws {DomainError} `not_supported` when its library does not load here
 */
export async function openCodec(name: CodecName): Promise<Codec> {
  let loading = loaded.get(name);
  if (!loading) {
    loading = Promise.resolve(loaders[name]());
    loaded.set(name, loading);
  }
  try {
    return (await loading)();
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
