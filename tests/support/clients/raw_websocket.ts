/** A WebSocket as bytes (RFC 6455): frames that no browser sends, and as many of them as one likes. */
import { type Listener, requestHead } from "./raw_http.ts";

/** What a frame is of. */
export const opcode = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

/** An open connection. */
export interface RawWebSocket extends Disposable {
  /** Sends bytes; false once the server has ended the connection. */
  send(...frames: Uint8Array<ArrayBuffer>[]): Promise<boolean>;
  /** Reads until a frame of that kind comes; its payload, or null when the connection ends before. */
  next(wanted: number): Promise<Uint8Array | null>;
  /** Reads until the server closes; the code, or null when it just ends the connection. */
  closeCode(): Promise<number | null>;
}

/** One frame from a client, masked with zeros. `announced` is the length that its head tells. */
export function frame(
  kind: number,
  payload: Uint8Array | string,
  isLast = true,
  announced?: number,
): Uint8Array<ArrayBuffer> {
  const bytes = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  const whole = new Uint8Array(14 + bytes.length);
  whole[0] = kind | (isLast ? 0x80 : 0);
  whole[1] = 0x80 | 127;
  new DataView(whole.buffer).setBigUint64(2, BigInt(announced ?? bytes.length));
  whole.set(bytes, 14);
  return whole;
}

/**
 * Opens a WebSocket.
 *
 * @throws Error with the status line when the server refuses
 */
export async function openRaw(
  to: Listener,
  path: string,
  headers: Record<string, string>,
): Promise<RawWebSocket> {
  const socket = await Deno.connect(to);
  const read = reader(socket);
  const key = crypto.getRandomValues(new Uint8Array(16)).toBase64();
  const wanted = { upgrade: "websocket", connection: "Upgrade", "sec-websocket-version": "13" };
  const head = requestHead("GET", path, { ...wanted, "sec-websocket-key": key, ...headers });
  await socket.write(new TextEncoder().encode(head));
  let answer = "";
  while (!answer.endsWith("\r\n\r\n")) {
    const byte = await read(1);
    if (byte === null) break;
    answer += String.fromCharCode(...byte);
  }
  if (!answer.startsWith("HTTP/1.1 101 ")) {
    socket.close();
    throw new Error(`Cannot open a WebSocket: ${answer.split("\r\n", 1)}`);
  }

  async function next(wanted: number): Promise<Uint8Array | null> {
    for (;;) {
      const [first, second] = await read(2) ?? [];
      if (first === undefined || second === undefined) return null;
      const wide = second === 127 ? 8 : second === 126 ? 2 : 0;
      const length = wide === 0 ? second : numberOf(await read(wide));
      const payload = await read(length);
      if (payload === null || (first & 15) === wanted) return payload;
    }
  }

  return {
    next,
    async send(...frames) {
      try {
        for (const bytes of frames) {
          for (let done = 0; done < bytes.length;) done += await socket.write(bytes.subarray(done));
        }
        return true;
      } catch {
        return false;
      }
    },
    async closeCode() {
      const payload = await next(opcode.close);
      return payload === null || payload.length < 2 ? null : numberOf(payload.subarray(0, 2));
    },
    [Symbol.dispose]: () => socket.close(),
  };
}

function numberOf(bytes: Uint8Array | null): number {
  return [...bytes ?? []].reduce((number, byte) => number * 256 + byte, 0);
}

function reader(socket: Deno.Conn) {
  let held = new Uint8Array(0);
  return async (count: number): Promise<Uint8Array | null> => {
    while (held.length < count) {
      const chunk = new Uint8Array(4096);
      const read = await socket.read(chunk).catch(() => null);
      if (read === null) return null;
      const longer = new Uint8Array(held.length + read);
      longer.set(held);
      longer.set(chunk.subarray(0, read), held.length);
      held = longer;
    }
    const taken = held.slice(0, count);
    held = held.slice(count);
    return taken;
  };
}
