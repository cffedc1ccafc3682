/**
 * Serves HTTP on one accepted connection. `Deno.serve` accepts by itself, without a limit, and ends
 * when the system is out of descriptors; this file uses the part of it that serves a connection.
 * That part is internal to Deno, so it is used nowhere else, and `serve_connection_test.ts` checks
 * it against the present version of Deno.
 */

/** A connection being served. */
export interface ServedConnection {
  /** Resolves when the connection has ended; rejects when it ended with an error. */
  finished: Promise<void>;
  /** Closes the connection at once, with any requests in progress. */
  cut(): void;
  /** Closes the connection when the responses in progress have been sent; at once when idle. */
  drain(): void;
  /**
   * Keeps the WebSocket of a response open beyond `finished`, which resolves when the connection is
   * upgraded.
   *
   * @returns the socket; undefined when the response opens none
   */
  keepSocket(answer: Response): WebSocket | undefined;
}

/** Answers a request. */
export type ConnectionHandler = (
  req: Request,
  info: Deno.ServeHandlerInfo,
) => Response | Promise<Response>;

/** The part of an AbortSignal that Deno's server uses. */
interface Signal {
  addEventListener(type: "abort", listener: () => void): void;
}

/** The internals of Deno that are used here. */
interface Internals {
  serveHttpOnConnection(
    connection: Deno.Conn,
    signal: Signal,
    handler: ConnectionHandler,
    onError: (error: unknown) => Response,
    onListen: () => void,
  ): { finished: Promise<void>; shutdown(): Promise<void> };
  core: {
    createCancelHandle(): number;
    close(resource: number): void;
    tryClose(resource: number): void;
  };
}

const { serveHttpOnConnection, core } = internals();

/**
 * Starts serving a connection.
 *
 * @param onError makes the response when the handler throws
 */
export function serveConnection(
  connection: Deno.Conn,
  handler: ConnectionHandler,
  onError: (error: unknown) => Response,
): ServedConnection {
  let abort = () => {};
  let resource = -1;
  let isDraining = false;
  const signal: Signal = {
    addEventListener(_type, listener) {
      abort = listener;
      // Resource ids are ascending, and the server's resource was created just before this call.
      const next = core.createCancelHandle();
      core.close(next);
      resource = next - 1;
    },
  };
  const server = serveHttpOnConnection(connection, signal, handler, onError, () => {});
  return {
    finished: server.finished,
    cut() {
      try {
        abort();
      } catch (error) {
        // The connection has ended, or is draining and will end.
        if (!(error instanceof Deno.errors.BadResource)) throw error;
      }
    },
    drain() {
      if (isDraining) return;
      isDraining = true;
      server.shutdown().catch(() => {});
    },
    keepSocket(answer) {
      const socket = socketOf(answer);
      // The connection ends right after the socket has opened, and closes its sockets with it,
      // unless its resource is gone by then. Deno delivers the two events in this order unless more
      // than a hundred come at once: that socket is then closed.
      socket?.addEventListener("open", () => core.tryClose(resource));
      return socket;
    },
  };
}

/** The socket of a response of `Deno.upgradeWebSocket()`, which refers to it by a symbol. */
function socketOf(answer: Response): WebSocket | undefined {
  for (const symbol of Object.getOwnPropertySymbols(answer)) {
    const value: unknown = Reflect.get(answer, symbol);
    if (value instanceof WebSocket) return value;
  }
}

function internals(): Internals {
  const key = Reflect.get(Deno, "internal");
  const found: Partial<Internals> = Reflect.get(Deno, key) ?? {};
  if (!found.serveHttpOnConnection || !found.core?.createCancelHandle) {
    throw new Error(`Cannot serve with Deno ${Deno.version.deno}: start it with Deno 2.9.6`);
  }
  return found as Internals;
}
