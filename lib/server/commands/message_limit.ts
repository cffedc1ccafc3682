import type { ConnectionMeter } from "./connection_meters.ts";

/** The longest message that a client may send, in bytes, whether whole or in fragments. */
export const longestMessage = 64 * 1024;

/**
 * How much may come in before a message is whole, in bytes: its frames have headers of their own, and
 * the kernel holds some of what follows.
 */
const mostUnfinished = 4 * longestMessage;

/** How often the connections are looked at, in milliseconds, while there are up to fifty. */
const lookMs = 5;

/** How long a look lasts with many connections: each adds this much, in milliseconds. */
const lookMsEach = 0.1;

/** "Message too big" (RFC 6455, 7.4.1). */
const tooBig = 1009;

/** A WebSocket whose messages are bounded. */
interface Bounded {
  socket: WebSocket;
  meter: ConnectionMeter;
  /** What had come in when the last message was whole, or when the socket was told to close. */
  settled: number;
}

const all = new Set<Bounded>();
let look: ReturnType<typeof setTimeout> | undefined;

/**
 * Closes a WebSocket with 1009 when a message of more than {@linkcode longestMessage} bytes comes
 * in. To be called before other listeners are added: they do not hear of such a message.
 *
 * Deno gathers the fragments of a message without a limit, takes frames of 64 MiB, and has no option
 * for either (denoland/deno#15809): a message that never ends would fill the memory. So the bytes of
 * the connection are counted meanwhile; one that goes on after its socket was told to close is cut.
 *
 * @param meter null where the system can't count: then a message is looked at once it is whole
 */
export function limitMessages(socket: WebSocket, meter: ConnectionMeter | null): void {
  const bounded = meter && { socket, meter, settled: 0 };
  socket.addEventListener("message", (event: MessageEvent<string | Blob>) => {
    if (bounded) bounded.settled = bounded.meter.received() ?? 0;
    if (sizeOf(event.data) <= longestMessage) return;
    event.stopImmediatePropagation();
    refuse(socket);
  });
  if (!bounded) return;

  socket.addEventListener("close", () => {
    all.delete(bounded);
    if (all.size === 0) clearTimeout(look);
  });
  all.add(bounded);
  if (all.size === 1) lookLater();
}

/** Many connections are looked at less often: together they can't send any faster for that. */
function lookLater(): void {
  look = setTimeout(() => {
    for (const bounded of all) check(bounded);
    if (all.size > 0) lookLater();
  }, Math.max(lookMs, all.size * lookMsEach));
}

function check(bounded: Bounded): void {
  const { socket, meter, settled } = bounded;
  const received = meter.received();
  if (received === null || received - settled <= mostUnfinished) return;
  if (socket.readyState !== WebSocket.OPEN) return meter.cut();
  bounded.settled = received;
  refuse(socket);
}

function refuse(socket: WebSocket): void {
  if (socket.readyState === WebSocket.OPEN) socket.close(tooBig, "message too long");
}

function sizeOf(data: string | Blob): number {
  return typeof data === "string" ? new TextEncoder().encode(data).length : data.size;
}
