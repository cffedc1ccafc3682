import { type Ended, endedMessage, maxMessageBytes, silenceMs } from "../../../shared/coediting.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { ConnectionMeter } from "../commands/connection_meters.ts";
import { Rate } from "../../core/concurrency/rate.ts";
import { isStoreAway } from "../../core/kv/circuit_breaker.ts";
import { admit, goneError, type GrantServices } from "./grants.ts";
import type { Joining, MemberLine } from "./room.ts";

/** A room as a member reaches it, in this thread or another. */
export interface RoomPort {
  /** Where the file is now; null once the room is gone. */
  place(): Promise<EntryPath | null>;
  receive(messages: Uint8Array[], right: Joining["right"]): void;
  setRight(right: Joining["right"]): void;
  leave(): void;
}

/** Interval of the checks of session, share and rights while nothing comes, in milliseconds. */
const checkMs = 2_000;

/** Messages a second, and at once after a pause. */
const messagesPerSecond = 100;
const messagesAtOnce = 400;

/** Bytes a second, and at once after a pause: pages bring what was written offline. */
const bytesPerSecond = 256 * 1024;
const bytesAtOnce = 2 * maxMessageBytes;

/** The most that waits for one who reads slowly, in bytes; the page comes back for the rest. */
const maxUnsentBytes = 12 * 1024 ** 2;

/** How long one may take to open: a client that leaves meanwhile is not told of, in milliseconds. */
const openingMs = 5_000;

/** How long a connection may take to close before it is cut, in milliseconds. */
const closingMs = 2_000;

/** WebSocket status codes (RFC 6455, 7.4.1). */
const closed = { normally: 1000, forPolicy: 1008, later: 1013 };

/**
 * One connection to a room. What it may do is asked for each batch of messages, and every two
 * seconds. It is closed when it sends too much, reads too slowly, or is gone without having said so.
 */
export class Member implements MemberLine {
  readonly #socket: WebSocket;
  readonly #services: GrantServices;
  readonly #joining: Joining;
  readonly #meter: ConnectionMeter | null;
  readonly #onEnd: () => void;
  readonly #messages = new Rate(messagesPerSecond, messagesAtOnce);
  readonly #bytes = new Rate(bytesPerSecond, bytesAtOnce);
  #port: RoomPort | null = null;
  #queue: Uint8Array[] = [];
  #draining: Promise<void> | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #cutTimer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  /**
   * @param meter cuts the connection; null where the system cannot
   * @param onEnd called once, when the connection is over
   */
  constructor(
    socket: WebSocket,
    services: GrantServices,
    joining: Joining,
    meter: ConnectionMeter | null,
    onEnd: () => void,
  ) {
    this.#socket = socket;
    this.#services = services;
    this.#joining = joining;
    this.#meter = meter;
    this.#onEnd = onEnd;
    socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => this.#take(data));
    socket.addEventListener("close", () => this.#finish());
    socket.addEventListener("error", (event) => {
      event.preventDefault();
      this.#leave();
      this.#cutLater();
    });
  }

  /**
   * Enters the room once the connection is open, and tells why where that is refused.
   *
   * @param enter opens the room
   */
  async enter(enter: (line: MemberLine) => Promise<RoomPort>): Promise<void> {
    try {
      await opened(this.#socket);
      if (this.#isOver) return;
      const port = await enter(this);
      this.#port = port;
      if (this.#isOver) return port.leave();
      this.#timer = setInterval(() => this.#check(), checkMs);
      this.#drain();
    } catch (error) {
      this.#refuse(error);
    }
  }

  send(message: Uint8Array<ArrayBuffer>): void {
    if (this.#isOver || this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#socket.bufferedAmount > maxUnsentBytes) {
      return this.#close(closed.later, "too slow");
    }
    try {
      this.#socket.send(message);
    } catch {
      // The connection is closing.
    }
  }

  end(ended: Omit<Ended, "closing">): void {
    this.send(endedMessage({ ...ended, closing: true }));
    this.#close(ended.code === "busy" ? closed.normally : closed.forPolicy, ended.code);
  }

  #take(data: unknown): void {
    if (this.#isOver) return;
    if (!(data instanceof ArrayBuffer)) {
      return this.end({ code: "invalid_body", message: "Cannot read the message: it is text" });
    }
    if (!this.#messages.take(1) || !this.#bytes.take(data.byteLength)) {
      const message = "Cannot take the messages: there are too many";
      return this.end({ code: "throttled", message, retryAfter: 5 });
    }
    this.#queue.push(new Uint8Array(data));
    this.#drain();
  }

  #drain(): void {
    if (!this.#port || this.#queue.length === 0) return;
    this.#draining ??= this.#handAll().catch((error) => this.#refuse(error))
      .finally(() => this.#draining = null);
  }

  async #handAll(): Promise<void> {
    while (this.#queue.length > 0 && !this.#isOver) {
      // What comes while the rights are looked up is one batch more.
      const batch = this.#queue;
      this.#queue = [];
      const right = await this.#right();
      if (!this.#isOver) this.#port?.receive(batch, right);
    }
  }

  #check(): void {
    if (this.#draining) return;
    this.#draining = this.#right().then((right) => {
      if (!this.#isOver) this.#port?.setRight(right);
    }).catch((error) => {
      // While the store is away, nothing can be asked, and nothing is taken.
      if (!isStoreAway(error)) this.#refuse(error);
    }).finally(() => {
      this.#draining = null;
      this.#drain();
    });
  }

  async #right(): Promise<Joining["right"]> {
    const place = await this.#port?.place() ?? null;
    if (place === null) throw goneError();
    const { editing } = await admit(this.#services, this.#joining.grant, place);
    return editing ? "edit" : "view";
  }

  #refuse(error: unknown): void {
    const refusal = error instanceof DomainError
      ? error
      : new DomainError("internal", "Cannot edit the text: the server failed");
    const { code, message, retryAfter } = refusal;
    this.end({ code, message, ...retryAfter !== undefined && { retryAfter } });
  }

  #close(code: number, reason: string): void {
    this.#leave();
    if (this.#socket.readyState < WebSocket.CLOSING) {
      try {
        this.#socket.close(code, reason);
      } catch {
        // It was never opened.
      }
    }
    this.#cutLater();
  }

  /** A peer that is gone answers no close. */
  #cutLater(): void {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    this.#cutTimer ??= setTimeout(() => {
      this.#meter?.cut();
      this.#onEnd();
    }, closingMs);
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#queue = [];
    this.#port?.leave();
  }

  #finish(): void {
    this.#leave();
    clearTimeout(this.#cutTimer);
    this.#onEnd();
  }
}

/** Seconds without an answer to a ping after which a connection is dead. */
export const idleSeconds = silenceMs / 1000;

/** Tells a client on its connection why it is not let in, and closes it. */
export async function refuseOn(socket: WebSocket, refusal: DomainError): Promise<void> {
  socket.addEventListener("error", (event) => event.preventDefault());
  try {
    await opened(socket);
    const { code, message, retryAfter } = refusal;
    const ended = { code, message, closing: true, ...retryAfter !== undefined && { retryAfter } };
    socket.send(endedMessage(ended));
    socket.close(closed.forPolicy, code);
  } catch {
    // It has left.
  }
}

/** Waits until a connection is open. @throws DomainError when it never opens */
async function opened(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.OPEN) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener("open", () => resolve(), { once: true });
  socket.addEventListener("close", () => reject(new DomainError("busy", "Not opened")), {
    once: true,
  });
  const limit = setTimeout(() => reject(new DomainError("busy", "Not opened")), openingMs);
  try {
    await promise;
  } finally {
    clearTimeout(limit);
  }
}
