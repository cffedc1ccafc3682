import { Drain } from "./drain.ts";
import { layOutErrors } from "./error_lines.ts";
import type { Handover } from "./handover.ts";
import { beginDrain, closeDown } from "./shutdown.ts";

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
export async function startServing(handover: Handover): Promise<Serving> {
  const { config, drainMs } = handover;
  const app = await openEntry(handover);
  const drain = new Drain(app.fetch);
  const server = Deno.serve({
    hostname: config.address,
    port: config.port,
    reusePort: config.workers > 1,
    ...tlsOf(config),
    onListen: () => {},
    onError: internalError,
  }, drain.handler);
  tameErrors();

  async function stop(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const limit = setTimeout(late.resolve, drainMs);
    // Deno's shutdown lets answers finish but cuts request bodies short: uploads come first.
    const answered = drain.start();
    beginDrain();
    await Promise.race([answered, late.promise]);
    await Promise.race([server.shutdown(), late.promise]);
    clearTimeout(limit);
    await Promise.race([answered, pause(tidyMs)]);
    await closeDown();
  }
  return { stop };
}

/** Opens the application in this thread. */
export async function openEntry({ entry }: Pick<Handover, "entry">): Promise<Entry["default"]> {
  const { default: app }: Entry = await import(new URL(`file://${entry}`).href);
  return app;
}

/** Has errors of this thread logged in order, and lets it live through those of one request. */
export function tameErrors(): void {
  layOutErrors();
  surviveRejections();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function tlsOf({ cert, key }: Handover["config"]): { cert: string; key: string } | undefined {
  if (cert === undefined || key === undefined) return undefined;
  return { cert: Deno.readTextFileSync(cert), key: Deno.readTextFileSync(key) };
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
