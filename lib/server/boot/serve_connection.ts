/**
 * Speaks HTTP on one accepted connection. `Deno.serve` accepts by itself, without any bound, and
 * ends when the system has no descriptor left; the part of it that serves a connection is used here
 * as it is. Deno exports that part to its own code alone, so this file is the only one to know it,
 * and `serve_connection_test.ts` holds the version of Deno that is in use to it.
 */

/** A connection that is served. */
export interface ServedConnection {
  /** Settles when the connection has ended; it rejects when it ended in an error. */
  finished: Promise<void>;
  /** Ends the connection at once, whatever is under way. */
  cut(): void;
  /** Ends the connection when what is being answered has been sent, at once when nothing is. */
  drain(): void;
  /**
   * Keeps the WebSocket of an answer open beyond `finished`, which comes when the connection is no
   * longer one of HTTP.
   *
   * @returns the socket; undefined when the answer opens none
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

/** What Deno keeps for its own code, as far as it is used here. */
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
 * Starts to serve a connection.
 *
 * @param onError makes the answer when the handler fails
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
      // Deno numbers its resources upwards, and has just made the one that serves.
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
        // It has ended, or is drained and ends by itself.
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
      // The connection ends right after the socket has opened, and its end takes the sockets along
      // that it has opened, unless its resource is gone by then. Deno hands on the two events in
      // this order unless more than a hundred come at once: that socket is then closed.
      socket?.addEventListener("open", () => core.tryClose(resource));
      return socket;
    },
  };
}

/** The answer of `Deno.upgradeWebSocket()` knows its socket. */
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
