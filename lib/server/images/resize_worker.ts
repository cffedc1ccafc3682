/** The thread in which previews are made, and the cache is kept in order. */
import { setImmediate } from "node:timers/promises";
import { runInSlices } from "../rpc/slices.ts";
import { openResizer } from "./open_resizer.ts";
import { PreviewCache } from "./preview_cache.ts";
import type { CachePlace, ResizeTask } from "./protocol.ts";
import { sweepCache } from "./sweep_cache.ts";
import { takeOrders } from "./worker_scope.ts";

/** The cache is swept after so many sixteenths of its bound were written. */
const sweepShare = 1 / 16;
/** Starting anew takes some tenths of a second; the memory is better used by others meanwhile. */
const idleMs = 60_000;

const opening = openResizer();
let cache: PreviewCache | undefined;
let place: CachePlace | undefined;
/** Bytes written since the last sweep; the first write of a thread calls for one. */
let unswept = Infinity;
let isSweeping = false;
let isCacheBroken = false;

const { note } = takeOrders<CachePlace, ResizeTask, Uint8Array<ArrayBuffer>>({
  idleMs,
  setUp(given) {
    place = given;
    cache = new PreviewCache(given.folder);
  },
  async perform({ picture, size, format, key }) {
    const resizer = await opening;
    try {
      const result = await resizer.resize(picture, size, format);
      keep(key, result);
      return { result, transfer: [result.buffer] };
    } finally {
      // Given back at once: the collector would let many files pile up first.
      picture.bytes.buffer.transfer(0);
    }
  },
});

note(`Previews: made with ${(await opening).name}`);

/** A preview that can't be kept can still be sent. */
function keep(key: string, bytes: Uint8Array): void {
  try {
    cache?.writeSync(key, bytes);
    unswept += bytes.length;
    isCacheBroken = false;
  } catch (error) {
    if (!isCacheBroken) note(`Previews: cannot be kept in the cache: ${error}`);
    isCacheBroken = true;
  }
  if (place && !isSweeping) sweep(place);
}

async function sweep({ folder, mostBytes }: CachePlace): Promise<void> {
  isSweeping = true;
  // More may have been written while a sweep was under way.
  while (unswept > mostBytes * sweepShare) {
    unswept = 0;
    await setImmediate();
    await runInSlices(sweepCache(folder, mostBytes), new AbortController().signal);
  }
  isSweeping = false;
}
