import { DomainError } from "../../../shared/errors.ts";
import { libcPath } from "../../core/disk/libc.ts";
import { findPeer, nameOf, peerOf, peerSymbols } from "../../core/disk/socket_peers.ts";

const symbols = {
  ...peerSymbols,
  getsockopt: { parameters: ["i32", "i32", "i32", "buffer", "buffer"], result: "i32" },
  setsockopt: { parameters: ["i32", "i32", "i32", "buffer", "u32"], result: "i32" },
  shutdown: { parameters: ["i32", "i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

type Library = Deno.DynamicLibrary<typeof symbols>;
type Calls = Library["symbols"];

/** Numbers of the Linux kernel's interface, the same on every architecture that Deno runs on. */
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_LINGER = 13;
const IPPROTO_TCP = 6;
const TCP_INFO = 11;
const SHUT_RDWR = 2;

/** Offset of `tcpi_bytes_received`, a u64, in `struct tcp_info` (Linux 4.1 and later). */
const receivedOffset = 128;

/** The size of the kernel's receive buffer, in bytes; it doubles the number. */
const aheadBytes = 32 * 1024;

/** Counts the bytes received on a client's connection, which Deno does not report. */
export interface ConnectionMeter {
  /** Bytes received since the meter was made; null once the connection is gone. */
  received(): number | null;
  /** Ends the connection at once, even while Deno reads from it. */
  cut(): void;
}

/** Makes meters, with the C library's help. */
export class ConnectionMeters {
  #library: Library | null = loadLibrary();

  /**
   * Finds the connection of a request, makes the kernel's receive buffer small, and counts the
   * bytes received. Under https the encrypted bytes are counted, which are more.
   *
   * @param peer the address of the socket's peer
   * @returns null where the system has no such calls (macOS, Windows)
   * @throws DomainError `not_supported` when there is no such connection
   */
  meterOf(peer: Deno.Addr): ConnectionMeter | null {
    const calls = this.#library?.symbols;
    if (!calls) return null;
    const name = peer.transport === "tcp" ? nameOf(peer) : null;
    const descriptor = name === null ? null : findPeer(calls, name);
    if (name === null || descriptor === null) {
      throw new DomainError("not_supported", "Cannot open a socket: its connection was not found");
    }

    calls.setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, new Uint32Array([aheadBytes]), 4);
    const before = receivedBy(calls, descriptor) ?? 0;
    // The descriptor may be another connection's once this one is closed.
    const isOpen = () => this.#library !== null && peerOf(calls, descriptor) === name;
    return {
      received() {
        const bytes = isOpen() ? receivedBy(calls, descriptor) : null;
        return bytes === null ? null : bytes - before;
      },
      cut() {
        if (!isOpen()) return;
        // Without lingering the client gets an RST at once, even if it sends nothing more.
        calls.setsockopt(descriptor, SOL_SOCKET, SO_LINGER, new Uint32Array([1, 0]), 8);
        calls.shutdown(descriptor, SHUT_RDWR);
      },
    };
  }

  /** Whether this system can count. */
  get canCount(): boolean {
    return this.#library !== null;
  }

  /** Closes the C library; the meters read nothing more. */
  close(): void {
    this.#library?.close();
    this.#library = null;
  }
}

function loadLibrary(): Library | null {
  return libcPath === null ? null : Deno.dlopen(libcPath, symbols);
}

const info = new DataView(new ArrayBuffer(256));
const length = new Uint32Array(1);

function receivedBy(calls: Calls, descriptor: number): number | null {
  length[0] = info.byteLength;
  const failed = calls.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info.buffer, length) !== 0;
  if (failed || length[0] < receivedOffset + 8) return null;
  return Number(info.getBigUint64(receivedOffset, true));
}
