import type { SwapOrder, SwapReport } from "./swapper.ts";

/** Entries that change places, meanwhile. */
export interface Swapping {
  /** Puts all back and answers with how often two entries have changed places. */
  stop(): Promise<number>;
}

/** Begins to exchange the entries of each pair, as fast as it goes; see swapper.ts. */
export async function startSwapping(pairs: [string, string][]): Promise<Swapping> {
  const worker = new Worker(new URL("./swapper.ts", import.meta.url), { type: "module" });
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();
  worker.onerror = (event) => {
    begun.reject(new Error(event.message));
    ended.reject(new Error(event.message));
  };
  worker.onmessage = ({ data: { state, exchanges } }: MessageEvent<SwapReport>) => {
    if (state === "swapping") begun.resolve();
    else ended.resolve(exchanges);
  };
  const stop = new SharedArrayBuffer(4);
  worker.postMessage({ pairs, stop } satisfies SwapOrder);
  await begun.promise;
  return {
    async stop() {
      Atomics.store(new Int32Array(stop), 0, 1);
      Atomics.notify(new Int32Array(stop), 0);
      const exchanges = await ended.promise;
      worker.terminate();
      return exchanges;
    },
  };
}
