import type { Config } from "../config/config.ts";
import { delay } from "../../shared/delay.ts";
import { Connections } from "./connections.ts";
import { Drain } from "./drain.ts";
import { layOutErrors } from "../log/error_lines.ts";
import type { LaunchPayload } from "./launch_payload.ts";
import { beginDrain, closeDown } from "./shutdown.ts";
import { openSocketShutter } from "./sockets.ts";

/** One thread that serves. */
export interface Serving {
  /**
   * Takes no more requests, waits for those under way, breaks off what is left after the drain
   * time, and closes what the application opened.
   */
  stop(): Promise<void>;
}

/** How long uploads that were cut short may take to remove what they wrote. */
const tidyMs = 500;

/** What `deno serve` expects of a module, and what the build makes. */
interface Entry {
  default: { fetch: Deno.ServeHandler };
}

/**
 * Opens the application in this thread and starts to serve it. Every thread of the server does
 * the same, on the same port: the kernel spreads the connections.
 */
export async function startServing(payload: LaunchPayload): Promise<Serving> {
  const { config, drainMs, limits } = payload;
  const app = await openEntry(payload);
  const drain = new Drain(app.fetch);
  const connections = new Connections(listen(config), {
    limits,
    handler: drain.handler,
    onError: internalError,
    onListenerEnd: endProcess,
    shutter: openSocketShutter(config.libc),
    isSecure: config.cert !== undefined,
  });
  tameErrors();

  async function stop(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const limit = setTimeout(late.resolve, drainMs);
    // Closing the connections lets answers finish but cuts request bodies short: uploads first.
    const answered = drain.start();
    beginDrain();
    await Promise.race([answered, late.promise]);
    await Promise.race([connections.shutdown(), late.promise]);
    clearTimeout(limit);
    await Promise.race([answered, delay(tidyMs)]);
    await closeDown();
  }
  return { stop };
}

/** Opens the application in this thread. */
export async function openEntry(
  { entry }: Pick<LaunchPayload, "entry">,
): Promise<Entry["default"]> {
  const { default: app }: Entry = await import(new URL(`file://${entry}`).href);
  return app;
}

/** Has errors of this thread logged in order, and lets it live through those of one request. */
export function tameErrors(): void {
  layOutErrors();
  surviveRejections();
}

/** Every thread has a listener of its own, on the same port when there are several. */
function listen({ address, port, workers, cert, key }: Config): Deno.Listener {
  const place = { hostname: address, port, reusePort: workers > 1 };
  if (cert === undefined || key === undefined) return Deno.listen(place);
  const pair = { cert: Deno.readTextFileSync(cert), key: Deno.readTextFileSync(key) };
  return Deno.listenTls({ ...place, ...pair, alpnProtocols: ["h2", "http/1.1"] });
}

/** Errors that no error page caught. The client learns nothing of them, the log all. */
function internalError(error: unknown): Response {
  console.error(error);
  return new Response("Internal server error", { status: 500 });
}

/**
 * A promise that nobody waits for belongs to one request, such as a body that broke off: its
 * failure is logged and the others go on. An error thrown out of the event loop still ends the
 * process: nobody knows what it left half done, and whoever watches the server starts it anew.
 */
function surviveRejections(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    console.error("Unhandled rejection:", event.reason);
  });
}

/** Ends the process with status 1, also from a Worker: whoever watches it starts it anew. */
function endProcess(reason: unknown): void {
  setTimeout(() => {
    throw new Error("The listener has ended", { cause: reason });
  });
}
