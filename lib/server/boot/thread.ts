/** An additional serving thread: a Worker that opens its own application. */
import { readLaunchPayload } from "./launch_payload.ts";
import { openChannel } from "../core/concurrency/start_worker.ts";
import { startServing } from "./serving.ts";
import { joinMetrics } from "../core/metrics/metrics.ts";
import type { ThreadMessage, ThreadStart } from "./threads.ts";

const payload = readLaunchPayload();
if (!payload) throw new Error("Cannot serve: this thread was not started by the server");
const { promise: started, resolve: start } = Promise.withResolvers<ThreadStart>();
const { promise: stopping, resolve: stop } = Promise.withResolvers<void>();
const post = openChannel<ThreadStart | "stop">((message) => {
  if (message === "stop") stop();
  else start(message);
});
const { metrics } = await started;
if (metrics) joinMetrics(metrics);
const serving = await startServing(payload);
send("serving");
stopping.then(async () => {
  await serving.stop();
  send("stopped");
});

function send(message: ThreadMessage): void {
  post(message);
}
