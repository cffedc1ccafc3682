/** An additional serving thread: a Worker that opens its own application. */
import { readLaunchPayload } from "./launch_payload.ts";
import { startServing } from "./serving.ts";
import type { ThreadMessage } from "./threads.ts";

const channel: {
  postMessage(message: ThreadMessage): void;
  addEventListener(type: "message", listener: () => void): void;
} = globalThis;

const payload = readLaunchPayload();
if (!payload) throw new Error("Cannot serve: this thread was started by nobody");
const serving = await startServing(payload);

channel.addEventListener("message", async () => {
  await serving.stop();
  channel.postMessage("stopped");
});
channel.postMessage("serving");
