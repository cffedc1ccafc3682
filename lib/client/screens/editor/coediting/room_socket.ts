import { type Message, readMessage, silenceMs } from "../../../../shared/coediting.ts";

/** The first pause before another attempt, and the longest one, in milliseconds. */
const PAUSE_MS = { first: 500, longest: 10_000 };

/** How long an attempt may take, in milliseconds: a network that is gone answers nothing. */
const OPENING_MS = 20_000;

/** The dependencies of a connection. */
export interface RoomSocketOptions {
  /** The address, without a fragment: "wss://…". */
  address: () => string;
  onOpen: () => void;
  onMessage: (message: Message) => void;
  /** Called when a connection is lost, or could not be made. */
  onClosed: (wasOpen: boolean) => void;
}

/**
 * A WebSocket that is opened again whenever it is lost: after pauses that double, and at once when
 * the browser is online again or its tab is looked at.
 */
export class RoomSocket {
  readonly #options: RoomSocketOptions;
  readonly #leaving = new AbortController();
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs = PAUSE_MS.first;

  /** @param options the dependencies of the connection */
  constructor(options: RoomSocketOptions) {
    this.#options = options;
    const { signal } = this.#leaving;
    globalThis.addEventListener("online", () => this.hurry(), { signal });
    globalThis.addEventListener("offline", () => this.#lose(), { signal });
    globalThis.document?.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.hurry();
    }, { signal });
  }

  /** Connects. */
  open(): void {
    clearTimeout(this.#timer);
    if (this.#socket || this.#leaving.signal.aborted) return;
    const socket = new WebSocket(this.#options.address());
    let wasOpen = false;
    this.#socket = socket;
    this.#watch(OPENING_MS);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      wasOpen = true;
      this.#watch(silenceMs);
      this.#options.onOpen();
    };
    socket.onmessage = ({ data }) => this.#read(socket, data);
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      clearTimeout(this.#timer);
      this.#options.onClosed(wasOpen);
    };
  }

  /** Sends a message, if there is a connection. */
  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  /** Connects again after a pause. @param seconds the server's own wish */
  later(seconds?: number): void {
    clearTimeout(this.#timer);
    if (this.#leaving.signal.aborted || this.#socket) return;
    const wishMs = (seconds ?? 0) * 1000;
    const pauseMs = wishMs || this.#pauseMs;
    // A server that says when it can be asked again is there.
    this.#pauseMs = wishMs ? PAUSE_MS.first : Math.min(pauseMs * 2, PAUSE_MS.longest);
    // Apart from each other, so that the pages of a restarted server do not all come at once.
    this.#timer = setTimeout(() => this.open(), pauseMs * (1 + Math.random() / 2));
  }

  /** Connects now, if it waits. */
  hurry(): void {
    if (this.#socket || this.#timer === undefined) return;
    this.#pauseMs = PAUSE_MS.first;
    this.open();
  }

  /** Connects again at once, by the current address; nothing where it waits. */
  renew(): void {
    if (!this.#socket) return;
    this.#lose();
    this.open();
  }

  /** The connection works: the next pause is a short one. */
  settle(): void {
    this.#pauseMs = PAUSE_MS.first;
  }

  /** Ends the connection for good. */
  close(): void {
    this.#leaving.abort();
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #read(socket: WebSocket, data: unknown): void {
    if (this.#socket !== socket || !(data instanceof ArrayBuffer)) return;
    this.#watch(silenceMs);
    this.#options.onMessage(readMessage(new Uint8Array(data)));
  }

  /** A connection that is dead without the browser's knowledge is seen by its silence. */
  #watch(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lose(), ms);
  }

  #lose(): void {
    const socket = this.#socket;
    if (!socket) return;
    const wasOpen = socket.readyState !== WebSocket.CONNECTING;
    this.#socket = null;
    clearTimeout(this.#timer);
    // Its own event may come much later, or not at all.
    socket.close();
    this.#options.onClosed(wasOpen);
  }
}
