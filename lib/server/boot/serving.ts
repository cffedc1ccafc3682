import type { Config, UnixSocket } from "../core/config/config.ts";
import { libc } from "../core/disk/libc.ts";
import { serveThread } from "../core/concurrency/thread_channel.ts";
import { mounts } from "../core/disk/mounts.ts";
import { delay } from "../../shared/delay.ts";
import { Connections } from "./connections.ts";
import { beginDrain, closeDown, Drain } from "./shutdown.ts";
import { formatErrors, type LogFormat } from "../core/log/log.ts";
import type { LaunchPayload } from "./launch_payload.ts";
import { openPeerSockets } from "./sockets.ts";

/** A serving thread. */
export interface Serving {
  /**
   * Serves on for the drain delay, then refuses new requests, waits for those in progress, aborts
   * the rest after the drain timeout, and closes what the application opened.
   */
  stop(): Promise<void>;
}

/** Time for aborted uploads to remove their temporary files, in milliseconds. */
const cleanupMs = 500;

/** The module that the build makes, in the form that `deno serve` expects. */
interface Entry {
  default: { fetch: Deno.ServeHandler };
}

/**
 * Opens the application in this thread and starts serving it. All threads listen on the same port:
 * the kernel distributes the connections.
 */
export async function startServing(payload: LaunchPayload): Promise<Serving> {
  const { config, drainMs, limits } = payload;
  mounts.watch();
  serveThread();
  const app = await openEntry(payload);
  const drain = new Drain(app.fetch, `${config.baseUrl}/health/ready`);
  const connections = new Connections(listen(config), {
    limits,
    handler: drain.handler,
    onError: internalError,
    onListenerEnd: endProcess,
    sockets: openPeerSockets(config.libc),
    isSecure: config.cert !== undefined,
  });
  handleErrors(config.logFormat);

  async function stop(): Promise<void> {
    if (config.drainDelayMs > 0) {
      drain.announce();
      await delay(config.drainDelayMs);
    }
    const timeout = Promise.withResolvers<void>();
    const limit = setTimeout(timeout.resolve, drainMs);
    // Closing the connections lets responses finish but aborts request bodies: uploads first.
    const answered = drain.start();
    beginDrain();
    await Promise.race([answered, timeout.promise]);
    await Promise.race([connections.shutdown(), timeout.promise]);
    clearTimeout(limit);
    await Promise.race([answered, delay(cleanupMs)]);
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

/** Formats this thread's logged errors, and keeps it alive after an error of one request. */
export function handleErrors(format: LogFormat): void {
  formatErrors(format);
  surviveRejections();
}

/** Opens this thread's listener, on a shared port when there are several threads. */
function listen({ address, port, socket, workers, cert, key }: Config): Deno.Listener {
  if (socket) return listenOnSocket(socket);
  const place = { hostname: address, port, reusePort: workers > 1 };
  if (cert === undefined || key === undefined) return Deno.listen(place);
  const pair = { cert: Deno.readTextFileSync(cert), key: Deno.readTextFileSync(key) };
  return Deno.listenTls({ ...place, ...pair, alpnProtocols: ["h2", "http/1.1"] });
}

/** Opens a Unix socket. It has its permission bits from the start, by the process's mask. */
function listenOnSocket({ path, mode }: UnixSocket): Deno.Listener {
  const mask = libc?.umask(0o777 & ~mode);
  try {
    return Deno.listen({ transport: "unix", path });
  } finally {
    if (mask === undefined) Deno.chmodSync(path, mode);
    else libc?.umask(mask);
  }
}

/** The response to an error that no error page caught. Details go to the log alone. */
function internalError(error: unknown): Response {
  console.error(error);
  return new Response("Internal server error", { status: 500 });
}

/**
 * Logs unhandled rejections: they belong to one request, such as an aborted body, and others go on.
 * An uncaught error still ends the process: its state is unknown, and a supervisor restarts it.
 */
function surviveRejections(): void {
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    console.error("Unhandled rejection:", event.reason);
  });
}

/** Ends the process with status 1, also from a Worker, for a supervisor to restart it. */
function endProcess(reason: unknown): void {
  setTimeout(() => {
    throw new Error("The listener has ended", { cause: reason });
  });
}
