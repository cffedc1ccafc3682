/** The sockets of this process by the addresses of their peers, which Deno does not tell. */

/** The calls that this takes of the C library. */
export const peerSymbols = {
  getpeername: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  fcntl: { parameters: ["i32", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

type Calls = Deno.DynamicLibrary<typeof peerSymbols>["symbols"];

const family = { internet: 2, internet6: 10 } as const;
const readFlags = 1; // F_GETFD
/** The lowest free descriptor is used first: beyond a gap this wide there are none. */
const widestGap = 4096;

/** The size of `struct sockaddr_storage`. */
const addressBytes = 128;
const address = new Uint8Array(addressBytes);
const length = new Uint32Array(1);
const lengthBytes = new Uint8Array(length.buffer);

/**
 * The connections among the descriptors of this process, from the lowest, with the names of their
 * peers.
 *
 * @param most descriptors that are looked at
 */
export function* connectionsOf(
  calls: Calls,
  most = Infinity,
): Generator<[descriptor: number, peer: string]> {
  for (let descriptor = 0, gap = 0; gap < widestGap && descriptor < most; descriptor++) {
    const peer = peerOf(calls, descriptor);
    if (peer !== null) yield [descriptor, peer];
    const isFree = peer === null && calls.fcntl(descriptor, readFlags) === -1;
    gap = isFree ? gap + 1 : 0;
  }
}

/** The descriptor of the connection with a peer; null where none of those looked at is. */
export function findPeer(calls: Calls, name: string, most?: number): number | null {
  for (const [descriptor, peer] of connectionsOf(calls, most)) {
    if (peer === name) return descriptor;
  }
  return null;
}

/** The name of a descriptor's peer; null when it is no connection, "" for one without a port. */
export function peerOf(calls: Calls, descriptor: number): string | null {
  length[0] = addressBytes;
  return calls.getpeername(descriptor, address, lengthBytes) === 0 ? readPeer(address) : null;
}

/** The name of a peer, by which it is compared: its address in canonical form, and its port. */
export function nameOf({ hostname, port }: Deno.NetAddr): string {
  return `${plainHost(hostname)} ${port}`;
}

/** Reads a `struct sockaddr`. */
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

/** IPv6 has several forms of an address. */
function plainHost(host: string): string {
  const [address = ""] = host.split("%");
  return address.includes(":") ? new URL(`http://[${address}]`).hostname : address;
}
