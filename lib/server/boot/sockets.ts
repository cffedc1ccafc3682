/** Shuts down sockets of this process by system calls. */

const symbols = {
  getpeername: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  shutdown: { parameters: ["i32", "i32"], result: "i32" },
  fcntl: { parameters: ["i32", "i32"], result: "i32" },
  ioctl: { parameters: ["i32", "u64", "buffer"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

type Calls = Deno.DynamicLibrary<typeof symbols>["symbols"];

const family = { internet: 2, internet6: 10 } as const;
const readFlags = 1; // F_GETFD
const unsentBytes = 0x5411n; // SIOCOUTQ
const bothWays = 2; // SHUT_RDWR
/** The size of `struct sockaddr_storage`. */
const addressBytes = 128;
/** The lowest free descriptor is used first: beyond a gap this wide there are none. */
const widestGap = 4096;
/** Shutdowns requested within this time share one scan of the descriptors. */
const gatherMs = 20;

/** Options for shutting down a connection. */
export interface ShutDownOptions {
  /** Skips it while unsent data is in the socket's buffer. */
  unlessSending?: boolean;
}

/** Shuts connections down by the address of their peer. */
export interface SocketShutter {
  /** Ends a connection shortly, as if the peer had closed it. */
  shutDown(peer: Deno.Addr, options?: ShutDownOptions): void;
}

/**
 * Shuts down connections that Deno cannot end. When it closes one in the middle of a TLS handshake,
 * it waits for the peer, and keeps the descriptor until then; so it does for HTTP/2 after a
 * graceful close.
 *
 * @param libc the path of the C library
 * @returns null when it cannot be loaded
 */
export function openSocketShutter(libc: string | undefined): SocketShutter | null {
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
      peers.set(`${plainHost(peer.hostname)} ${peer.port}`, options);
    },
  };
}

function shutDownPeers(calls: Calls, peers: Map<string, ShutDownOptions>): void {
  const address = new Uint8Array(addressBytes);
  const length = new Uint32Array(1);
  const lengthBytes = new Uint8Array(length.buffer);
  for (let descriptor = 0, gap = 0; gap < widestGap && peers.size > 0; descriptor++) {
    length[0] = addressBytes;
    if (calls.getpeername(descriptor, address, lengthBytes) !== 0) {
      gap = calls.fcntl(descriptor, readFlags) === -1 ? gap + 1 : 0;
      continue;
    }
    gap = 0;
    const peer = readPeer(address);
    const options = peers.get(peer);
    if (!options) continue;
    peers.delete(peer);
    if (options.unlessSending && isSending(calls, descriptor)) continue;
    calls.shutdown(descriptor, bothWays);
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

/** The canonical form of an address: IPv6 has several. */
function plainHost(host: string): string {
  const [address = ""] = host.split("%");
  return address.includes(":") ? new URL(`http://[${address}]`).hostname : address;
}
