/** An additional serving thread: a Worker that opens its own application. */
import { readLaunchPayload } from "./launch_payload.ts";
import { startServing } from "./serving.ts";
import { joinMetrics } from "../core/metrics/metrics.ts";
import type { ThreadMessage, ThreadStart } from "./threads.ts";

const channel: {
  postMessage(message: ThreadMessage): void;
  addEventListener(
    type: "message",
    listener: (event: MessageEvent<ThreadStart>) => void,
    options?: { once: boolean },
  ): void;
} = globalThis;

const payload = readLaunchPayload();
if (!payload) throw new Error("Cannot serve: this thread was not started by the server");
const { metrics } = await new Promise<ThreadStart>((resolve) => {
  channel.addEventListener("message", ({ data }) => resolve(data), { once: true });
});
if (metrics) joinMetrics(metrics);
const serving = await startServing(payload);

channel.addEventListener("message", async () => {
  await serving.stop();
  channel.postMessage("stopped");
});
channel.postMessage("serving");
