import type { ConnectionLimits } from "./connection_limits.ts";
import {
  type ConnectionHandler,
  serveConnection,
  type ServedConnection,
} from "./serve_connection.ts";
import { Counter } from "../core/metrics/metrics.ts";
import type { PeerSockets } from "./sockets.ts";

const openConnections = new Counter("cubby_connections");
const inFlight = new Counter("cubby_requests_in_flight");

/** An open connection. */
interface Connection {
  served: ServedConnection;
  peer: Deno.Addr;
  /** Requests whose response is not complete. */
  activeRequests: number;
  /** Whether any request has arrived. */
  hasHadRequest: boolean;
  /** Whether the last request has a body, which may be incomplete. */
  hasBody: boolean;
  /** Of its socket, once it was looked for; null if it was not found. */
  descriptor?: number | null;
  /** The WebSocket that it was upgraded to. */
  socket?: WebSocket;
  /** Time since which it is idle or being closed, by `performance.now()`. */
  since: number;
}

/** Options for serving connections. */
export interface ConnectionOptions {
  limits: ConnectionLimits;
  handler: Deno.ServeHandler;
  /** Makes the response when the handler throws. */
  onError: (error: unknown) => Response;
  /** Called when the listener has ended without having been stopped. */
  onListenerEnd: (error: unknown) => void;
  /** For what Deno cannot do; null without a C library. */
  sockets: PeerSockets | null;
  /** Whether the listener uses TLS. */
  isSecure: boolean;
}

/** A connection has at least this long to send a request, even under load. */
const graceMs = 250;
/** Retry interval while connections cannot be accepted. */
const retryMs = 50;
/** A listener that has failed for this long counts as ended. */
const failureMs = 5000;
/** Transient errors (out of descriptors or memory), which never end the listener. */
const transient = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);
/** A connection still open this long after it was closed has an unresponsive peer. */
const lingerMs = 2000;
/** Most connections closed in one go; closing thousands would block the event loop. */
const batch = 32;
const batchMs = 5;
/** Interval between log lines about failing to accept. */
const logIntervalMs = 60_000;

/**
 * Accepts and serves connections within limits: requests and idle connections time out, and there
 * are never more connections than the process has descriptors for. At the limit, the connection
 * that has been idle longest is closed; when all have requests in progress, accepting waits and new
 * ones queue in the kernel's backlog.
 */
export class Connections {
  readonly #listener: Deno.Listener;
  readonly #options: ConnectionOptions;
  readonly #open = new Set<Connection>();
  /** Idle connections, the one idle longest first. */
  readonly #waiting = new Set<Connection>();
  /** Connections that are being closed and have not ended. */
  readonly #closing = new Set<Connection>();
  readonly #sweeping: ReturnType<typeof setInterval>;
  #isStopping = false;
  #wake: () => void = () => {};
  #loggedAt = -Infinity;

  /** Starts to accept. */
  constructor(listener: Deno.Listener, options: ConnectionOptions) {
    this.#listener = listener;
    this.#options = options;
    const { headersMs, idleMs } = options.limits;
    const sweepMs = Math.min(1000, headersMs / 4, idleMs / 4);
    this.#sweeping = setInterval(() => this.#closeOverdue(), sweepMs);
    this.#accept().catch(options.onListenerEnd);
  }

  /** Stops accepting, lets responses finish, closes all else, and waits until nothing is open. */
  async shutdown(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#sweeping);
    this.#wake();
    this.#listener.close();
    for (const connection of this.#open) {
      if (connection.socket) connection.socket.close(1001, "The server is stopping");
      else if (connection.activeRequests > 0) connection.served.drain();
      else this.#close(connection);
    }
    const start = performance.now();
    while (this.#open.size > 0) {
      await this.#waitForChange(lingerMs);
      if (performance.now() - start < lingerMs) continue;
      // The peer of a WebSocket may be gone, and answer no close.
      for (const { socket, peer } of this.#open) if (socket) this.#options.sockets?.shutDown(peer);
    }
  }

  async #accept(): Promise<void> {
    let failing: number | undefined;
    while (!this.#isStopping) {
      try {
        const connection = await this.#listener.accept();
        failing = undefined;
        if (this.#isStopping) return connection.close();
        this.#serve(connection);
        await this.#freeConnections();
      } catch (error) {
        if (this.#isStopping) return;
        if (error instanceof Deno.errors.BadResource) throw error;
        this.#logFailure(error);
        if (isTransient(error)) {
          this.#closeOldest(0);
        } else {
          failing ??= performance.now();
          if (performance.now() - failing > failureMs) throw error;
        }
        await this.#waitForChange(retryMs);
      }
    }
  }

  #serve(accepted: Deno.Conn): void {
    const { onError } = this.#options;
    const peer = accepted.remoteAddr;
    const handler: ConnectionHandler = (req, info) => this.#answer(connection, req, info);
    const served = serveConnection(accepted, handler, onError);
    const connection: Connection = {
      ...{ served, peer, activeRequests: 0, hasHadRequest: false, hasBody: false },
      since: performance.now(),
    };
    this.#open.add(connection);
    openConnections.add(1);
    this.#waiting.add(connection);
    // A connection reset is handled like an orderly end.
    const ended = () => connection.socket ?? this.#forget(connection);
    served.finished.then(ended, ended);
  }

  async #answer(
    connection: Connection,
    req: Request,
    info: Deno.ServeHandlerInfo,
  ): Promise<Response> {
    connection.activeRequests++;
    inFlight.add(1);
    connection.hasBody = hasBody(req);
    // The first time the kernel does not wait.
    if (connection.hasBody && connection.hasHadRequest) this.#acknowledge(connection);
    connection.hasHadRequest = true;
    this.#waiting.delete(connection);
    this.#closing.delete(connection);
    const answered = () => this.#answered(connection);
    info.completed.then(answered, answered);
    const answer = await this.#options.handler(req, withPeer(info, connection.peer));
    if (answer.status === 101) this.#keepSocket(connection, answer);
    return answer;
  }

  #acknowledge(connection: Connection): void {
    const { sockets } = this.#options;
    const { descriptor = sockets?.find(connection.peer) ?? null } = connection;
    connection.descriptor = descriptor;
    if (descriptor !== null) sockets?.acknowledge(descriptor);
  }

  #answered(connection: Connection): void {
    inFlight.add(-1);
    if (--connection.activeRequests > 0 || connection.socket || !this.#open.has(connection)) return;
    connection.since = performance.now();
    this.#waiting.add(connection);
    this.#wake();
  }

  /** WebSockets have no timeout here: their endpoints have their own. */
  #keepSocket(connection: Connection, answer: Response): void {
    const socket = connection.served.keepSocket(answer);
    if (!socket) return;
    connection.socket = socket;
    this.#waiting.delete(connection);
    socket.addEventListener("close", () => this.#forget(connection));
  }

  #forget(connection: Connection): void {
    if (this.#open.has(connection)) openConnections.add(-1);
    for (const set of [this.#open, this.#waiting, this.#closing]) set.delete(connection);
    this.#wake();
  }

  async #freeConnections(): Promise<void> {
    while (this.#open.size > this.#options.limits.connections && !this.#isStopping) {
      this.#closeOldest(graceMs);
      this.#shutLingering(graceMs);
      await this.#waitForChange(retryMs);
    }
  }

  /** @param minMs least idle time of those to close */
  #closeOldest(minMs: number): void {
    const now = performance.now();
    let left = Math.min(batch, Math.ceil(this.#options.limits.connections / 8));
    for (const connection of this.#waiting) {
      if (left-- === 0 || now - connection.since < minMs) return;
      this.#close(connection);
    }
  }

  #closeOverdue(): void {
    const { headersMs, idleMs } = this.#options.limits;
    const now = performance.now();
    let left = batch;
    for (const connection of this.#waiting) {
      const limitMs = connection.hasHadRequest ? idleMs : headersMs;
      if (now - connection.since < limitMs) continue;
      if (left-- === 0) return this.#closeMoreLater();
      this.#close(connection);
    }
    this.#shutLingering(lingerMs);
  }

  #closeMoreLater(): void {
    if (!this.#isStopping) setTimeout(() => this.#closeOverdue(), batchMs);
  }

  /**
   * Shuts down closing connections whose peer does not respond, such as a silent one of HTTP/2.
   *
   * @param minMs least time since they were closed
   */
  #shutLingering(minMs: number): void {
    const { sockets } = this.#options;
    const now = performance.now();
    for (const { peer, since } of this.#closing) {
      if (now - since >= minMs) sockets?.shutDown(peer, { unlessSending: true });
    }
  }

  /**
   * Closes an idle connection. The end of a response may still be on its way to a slow client, and
   * is delivered.
   */
  #close(connection: Connection): void {
    const { sockets, isSecure } = this.#options;
    const { served, peer, hasHadRequest, hasBody } = connection;
    connection.since = performance.now();
    this.#waiting.delete(connection);
    this.#closing.add(connection);
    // Deno would wait for ever for the rest of a body, or of a TLS handshake.
    if (hasHadRequest && !hasBody) served.drain();
    else if (isSecure && sockets) sockets.shutDown(peer);
    else served.cut();
  }

  /** Waits until a connection has ended or become idle, or for the timeout. */
  #waitForChange(limitMs?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const limit = limitMs === undefined ? undefined : setTimeout(resolve, limitMs);
    this.#wake = () => {
      clearTimeout(limit);
      resolve();
    };
    return promise;
  }

  #logFailure(error: unknown): void {
    if (performance.now() - this.#loggedAt < logIntervalMs) return;
    this.#loggedAt = performance.now();
    console.error("Cannot accept connections for now:", error);
  }
}

/** The information about a request with its peer, which Deno cannot tell of a Unix socket. */
function withPeer(info: Deno.ServeHandlerInfo, peer: Deno.Addr): Deno.ServeHandlerInfo<Deno.Addr> {
  return peer.transport === "unix" ? { remoteAddr: peer, completed: info.completed } : info;
}

function isTransient(error: unknown): boolean {
  return error instanceof Error && "code" in error && transient.has(String(error.code));
}

function hasBody({ headers }: Request): boolean {
  return headers.has("transfer-encoding") || (headers.get("content-length") ?? "0") !== "0";
}
