/** Clients that ask for something and take nothing of the answer. */
import type { Listener } from "./raw_http.ts";

const symbols = {
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  setsockopt: { parameters: ["i32", "i32", "i32", "buffer", "u32"], result: "i32" },
  bind: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  connect: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  send: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  recv: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  close: { parameters: ["i32"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

/**
 * `AF_INET`, `SOCK_STREAM | SOCK_CLOEXEC`, `MSG_PEEK | MSG_DONTWAIT`. A server that another test
 * starts meanwhile would inherit the sockets, and nobody would have hung up.
 */
const [family, stream, peekNow] = [2, 0x80001, 0x42];

/** Levels and names of options: `SO_RCVBUF`, and `TCP_MAXSEG`. */
const [receiveBuffer, segment] = [[1, 8], [6, 2]] as const;

/** The kernel makes the smallest window of it that it knows, some 2 KiB. */
const windowBytes = 1;

/** As on a network: with the 64 KiB of the loopback the kernel takes megabytes from the server. */
const segmentBytes = 1448;

/** How much of an answer is looked at. */
const beginningBytes = 1024;

const statusLine = /^HTTP\/1\.1 (\d{3})/;

/**
 * Sockets of the C library, as Deno's let no receive buffer be set: with a small one nearly all of
 * an answer stays with the server. Looking at a status takes no byte from the socket.
 */
export class SlowReaders implements Disposable {
  readonly #libc = Deno.dlopen("libc.so.6", symbols);
  readonly #to: Listener;
  readonly #sockets: number[] = [];

  /** @param to an IPv4 address */
  constructor(to: Listener) {
    this.#to = to;
  }

  /** How many there are. */
  get count(): number {
    return this.#sockets.length;
  }

  /**
   * Adds a reader that sends a request.
   *
   * @param head with its empty line
   * @param from the client's address: any that begins with 127
   */
  add(head: string, from = "127.0.0.1"): void {
    const libc = this.#libc.symbols;
    const socket = libc.socket(family, stream, 0);
    this.#sockets.push(socket);
    this.#set(socket, receiveBuffer, windowBytes);
    this.#set(socket, segment, segmentBytes);
    const own = addressOf({ hostname: from, port: 0 });
    const other = addressOf(this.#to);
    const failed = libc.bind(socket, own, own.length) || libc.connect(socket, other, other.length);
    const bytes = new TextEncoder().encode(head);
    if (failed || Number(libc.send(socket, bytes, BigInt(bytes.length), 0)) !== bytes.length) {
      throw new Error("Cannot open a slow reader: its socket has no connection");
    }
  }

  /** What has come to each so far, as far as it looks, in order; "" where no answer has begun. */
  beginnings(): string[] {
    const start = new Uint8Array(beginningBytes);
    return this.#sockets.map((socket) => {
      const count = this.#libc.symbols.recv(socket, start, BigInt(start.length), peekNow);
      return new TextDecoder().decode(start.subarray(0, Math.max(0, Number(count))));
    });
  }

  /** The status of each, in order; 0 where no answer has begun. */
  statuses(): number[] {
    return this.beginnings().map((text) => Number(statusLine.exec(text)?.[1] ?? 0));
  }

  #set(socket: number, [level, name]: readonly [number, number], value: number): void {
    const bytes = new Uint8Array(Int32Array.of(value).buffer);
    this.#libc.symbols.setsockopt(socket, level, name, bytes, bytes.length);
  }

  /** Hangs up. */
  [Symbol.dispose](): void {
    for (const socket of this.#sockets.splice(0)) this.#libc.symbols.close(socket);
    this.#libc.close();
  }
}

/** A `sockaddr_in`. */
function addressOf({ hostname, port }: Listener): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, family, true);
  view.setUint16(2, port);
  bytes.set(hostname.split(".").map(Number), 4);
  return bytes;
}
