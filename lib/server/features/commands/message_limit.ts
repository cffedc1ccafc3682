import type { ConnectionMeter } from "./connection_meters.ts";

/** The longest message that a client may send, in bytes, whether whole or in fragments. */
export const maxMessageBytes = 64 * 1024;

/**
 * Bytes received beyond a message before it is complete: its frames have headers, and the kernel
 * buffers some of what follows.
 */
const maxBeside = 3 * maxMessageBytes;

/** Polling interval with up to fifty connections, in milliseconds. */
const pollMs = 5;

/** With more connections each adds this to the interval, in milliseconds. */
const pollMsPerConnection = 0.1;

/** "Message too big" (RFC 6455, 7.4.1). */
const tooBig = 1009;

/** A WebSocket whose messages are bounded. */
interface Bounded {
  socket: WebSocket;
  meter: ConnectionMeter;
  /** The longest message, in bytes. */
  maxBytes: number;
  /** Bytes received when the last message was complete, or when the socket was told to close. */
  settled: number;
}

const all = new Set<Bounded>();
let poll: ReturnType<typeof setTimeout> | undefined;

/**
 * Closes a WebSocket with 1009 when a message that is too long comes in. To be called before other listeners are added: they do not receive such a message.
 *
 * Deno gathers the fragments of a message without a limit, takes frames of 64 MiB, and has no
 * option for either (denoland/deno#15809): an endless message would fill the memory. So the
 * connection's received bytes are polled; one that goes on after the close is cut.
 *
 * @param meter null where the system can't count: then a message is checked once it is complete
 * @param maxBytes the longest message, in bytes
 */
export function limitMessages(
  socket: WebSocket,
  meter: ConnectionMeter | null,
  maxBytes: number = maxMessageBytes,
): void {
  const bounded = meter && { socket, meter, maxBytes, settled: 0 };
  socket.addEventListener("message", (event: MessageEvent<string | Blob | ArrayBuffer>) => {
    if (bounded) bounded.settled = bounded.meter.received() ?? 0;
    if (sizeOf(event.data) <= maxBytes) return;
    event.stopImmediatePropagation();
    refuse(socket);
  });
  if (!bounded) return;

  socket.addEventListener("close", () => {
    all.delete(bounded);
    if (all.size === 0) clearTimeout(poll);
  });
  all.add(bounded);
  if (all.size === 1) pollLater();
}

/** Poll many connections less often: together they share the same bandwidth. */
function pollLater(): void {
  poll = setTimeout(() => {
    for (const bounded of all) check(bounded);
    if (all.size > 0) pollLater();
  }, Math.max(pollMs, all.size * pollMsPerConnection));
}

function check(bounded: Bounded): void {
  const { socket, meter, maxBytes, settled } = bounded;
  const received = meter.received();
  if (received === null || received - settled <= maxBytes + maxBeside) return;
  if (socket.readyState !== WebSocket.OPEN) return meter.cut();
  bounded.settled = received;
  refuse(socket);
}

function refuse(socket: WebSocket): void {
  if (socket.readyState === WebSocket.OPEN) socket.close(tooBig, "message too long");
}

function sizeOf(data: string | Blob | ArrayBuffer): number {
  if (data instanceof ArrayBuffer) return data.byteLength;
  return typeof data === "string" ? new TextEncoder().encode(data).length : data.size;
}
