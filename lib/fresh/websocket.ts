import { HttpError } from "./error.ts";

/** Callbacks of a WebSocket that the framework opened. */
export interface WebSocketHandlers {
  /** The connection is open. */
  open?(socket: WebSocket): void;
  /** A message came in. */
  message?(socket: WebSocket, event: MessageEvent): void;
  /** The connection is closed. */
  close?(socket: WebSocket, code: number, reason: string): void;
  /** The connection failed. */
  error?(socket: WebSocket, event: Event | ErrorEvent): void;
}

/** Passed on to the runtime when a request becomes a WebSocket. */
export interface WebSocketUpgradeOptions {
  /** Seconds without a pong after which the connection is closed. */
  idleTimeout?: number;
  /** The sub-protocol to agree on. */
  protocol?: string;
}

/** Tells handlers from options: handlers have at least one function. */
export function isWebSocketHandlers(value: unknown): value is WebSocketHandlers {
  if (typeof value !== "object" || value === null) return false;
  const names = ["open", "message", "close", "error"];
  return Object.entries(value).some(([name, member]) =>
    names.includes(name) && typeof member === "function"
  );
}

/**
 * Upgrades a request.
 *
 * @throws {HttpError} 400 when the request does not ask for an upgrade.
 */
export function upgradeRequest(
  req: Request,
  options?: WebSocketUpgradeOptions,
): { socket: WebSocket; response: Response } {
  if (req.headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw new HttpError(400, "Expected a WebSocket upgrade request");
  }
  return Deno.upgradeWebSocket(req, options);
}

/** Upgrades a request and wires its handlers. */
export function upgradeManaged(
  req: Request,
  handlers: WebSocketHandlers,
  options?: WebSocketUpgradeOptions,
): Response {
  const { socket, response } = upgradeRequest(req, options);
  socket.addEventListener("open", () => handlers.open?.(socket));
  socket.addEventListener("message", (event) => handlers.message?.(socket, event));
  socket.addEventListener("close", (event) => handlers.close?.(socket, event.code, event.reason));
  socket.addEventListener("error", (event) => handlers.error?.(socket, event));
  return response;
}
