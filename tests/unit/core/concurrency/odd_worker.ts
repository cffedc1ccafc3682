/** A worker that answers, streams, refuses and dies. */
import { DomainError } from "../../../../lib/shared/errors.ts";
import {
  note,
  serveWorker,
  type WorkerCall,
} from "../../../../lib/server/core/concurrency/serve_worker.ts";

let sent = 0;
let cancelled = 0;

const work = {
  add: ({ a, b }: { a: number; b: number }) => a + b,
  bytes: ({ size }: { size: number }) => ({ size, content: new Uint8Array(size) }),
  refuse() {
    throw new DomainError("not_found", "Cannot find it");
  },
  fail() {
    throw new TypeError("a fault");
  },
  note: ({ text }: { text: string }) => note(text),
  counts: () => ({ sent, cancelled }),

  die() {
    setTimeout(() => {
      throw new Error("died");
    }, 0);
    return new Promise<void>(() => {});
  },

  async wait(_: null, { signal }: WorkerCall): Promise<string> {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    cancelled++;
    return "stopped in time";
  },

  async report(_: null, call: WorkerCall<never, void, number>): Promise<string> {
    await call.report(1);
    return "reported";
  },

  /** Streams parts of a size that the reader gives. */
  async count(
    { parts, thenFail }: { parts: number; thenFail?: boolean },
    call: WorkerCall<{ parts: number }, { size: number }>,
  ): Promise<void> {
    try {
      const { size } = await call.open({ parts });
      for (let index = 0; index < parts; index++) {
        await call.send(new Uint8Array(size).fill(index));
        sent++;
      }
      if (thenFail) throw new DomainError("not_found", "Cannot read on");
    } catch (error) {
      if (call.signal.aborted) cancelled++;
      throw error;
    }
  },
};

/** The functions of this worker. */
export type OddWork = typeof work;

serveWorker(work);
