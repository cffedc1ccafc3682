import {
  type BrotliCompress,
  constants,
  createBrotliCompress,
  createZstdCompress,
  type ZstdCompress,
} from "node:zlib";
import type { Pages } from "../pages.ts";
import type { Codec } from "./codec.ts";

const chunkSize = 64 * 1024;

/** Where brotli is about as fast as zstd's default and smaller than gzip's. */
const brotliQuality = 4;

/**
 * How far back brotli refers, as a power of two of bytes: 2 MiB. Its own default, 4 MiB, takes 8 MiB
 * more for each stream, and saves a fiftieth.
 */
const brotliWindow = 21;

/** A codec that `node:zlib` has as a stream alone. */
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

  async write(bytes: Uint8Array, into: Pages): Promise<void> {
    const written = new Promise<void>((resolve) => this.#stream.write(bytes, () => resolve()));
    await Promise.race([written, this.#failed.promise]);
    await this.#handOn(into);
  }

  async end(into: Pages): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#stream.once("end", resolve));
    this.#stream.end();
    await Promise.race([ended, this.#failed.promise]);
    await this.#handOn(into);
  }

  close(): void {
    this.#stream.destroy();
  }

  async #handOn(into: Pages): Promise<void> {
    for (const bytes of this.#made.splice(0)) await into.write(bytes);
  }
}

/** Brotli (RFC 7932), which knows no frames: it has to be one stream. */
export function brotliCodec(): Codec {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_LGWIN]: brotliWindow,
  };
  return new ZlibStreamCodec(createBrotliCompress({ chunkSize, params }));
}

/** Zstandard (RFC 8878) at its default level, with a checksum. */
export function zstdCodec(): Codec {
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  return new ZlibStreamCodec(createZstdCompress({ chunkSize, params }));
}
