/** The Worker that makes previews and sweeps their cache. */
import { note, serveWorker } from "../../../core/concurrency/serve_worker.ts";
import { NoPreview } from "./no_preview.ts";
import { type EncodedPicture, kindOf } from "./picture.ts";
import { type PreviewFormat, type PreviewSize, shapes } from "./preview.ts";
import { PreviewCache } from "./preview_cache.ts";
import type { Resizer } from "./resizer.ts";
import { openSharp } from "./sharp_resizer.ts";
import { rgbaToThumbHash } from "thumbhash";

/** A picture to resize, or those of a folder's cover. */
export interface ResizeTask {
  pictures: [EncodedPicture, ...EncodedPicture[]];
  /** Whether to compose the cover of a folder. */
  isCover?: boolean;
  size: PreviewSize;
  format: PreviewFormat;
  /** The cache key of the preview. */
  key: string;
  cache: CachePlace;
}

/** Location and limit of the cache. */
export interface CachePlace {
  folder: string;
  /** Maximum size, in bytes; that of `CacheFolder` by default. */
  maxBytes?: number;
}

/**
 * A preview; or the reason why the content has none; or a fault, after which the worker is
 * discarded.
 */
export type ResizeOutcome =
  | { bytes: Uint8Array<ArrayBuffer> }
  | { refusal: string }
  | { failure: string };

/** The idle time after which the worker ends, as a restart takes only some tenths of a second. */
const idleMs = 60_000;

const opening = openResizer();
/** The cache, which the first task names. */
let opened: PreviewCache | undefined;
let isCacheBroken = false;

const work = { resize };

/** The functions of this worker. */
export type ResizeWork = typeof work;

serveWorker(work, { idleMs });
note(`Previews: made with ${(await opening).name}`);

async function resize(task: ResizeTask): Promise<ResizeOutcome> {
  const { pictures, isCover, size, format } = task;
  try {
    const resizer = await opening;
    const bytes = isCover
      ? await resizer.compose(pictures, size, format)
      : await resizer.resize(pictures[0], size, format);
    await keep(task, bytes, shapes[size].isThumb ? await thumbHashOf(bytes, resizer) : null);
    return { bytes };
  } catch (error) {
    return error instanceof NoPreview ? { refusal: error.reason } : { failure: String(error) };
  } finally {
    // Freed at once: many files would pile up before garbage collection.
    for (const { bytes } of pictures) bytes.buffer.transfer(0);
  }
}

/** A preview that can't be cached can still be sent. */
async function keep(
  { key, cache: { folder, maxBytes } }: ResizeTask,
  bytes: Uint8Array,
  hash: Uint8Array | null,
): Promise<void> {
  const cache = opened ??= new PreviewCache(folder, maxBytes);
  try {
    await cache.write(key, bytes, hash);
    isCacheBroken = false;
  } catch (error) {
    if (!isCacheBroken) note(`Previews: cannot write the cache: ${error}`);
    isCacheBroken = true;
  }
  void cache.sweep();
}

/** Chooses the decoders once: native code where it loads, else JavaScript and WebAssembly. */
async function openResizer(): Promise<Resizer> {
  const sharp = await openSharp();
  if (sharp) return sharp;
  const { openPortableResizer } = await import("./portable_resizer.ts");
  return openPortableResizer();
}

/** The ThumbHash of a thumbnail: its blurred colours in about 25 bytes. */
async function thumbHashOf(
  thumbnail: Uint8Array<ArrayBuffer>,
  resizer: Resizer,
): Promise<Uint8Array | null> {
  const kind = kindOf(thumbnail);
  if (!kind) return null;
  const { bytes, width, height } = await resizer.tiny({ kind, bytes: thumbnail });
  return rgbaToThumbHash(width, height, bytes);
}
