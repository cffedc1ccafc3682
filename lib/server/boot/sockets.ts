/** What Deno cannot do to the sockets of this process: by system calls. */
import { connectionsOf, findPeer, nameOf, peerSymbols } from "../core/disk/socket_peers.ts";

const symbols = {
  ...peerSymbols,
  shutdown: { parameters: ["i32", "i32"], result: "i32" },
  ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
  setsockopt: { parameters: ["i32", "i32", "i32", "buffer", "u32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

type Calls = Deno.DynamicLibrary<typeof symbols>["symbols"];

const unsentBytes = 0x5411n; // SIOCOUTQ
const bothWays = 2; // SHUT_RDWR
const tcpLevel = 6; // IPPROTO_TCP
const quickAck = 12; // TCP_QUICKACK
const on = new Uint8Array(Int32Array.of(1).buffer);
/** Shutdowns requested within this time share one scan of the descriptors. */
const gatherMs = 20;

/** Descriptors that are looked at for one connection: with more it is not worth the time. */
const mostSought = 1024;

/** Options for shutting down a connection. */
export interface ShutDownOptions {
  /** Skips it while unsent data is in the socket's buffer. */
  unlessSending?: boolean;
}

/** Connections by the address of their peer. */
export interface PeerSockets {
  /**
   * Ends a connection shortly, as if the peer had closed it. Deno cannot end some: when it closes
   * one in the middle of a TLS handshake, it waits for the peer, and keeps the descriptor until
   * then; so it does for HTTP/2 after a graceful close.
   */
  shutDown(peer: Deno.Addr, options?: ShutDownOptions): void;

  /** The descriptor of a connection; null where it is none of the first {@linkcode mostSought}. */
  find(peer: Deno.Addr): number | null;

  /**
   * Acknowledges what has arrived, without the delay of up to 40 ms by which the kernel hopes to
   * send an answer along. Clients that send a request in two writes, as Qt's do, hold the second
   * one back until then (RFC 896).
   *
   * @param descriptor of an open connection
   */
  acknowledge(descriptor: number): void;
}

/**
 * @param libc the path of the C library
 * @returns null when it cannot be loaded
 */
export function openPeerSockets(libc: string | undefined): PeerSockets | null {
  if (Deno.build.os !== "linux" || libc === undefined) return null;
  let calls: Calls;
  try {
    calls = Deno.dlopen(libc, symbols).symbols;
  } catch {
    return null;
  }
  const peers = new Map<string, ShutDownOptions>();
  function shutDownPending(): void {
    shutDownPeers(calls, peers);
    peers.clear();
  }
  return {
    shutDown(peer, options = {}) {
      if (peer.transport !== "tcp") return;
      if (peers.size === 0) setTimeout(shutDownPending, gatherMs);
      peers.set(nameOf(peer), options);
    },
    find(peer) {
      if (peer.transport !== "tcp") return null;
      return findPeer(calls, nameOf(peer), mostSought);
    },
    acknowledge(descriptor) {
      calls.setsockopt(descriptor, tcpLevel, quickAck, on, on.length);
    },
  };
}

function shutDownPeers(calls: Calls, peers: Map<string, ShutDownOptions>): void {
  for (const [descriptor, peer] of connectionsOf(calls)) {
    const options = peers.get(peer);
    if (!options) continue;
    peers.delete(peer);
    if (!options.unlessSending || !isSending(calls, descriptor)) {
      calls.shutdown(descriptor, bothWays);
    }
    if (peers.size === 0) return;
  }
}

function isSending(calls: Calls, descriptor: number): boolean {
  const count = new Int32Array(1);
  const result = calls.ioctl(descriptor, unsentBytes, new Uint8Array(count.buffer));
  return result === 0 && count[0] !== 0;
}
