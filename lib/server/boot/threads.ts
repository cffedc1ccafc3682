import type { MetricsPlace } from "../core/metrics/metrics.ts";
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
  const worker = new Worker(new URL("./thread.ts", import.meta.url), { type: "module" });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    console.error(`A serving thread stopped: ${event.message}`);
    Deno.exit(1);
  });
  const start: ThreadStart = { metrics };
  worker.postMessage(start);
  await messageOf(worker, "serving");
  return {
    async stop() {
      const stopped = messageOf(worker, "stopped");
      worker.postMessage("stop");
      await stopped;
      worker.terminate();
    },
  };
}

function messageOf(worker: Worker, wanted: ThreadMessage): Promise<void> {
  return new Promise((resolve) => {
    worker.addEventListener("message", function listen({ data }: MessageEvent<ThreadMessage>) {
      if (data !== wanted) return;
      worker.removeEventListener("message", listen);
      resolve();
    });
  });
}
