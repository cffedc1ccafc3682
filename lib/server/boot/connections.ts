import type { ConnectionLimits } from "./connection_limits.ts";
import {
  type ConnectionHandler,
  serveConnection,
  type ServedConnection,
} from "./serve_connection.ts";
import type { SocketShutter } from "./sockets.ts";

/** One connection, from accepting it to its end. */
interface Connection {
  served: ServedConnection;
  peer: Deno.Addr;
  /** Requests without a whole answer. */
  underWay: number;
  /** Whether a request has ever come. */
  isProven: boolean;
  /** Whether the last request has a body, which may never have come in full. */
  hasBody: boolean;
  /** The WebSocket that it has become. */
  socket?: WebSocket;
  /** Since when it waits for a request, or is being closed, as `performance.now()` tells time. */
  since: number;
}

/** How connections are served. */
export interface ConnectionOptions {
  limits: ConnectionLimits;
  handler: Deno.ServeHandler;
  /** Makes the answer when the handler fails. */
  onError: (error: unknown) => Response;
  /** Told when the listener has ended without having been stopped. */
  onListenerEnd: (error: unknown) => void;
  /** Ends what Deno cannot end; null without a C library. */
  shutter: SocketShutter | null;
  /** Whether the listener speaks TLS. */
  isSecure: boolean;
}

/** A connection has at least this long to bring a request, however many others come. */
const graceMs = 250;
/** Between two attempts when connections cannot be accepted or have no room. */
const retryMs = 50;
/** A listener that has failed for this long has ended. */
const failureMs = 5000;
/** Running out of descriptors is not the listener's end, however long it lasts. */
const passing = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);
/** A connection that is still open this long after it was closed has a peer that does not let go. */
const lingerMs = 2000;
/** As many connections are closed at once; closing thousands would hold up all else. */
const batch = 32;
const batchMs = 5;
/** Between two lines of the log that say so. */
const noticeMs = 60_000;

/**
 * Accepts connections and serves them, within bounds: a request has its time to arrive, a
 * connection without one is closed, and there are never more than the process has descriptors for.
 * When all are taken, the connection that has waited longest for a request makes room; when all
 * have requests under way, accepting waits and the kernel keeps those who come.
 */
export class Connections {
  readonly #listener: Deno.Listener;
  readonly #options: ConnectionOptions;
  readonly #open = new Set<Connection>();
  /** Those without a request under way, the one that waits longest first. */
  readonly #waiting = new Set<Connection>();
  /** Those that have been closed and have not ended. */
  readonly #closing = new Set<Connection>();
  readonly #sweeping: ReturnType<typeof setInterval>;
  #isStopping = false;
  #stirred: () => void = () => {};
  #noticed = -Infinity;

  /** Starts to accept. */
  constructor(listener: Deno.Listener, options: ConnectionOptions) {
    this.#listener = listener;
    this.#options = options;
    const { headersMs, idleMs } = options.limits;
    const sweepMs = Math.min(1000, headersMs / 4, idleMs / 4);
    this.#sweeping = setInterval(() => this.#closeOverdue(), sweepMs);
    this.#accept().catch(options.onListenerEnd);
  }

  /** Accepts no more, lets answers finish, ends all else, and waits until nothing is open. */
  async shutdown(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweeping);
    this.#stirred();
    this.#listener.close();
    for (const connection of this.#open) {
      if (connection.socket) connection.socket.close(1001, "The server is stopping");
      else if (connection.underWay > 0) connection.served.drain();
      else this.#close(connection);
    }
    while (this.#open.size > 0) await this.#stir();
  }

  async #accept(): Promise<void> {
    let failing: number | undefined;
    while (!this.#isStopping) {
      try {
        const connection = await this.#listener.accept();
        failing = undefined;
        if (this.#isStopping) return connection.close();
        this.#serve(connection);
        await this.#makeRoom();
      } catch (error) {
        if (this.#isStopping) return;
        if (error instanceof Deno.errors.BadResource) throw error;
        this.#notice(error);
        if (isPassing(error)) {
          this.#closeOldest(0);
        } else {
          failing ??= performance.now();
          if (performance.now() - failing > failureMs) throw error;
        }
        await this.#stir(retryMs);
      }
    }
  }

  #serve(accepted: Deno.Conn): void {
    const { onError } = this.#options;
    const peer = accepted.remoteAddr;
    const handler: ConnectionHandler = (req, info) => this.#answer(connection, req, info);
    const served = serveConnection(accepted, handler, onError);
    const connection: Connection = {
      ...{ served, peer, underWay: 0, isProven: false, hasBody: false },
      since: performance.now(),
    };
    this.#open.add(connection);
    this.#waiting.add(connection);
    // How a connection of HTTP ends, with a reset or in order, is the client's own affair.
    const ended = () => connection.socket ?? this.#forget(connection);
    served.finished.then(ended, ended);
  }

  async #answer(
    connection: Connection,
    req: Request,
    info: Deno.ServeHandlerInfo,
  ): Promise<Response> {
    connection.underWay++;
    connection.isProven = true;
    connection.hasBody = hasBody(req);
    this.#waiting.delete(connection);
    this.#closing.delete(connection);
    const answered = () => this.#answered(connection);
    info.completed.then(answered, answered);
    const answer = await this.#options.handler(req, info);
    if (answer.status === 101) this.#keepSocket(connection, answer);
    return answer;
  }

  #answered(connection: Connection): void {
    if (--connection.underWay > 0 || connection.socket || !this.#open.has(connection)) return;
    connection.since = performance.now();
    this.#waiting.add(connection);
    this.#stirred();
  }

  /** A WebSocket stays as long as its two ends want: they have bounds of their own. */
  #keepSocket(connection: Connection, answer: Response): void {
    const socket = connection.served.keepSocket(answer);
    if (!socket) return;
    connection.socket = socket;
    this.#waiting.delete(connection);
    socket.addEventListener("close", () => this.#forget(connection));
  }

  #forget(connection: Connection): void {
    for (const set of [this.#open, this.#waiting, this.#closing]) set.delete(connection);
    this.#stirred();
  }

  async #makeRoom(): Promise<void> {
    while (this.#open.size > this.#options.limits.connections && !this.#isStopping) {
      this.#closeOldest(graceMs);
      this.#shutLingering(graceMs);
      await this.#stir(retryMs);
    }
  }

  /** @param leastMs how long they must have waited at least */
  #closeOldest(leastMs: number): void {
    const now = performance.now();
    let left = Math.min(batch, Math.ceil(this.#options.limits.connections / 8));
    for (const connection of this.#waiting) {
      if (left-- === 0 || now - connection.since < leastMs) return;
      this.#close(connection);
    }
  }

  #closeOverdue(): void {
    const { headersMs, idleMs } = this.#options.limits;
    const now = performance.now();
    let left = batch;
    for (const connection of this.#waiting) {
      const limitMs = connection.isProven ? idleMs : headersMs;
      if (now - connection.since < limitMs) continue;
      if (left-- === 0) return this.#closeMoreSoon();
      this.#close(connection);
    }
    this.#shutLingering(lingerMs);
  }

  #closeMoreSoon(): void {
    if (!this.#isStopping) setTimeout(() => this.#closeOverdue(), batchMs);
  }

  /**
   * Ends what was closed and whose peer does not let go, such as one of HTTP/2 that is silent.
   *
   * @param leastMs how long ago it must have been closed at least
   */
  #shutLingering(leastMs: number): void {
    const { shutter } = this.#options;
    const now = performance.now();
    for (const { peer, since } of this.#closing) {
      if (now - since >= leastMs) shutter?.shutDown(peer, { unlessSending: true });
    }
  }

  /**
   * Ends a connection that has no request under way. The last of an answer may still be on its way
   * to a slow reader, and is let through.
   */
  #close(connection: Connection): void {
    const { shutter, isSecure } = this.#options;
    const { served, peer, isProven, hasBody } = connection;
    connection.since = performance.now();
    this.#waiting.delete(connection);
    this.#closing.add(connection);
    // Deno would wait without an end for the rest of a body, and for the rest of a handshake.
    if (isProven && !hasBody) served.drain();
    else if (isSecure && shutter) shutter.shutDown(peer);
    else served.cut();
  }

  /** Waits until a connection has ended or begun to wait, or for the time. */
  #stir(limitMs?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = limitMs === undefined ? undefined : setTimeout(resolve, limitMs);
    this.#stirred = () => {
      clearTimeout(limit);
      resolve();
    };
    return promise;
  }

  #notice(error: unknown): void {
    if (performance.now() - this.#noticed < noticeMs) return;
    this.#noticed = performance.now();
    console.error("Cannot accept connections for now:", error);
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && "code" in error && passing.has(String(error.code));
}

function hasBody({ headers }: Request): boolean {
  return headers.has("transfer-encoding") || (headers.get("content-length") ?? "0") !== "0";
}
