/** The thread in which previews are made, and the cache is kept in order. */
import { setImmediate } from "node:timers/promises";
import { Pauses } from "../concurrency/pauses.ts";
import { note, serveWorker } from "../concurrency/serve_worker.ts";
import { NoPreview } from "./no_preview.ts";
import { openResizer } from "./open_resizer.ts";
import type { EncodedPicture } from "./picture.ts";
import type { PreviewFormat, PreviewSize } from "./preview.ts";
import { PreviewCache } from "./preview_cache.ts";
import { sweepCache } from "./sweep_cache.ts";

/** A picture to be made smaller. */
export interface ResizeTask {
  picture: EncodedPicture;
  size: PreviewSize;
  format: PreviewFormat;
  /** Under which name the cache keeps the preview. */
  key: string;
  cache: CachePlace;
}

/** Where previews are kept. */
export interface CachePlace {
  folder: string;
  /** How much the cache may hold, in bytes. */
  mostBytes: number;
}

/** A preview; or why the content has none; or a fault, after which the worker is not used again. */
export type ResizeOutcome =
  | { bytes: Uint8Array<ArrayBuffer> }
  | { refusal: string }
  | { failure: string };

/** The cache is swept after so many sixteenths of its bound were written. */
const sweepShare = 1 / 16;
/** Starting anew takes some tenths of a second; the memory is better used by others meanwhile. */
const idleMs = 60_000;

const opening = openResizer();
/** Bytes written since the last sweep; the first write of a thread calls for one. */
let unswept = Infinity;
let isSweeping = false;
let isCacheBroken = false;

const work = { resize };

/** The functions of this worker. */
export type ResizeWork = typeof work;

serveWorker(work, { idleMs });
note(`Previews: made with ${(await opening).name}`);

async function resize(task: ResizeTask): Promise<ResizeOutcome> {
  const { picture, size, format } = task;
  try {
    const resizer = await opening;
    const bytes = await resizer.resize(picture, size, format);
    keep(task, bytes);
    return { bytes };
  } catch (error) {
    return error instanceof NoPreview ? { refusal: error.reason } : { failure: String(error) };
  } finally {
    // Given back at once: the collector would let many files pile up first.
    picture.bytes.buffer.transfer(0);
  }
}

/** A preview that can't be kept can still be sent. */
function keep({ key, cache }: ResizeTask, bytes: Uint8Array): void {
  try {
    new PreviewCache(cache.folder).writeSync(key, bytes);
    unswept += bytes.length;
    isCacheBroken = false;
  } catch (error) {
    if (!isCacheBroken) note(`Previews: cannot be kept in the cache: ${error}`);
    isCacheBroken = true;
  }
  if (!isSweeping) sweep(cache);
}

async function sweep({ folder, mostBytes }: CachePlace): Promise<void> {
  isSweeping = true;
  // More may have been written while a sweep was under way.
  while (unswept > mostBytes * sweepShare) {
    unswept = 0;
    await setImmediate();
    await sweepCache(folder, mostBytes, new Pauses());
  }
  isSweeping = false;
}
