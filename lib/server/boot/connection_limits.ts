import type { Libc } from "../sandbox/libc.ts";

/** Bounds on the connections of one thread. */
export interface ConnectionLimits {
  /** How many it holds; beyond, the one that has waited longest makes room for the next. */
  connections: number;
  /** How long a connection may take to bring its first request line and headers, and TLS before. */
  headersMs: number;
  /** How long a connection may stay without a request after an answer. */
  idleMs: number;
}

const headersMs = 30_000;
const idleMs = 75_000;

/** What the process itself keeps open: libraries, the store, the event loops of its threads. */
const ownDescriptors = 64;
/** More connections would cost memory and gain nothing: those that wait make room for others. */
const mostConnections = 4096;
/** As few as these are served under any limit. */
const fewestConnections = 16;
/** The limit of most systems, where it cannot be asked for. */
const usualDescriptors = 1024;
/** RLIMIT_NOFILE (linux/resource.h; the same on every architecture but MIPS and SPARC). */
const descriptorLimit = 7;

/**
 * The bounds that leave as many descriptors for files as there are for connections, however many
 * connections come.
 *
 * @param threads how many threads share the process's descriptors
 */
export function connectionLimits(libc: Libc | null, threads: number): ConnectionLimits {
  const room = Math.floor((readDescriptorLimit(libc) - ownDescriptors) / 2);
  const connections = Math.max(fewestConnections, Math.min(room, mostConnections));
  return { connections: Math.ceil(connections / threads), headersMs, idleMs };
}

/** How many descriptors the server process may have: Deno raises the soft limit to the hard one. */
function readDescriptorLimit(libc: Libc | null): number {
  const limits = new BigUint64Array(2);
  const bytes = new Uint8Array(limits.buffer);
  if (libc === null || libc.getrlimit(descriptorLimit, bytes) !== 0) return usualDescriptors;
  return Number(limits[1]);
}
