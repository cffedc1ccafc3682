/** What Deno cannot do to the sockets of this process: by system calls. */

const symbols = {
  getpeername: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  shutdown: { parameters: ["i32", "i32"], result: "i32" },
  fcntl: { parameters: ["i32", "i32"], result: "i32" },
  ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
  setsockopt: { parameters: ["i32", "i32", "i32", "buffer", "u32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

type Calls = Deno.DynamicLibrary<typeof symbols>["symbols"];

const family = { internet: 2, internet6: 10 } as const;
const readFlags = 1; // F_GETFD
const unsentBytes = 0x5411n; // SIOCOUTQ
const bothWays = 2; // SHUT_RDWR
const tcpLevel = 6; // IPPROTO_TCP
const quickAck = 12; // TCP_QUICKACK
const on = new Uint8Array(Int32Array.of(1).buffer);
/** The size of `struct sockaddr_storage`. */
const addressBytes = 128;
/** The lowest free descriptor is used first: beyond a gap this wide there are none. */
const widestGap = 4096;
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
      const sought = nameOf(peer);
      for (const [descriptor, name] of connectionsOf(calls, mostSought)) {
        if (name === sought) return descriptor;
      }
      return null;
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

/** The connections among the first descriptors of this process, with the names of their peers. */
function* connectionsOf(
  calls: Calls,
  most = Infinity,
): Generator<[descriptor: number, peer: string]> {
  const address = new Uint8Array(addressBytes);
  const length = new Uint32Array(1);
  const lengthBytes = new Uint8Array(length.buffer);
  for (let descriptor = 0, gap = 0; gap < widestGap && descriptor < most; descriptor++) {
    length[0] = addressBytes;
    if (calls.getpeername(descriptor, address, lengthBytes) === 0) {
      gap = 0;
      yield [descriptor, readPeer(address)];
    } else gap = calls.fcntl(descriptor, readFlags) === -1 ? gap + 1 : 0;
  }
}

function isSending(calls: Calls, descriptor: number): boolean {
  const count = new Int32Array(1);
  const result = calls.ioctl(descriptor, unsentBytes, new Uint8Array(count.buffer));
  return result === 0 && count[0] !== 0;
}

/** Reads a `struct sockaddr` as address, space and port. */
function readPeer(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer);
  const port = view.getUint16(2);
  const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  switch (view.getUint16(0, isLittleEndian)) {
    case family.internet:
      return `${bytes.subarray(4, 8).join(".")} ${port}`;
    case family.internet6: {
      const groups = Array.from({ length: 8 }, (_, at) => view.getUint16(8 + 2 * at).toString(16));
      return `${plainHost(groups.join(":"))} ${port}`;
    }
    default:
      return "";
  }
}

/** The address and the port of a peer, as `readPeer()` has them. */
function nameOf({ hostname, port }: Deno.NetAddr): string {
  return `${plainHost(hostname)} ${port}`;
}

/** The canonical form of an address: IPv6 has several. */
function plainHost(host: string): string {
  const [address = ""] = host.split("%");
  return address.includes(":") ? new URL(`http://[${address}]`).hostname : address;
}
