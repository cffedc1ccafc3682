import type { Serving } from "./serving.ts";

/** Messages from a thread: it is serving or, after any message to it, it has stopped. */
export type ThreadMessage = "serving" | "stopped";

/**
 * Starts an additional serving thread and waits until it serves.
 *
 * An uncaught error in a thread ends the whole process with status 1, as with a single thread: a
 * supervisor restarts the server with all its threads.
 */
export async function startThread(): Promise<Serving> {
  const worker = new Worker(new URL("./thread.ts", import.meta.url), { type: "module" });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    console.error(`A serving thread died: ${event.message}`);
    Deno.exit(1);
  });
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
