/**
 * A thread that may block on slow disks: a Worker that opens its own application, as a serving
 * thread does, but receives requests from one. A hung disk blocks this thread alone.
 */
import { readLaunchPayload } from "./launch_payload.ts";
import { beginDrain, closeDown } from "./shutdown.ts";
import { serveThread } from "../core/concurrency/thread_channel.ts";
import { openChannel } from "../core/concurrency/start_worker.ts";
import { handleErrors, openEntry } from "./serving.ts";
import { aliveMs, type Order, type Report, type SentRequest } from "../core/slow_disks/protocol.ts";

const running = new Map<number, AbortController>();
const app = open();

const post = openChannel<Order>((data) => {
  if (data === "drain") beginDrain();
  else if (data === "stop") stop();
  else if ("abort" in data) running.get(data.id)?.abort();
  else answer(data.id, data.request);
});

async function open() {
  const payload = readLaunchPayload();
  handleErrors(payload?.config.logFormat ?? "text");
  if (!payload) throw new Error("Cannot open the application: the handover is missing");
  serveThread();
  const entry = await openEntry(payload);
  send("alive");
  setInterval(() => send("alive"), aliveMs);
  return entry;
}

async function answer(id: number, sent: SentRequest): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const { method, url, headers, body, remoteAddr, relay } = sent;
    // Deno streams a request's body without the option `duplex`.
    const request = new Request(url, { method, headers, body, signal: controller.signal });
    const { fetch } = await app;
    // Refused meanwhile, so nothing of it may be done.
    if (controller.signal.aborted) return;
    const info: Deno.ServeHandlerInfo & Pick<SentRequest, "relay"> = {
      remoteAddr: remoteAddr as Deno.NetAddr,
      completed: Promise.withResolvers<void>().promise,
      ...relay !== undefined && { relay },
    };
    const response = await fetch(request, info);
    const { status, statusText } = response;
    const parts = { status, statusText, headers: [...response.headers], body: response.body };
    send({ id, response: parts }, response.body ? [response.body] : []);
  } catch (error) {
    console.error(error);
    send({ id, failure: String(error) });
  } finally {
    running.delete(id);
  }
}

async function stop(): Promise<void> {
  for (const controller of running.values()) controller.abort();
  try {
    await app;
    await closeDown();
  } finally {
    send("stopped");
  }
}

function send(report: Report, transfer: Transferable[] = []): void {
  post(report, transfer);
}
