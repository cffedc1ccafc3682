/** A Worker that deflates parts of streams. */
import { serveWorker } from "../../core/concurrency/serve_worker.ts";
import type { Bytes } from "../../core/concurrency/protocol.ts";
import { release } from "./codecs/codec.ts";
import { deflatePart } from "./deflate.ts";

/** A part to deflate. */
export interface DeflateOrder {
  bytes: Bytes;
  level: number;
}

/** The idle time after which the worker ends. */
const idleMs = 10_000;

const work = {
  /** Deflates a part as `deflatePart()` does. */
  deflate({ bytes, level }: DeflateOrder): Bytes {
    const deflated = deflatePart(bytes, level);
    release(bytes);
    return deflated;
  },
};

/** The functions of this worker. */
export type DeflateWork = typeof work;

serveWorker(work, { idleMs });
