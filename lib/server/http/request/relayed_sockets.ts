import type { Context } from "fresh";
import { maxMessageBytes } from "../../../shared/coediting.ts";
import { delay } from "../../../shared/delay.ts";
import { DomainError } from "../../../shared/errors.ts";
import { joined } from "../../../shared/joined.ts";
import type { SentRequest } from "../../core/slow_disks/protocol.ts";
import { idleSeconds, refuseOn } from "../../features/coediting/member.ts";
import type { ConnectionMeter } from "../../features/commands/connection_meters.ts";
import { limitMessages } from "../../features/commands/message_limit.ts";
import type { State } from "../define.ts";

type Ctx = Context<State>;

/**
 * What the thread of a connection tells the one that may wait for its disk. Messages are numbered:
 * Deno drops some to a thread that is far behind.
 */
type Relayed =
  | { kind: "open" }
  | { kind: "message"; data: unknown; part: number }
  | { kind: "close" };

/** Marks the answer of that thread: its body has what is to be sent. */
const mark = "x-cubby-relayed";

/** What is in the body, by its first byte; its length in bytes follows, as 32 bits. */
const frames = { message: 0, close: 1, taken: 2 } as const;
const headLength = 5;

/** The most that waits in the connection before more is read from the other thread, in bytes. */
const maxUnsentBytes = 1024 ** 2;
const unsentPauseMs = 20;

/** The most that the other thread has not taken, which may hang, in bytes. */
const maxUntakenBytes = 3 * maxMessageBytes;

/** How long a connection may take to close before it is cut, in milliseconds. */
const closingMs = 2_000;

const channelOf = (relay: string) => new BroadcastChannel(`cubby-relay ${relay}`);

/** A WebSocket of a request, in the thread of its connection. */
export interface Upgraded {
  socket: WebSocket;
  response: Response;
  /** Cuts the connection; null where the system cannot. */
  meter: ConnectionMeter | null;
}

/** Opens the WebSocket of a text. Messages that are too long close it. */
export function upgrade(ctx: Ctx): Upgraded {
  const peer = ctx.info.remoteAddr;
  const meter = "hostname" in peer ? ctx.state.cubby.meters?.meterOf(peer) ?? null : null;
  const { socket, response } = ctx.upgrade({ idleTimeout: idleSeconds });
  socket.binaryType = "arraybuffer";
  limitMessages(socket, meter, maxMessageBytes);
  return { socket, response, meter };
}

/**
 * Opens a WebSocket here, and relays it to a thread that may wait for a disk.
 *
 * @param forward hands the request, and the name of its channel, to that thread
 */
export async function relaySocket(
  ctx: Ctx,
  forward: (relay: string) => Promise<Response>,
): Promise<Response> {
  const relay = crypto.randomUUID();
  const answer = await forward(relay).catch((error) => {
    if (error instanceof DomainError) return error;
    throw error;
  });
  if (answer instanceof Response && !answer.headers.has(mark)) return answer;
  const upgraded = upgrade(ctx);
  if (answer instanceof DomainError) void refuseOn(upgraded.socket, answer);
  else void passOn(upgraded, answer.body?.getReader(), channelOf(relay));
  return upgraded.response;
}

/** Passes messages between a connection and the other thread, until one of them ends it. */
async function passOn(
  { socket, meter }: Upgraded,
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined,
  channel: BroadcastChannel,
): Promise<void> {
  const tell = (relayed: Relayed) => channel.postMessage(relayed);
  const closed = new AbortController();
  const untaken: number[] = [];
  let untakenBytes = 0;
  let parts = 0;
  socket.addEventListener("open", () => tell({ kind: "open" }));
  socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
    const bytes = typeof data === "string" ? 2 * data.length : data.byteLength;
    untaken.push(bytes + headLength);
    untakenBytes += bytes + headLength;
    if (untakenBytes > maxUntakenBytes) return socket.close(1013, "too slow");
    tell({ kind: "message", data, part: parts++ });
  });
  socket.addEventListener("error", (event) => event.preventDefault());
  socket.addEventListener("close", () => {
    tell({ kind: "close" });
    channel.close();
    closed.abort();
    reader?.cancel().catch(() => {});
  });
  try {
    for (let rest: Uint8Array<ArrayBuffer> = new Uint8Array();;) {
      const { value } = await reader?.read() ?? {};
      if (!value) break;
      rest = rest.length === 0 ? value : joined([rest, value]);
      for (let frame = frameIn(rest); frame; frame = frameIn(rest)) {
        rest = rest.subarray(headLength + frame.bytes.length);
        if (frame.kind === frames.taken) {
          untakenBytes -= untaken.shift() ?? 0;
          continue;
        }
        while (socket.bufferedAmount > maxUnsentBytes && !closed.signal.aborted) {
          await delay(unsentPauseMs, closed.signal);
        }
        if (socket.readyState !== WebSocket.OPEN) continue;
        if (frame.kind === frames.message) socket.send(frame.bytes);
        else socket.close(...closingIn(frame.bytes));
      }
    }
  } catch {
    // The other thread has stopped.
  }
  if (socket.readyState < WebSocket.CLOSING) socket.close();
  // A peer that is gone answers no close.
  await delay(closingMs, closed.signal);
  if (!closed.signal.aborted) meter?.cut();
}

function frameIn(bytes: Uint8Array<ArrayBuffer>) {
  if (bytes.length < headLength) return null;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  if (bytes.length < headLength + length) return null;
  return { kind: bytes[0], bytes: bytes.subarray(headLength, headLength + length) };
}

function framed(kind: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(headLength + bytes.length);
  frame[0] = kind;
  new DataView(frame.buffer).setUint32(1, bytes.length);
  frame.set(bytes, headLength);
  return frame;
}

function closingIn(bytes: Uint8Array): [code: number, reason: string] {
  const [code, reason] = JSON.parse(new TextDecoder().decode(bytes));
  return [code, reason];
}

/**
 * The WebSocket of a request that another thread has relayed to this one; null for any other
 * request. It has of a `WebSocket` what rooms use.
 */
export function relayedSocket({ info }: Pick<Ctx, "info">): Upgraded | null {
  const { relay } = info as Pick<SentRequest, "relay">;
  if (relay === undefined) return null;
  const socket = new RelayedSocket(relay);
  const headers = { [mark]: "1", "content-type": "application/octet-stream" };
  return {
    socket: socket as unknown as WebSocket,
    response: new Response(socket.body, { headers }),
    meter: null,
  };
}

class RelayedSocket extends EventTarget {
  /** What is sent. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #channel: BroadcastChannel;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #parts = 0;
  readyState: number = WebSocket.CONNECTING;

  constructor(relay: string) {
    super();
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      cancel: () => this.#end(),
    }, new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }));
    this.#channel = channelOf(relay);
    this.#channel.onmessage = ({ data }: MessageEvent<Relayed>) => this.#take(data);
  }

  get bufferedAmount(): number {
    return Math.max(0, -(this.#controller?.desiredSize ?? 0));
  }

  send(bytes: Uint8Array): void {
    this.#controller?.enqueue(framed(frames.message, bytes));
  }

  close(code = 1000, reason = ""): void {
    if (this.readyState >= WebSocket.CLOSING) return;
    this.readyState = WebSocket.CLOSING;
    const closing = new TextEncoder().encode(JSON.stringify([code, reason]));
    this.#controller?.enqueue(framed(frames.close, closing));
  }

  #take(relayed: Relayed): void {
    if (relayed.kind === "close") return this.#end();
    if (relayed.kind === "message") {
      if (relayed.part !== this.#parts++) return this.close(1013, "messages were lost");
      this.#controller?.enqueue(framed(frames.taken, new Uint8Array()));
      this.dispatchEvent(new MessageEvent("message", { data: relayed.data }));
    } else if (this.readyState === WebSocket.CONNECTING) {
      this.readyState = WebSocket.OPEN;
      this.dispatchEvent(new Event("open"));
    }
  }

  #end(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.#channel.close();
    try {
      this.#controller?.close();
    } catch {
      // It was cancelled.
    }
    this.#controller = null;
    this.dispatchEvent(new Event("close"));
  }
}
