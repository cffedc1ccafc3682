import type { Libc } from "../core/sandbox/libc.ts";

/** Limits on the connections of one thread. */
export interface ConnectionLimits {
  /** Most connections; beyond, the one that has been idle longest is closed. */
  connections: number;
  /** Timeout for the TLS handshake, request line and headers of a connection's first request. */
  headersMs: number;
  /** Keep-alive timeout after a response. */
  idleMs: number;
}

const headersMs = 30_000;
const idleMs = 75_000;

/** Descriptors of the process itself: libraries, the store, the event loops of its threads. */
const ownDescriptors = 64;
/** More connections would cost memory for no gain: idle ones are closed for others. */
const maxConnections = 4096;
/** Lower bound of connections, whatever the descriptor limit. */
const minConnections = 16;
/** The usual descriptor limit, where it cannot be read. */
const usualDescriptors = 1024;
/** RLIMIT_NOFILE (linux/resource.h; the same on every architecture but MIPS and SPARC). */
const descriptorLimit = 7;

/**
 * Limits that keep as many descriptors for files as for connections.
 *
 * @param threads number of threads that share the process's descriptors
 */
export function connectionLimits(libc: Libc | null, threads: number): ConnectionLimits {
  const capacity = Math.floor((readDescriptorLimit(libc) - ownDescriptors) / 2);
  const connections = Math.max(minConnections, Math.min(capacity, maxConnections));
  return { connections: Math.ceil(connections / threads), headersMs, idleMs };
}

/** The descriptor limit of the server process: Deno raises the soft limit to the hard one. */
function readDescriptorLimit(libc: Libc | null): number {
  const limits = new BigUint64Array(2);
  const bytes = new Uint8Array(limits.buffer);
  if (libc === null || libc.getrlimit(descriptorLimit, bytes) !== 0) return usualDescriptors;
  return Number(limits[1]);
}
