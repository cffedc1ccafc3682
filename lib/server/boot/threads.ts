import type { MetricsPlace } from "../core/metrics/metrics.ts";
import { startWorker } from "../core/concurrency/start_worker.ts";
import type { Serving } from "./serving.ts";

/** The first message to a thread: its place among the metrics of the process, if it is to count. */
export type ThreadStart = { metrics: MetricsPlace | null };

/** Messages from a thread: it is serving or, after a second message to it, it has stopped. */
export type ThreadMessage = "serving" | "stopped";

/**
 * Starts an additional serving thread and waits until it serves.
 *
 * An uncaught error in a thread ends the whole process with status 1, as with a single thread: a
 * supervisor restarts the server with all its threads.
 *
 * @param metrics its place among the metrics of the process
 */
export async function startThread(metrics: MetricsPlace | null): Promise<Serving> {
  const serving = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const thread = startWorker<ThreadMessage>(new URL("./thread.ts", import.meta.url), "", {
    onMessage: (message) => (message === "serving" ? serving : stopped).resolve(),
    onError: (message) => {
      console.error(`A serving thread stopped: ${message}`);
      Deno.exit(1);
    },
  });
  thread.post({ metrics } satisfies ThreadStart);
  await serving.promise;
  return {
    async stop() {
      thread.post("stop");
      await stopped.promise;
      thread.end();
    },
  };
}
