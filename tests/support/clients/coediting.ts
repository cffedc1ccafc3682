/** A page that edits a text together with others, without its editor. */
import * as decoding from "lib0/decoding";
import * as awareness from "y-protocols/awareness";
import * as syncing from "y-protocols/sync";
import * as Y from "yjs";
import {
  awarenessMessage,
  type Ended,
  type Message,
  type Present,
  readMessage,
  type Saved,
  saveNowMessage,
  syncMessage,
  syncSteps,
  textName,
} from "../../../lib/shared/coediting.ts";
import { HeaderSocket } from "./command.ts";

/** How a page connects. */
export interface EditorOptions {
  /** Of the server. */
  url: string;
  /** Behind `/api/`: "coediting/a.txt". */
  address: string;
  /** Sent in `X-Auth`; none for a visitor. */
  token?: string;
  headers?: Record<string, string>;
  /** The query, such as `?name=`. */
  query?: Record<string, string>;
  /** The document of the page; a new one unless given. */
  doc?: Y.Doc;
  /** The page follows, and asks for nothing at first. */
  isQuiet?: boolean;
}

/** How long a condition is waited for, in milliseconds. */
const limitMs = 20_000;

/** A connected page. */
export class Editor implements AsyncDisposable {
  readonly doc: Y.Doc;
  readonly awareness: awareness.Awareness;
  readonly #socket: WebSocket;
  readonly #opened = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  readonly #waiting = new Set<() => void>();
  readonly #onUpdate = (update: Uint8Array, origin: unknown) => {
    if (origin !== this && this.isOpen) this.sendUpdate(update);
  };
  /** Whether the document has what the server had when the page came. */
  isSynced = false;
  saved: Saved | null = null;
  present: Present[] = [];
  /** Refusals, in their order. */
  ended: Ended[] = [];
  /** How many changes were sent, and how many are durable. */
  sent = 0;
  kept = 0;
  /** The code of the close. */
  code: number | null = null;
  /** All messages that came, by their kind. */
  readonly counts: Partial<Record<Message["kind"], number>> = {};

  constructor({ url, address, token, headers, query = {}, doc, isQuiet }: EditorOptions) {
    this.doc = doc ?? new Y.Doc();
    this.awareness = new awareness.Awareness(this.doc);
    clearInterval(Reflect.get(this.awareness, "_checkInterval"));
    const asked = new URLSearchParams(query);
    const target = `${url.replace(/^http/, "ws")}/api/${address}?${asked}`;
    this.#socket = new HeaderSocket(target, {
      headers: { ...token !== undefined && { "x-auth": token }, ...headers },
    });
    this.#socket.binaryType = "arraybuffer";
    this.#socket.onopen = () => {
      this.#opened.resolve();
      if (!isQuiet) this.send(syncMessage((encoder) => syncing.writeSyncStep1(encoder, this.doc)));
      this.#wake();
    };
    this.#socket.onmessage = ({ data }) => this.#take(new Uint8Array(data));
    this.#socket.onerror = (event) => event.preventDefault();
    this.#socket.onclose = ({ code }) => {
      this.code = code;
      this.#closed.resolve();
      this.#wake();
    };
    this.doc.on("update", this.#onUpdate);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  get text(): string {
    return this.doc.getText(textName).toString();
  }

  /** What the page is in the list of those present. */
  get self(): Present | undefined {
    return this.present.find(({ self }) => self);
  }

  /** Types at a place; at the end unless given. */
  type(text: string, at = this.doc.getText(textName).length): void {
    this.doc.getText(textName).insert(at, text);
  }

  remove(at: number, length: number): void {
    this.doc.getText(textName).delete(at, length);
  }

  sendUpdate(update: Uint8Array): void {
    this.sent++;
    this.send(syncMessage((encoder) => syncing.writeUpdate(encoder, update)));
  }

  saveNow(): void {
    this.send(saveNowMessage());
  }

  /** Tells where its cursor is. */
  point(state: Record<string, unknown> | null = { cursor: null }): void {
    this.awareness.setLocalState(state);
    const update = awareness.encodeAwarenessUpdate(this.awareness, [this.doc.clientID]);
    this.send(awarenessMessage(update));
  }

  send(message: Uint8Array<ArrayBuffer> | string): void {
    if (this.isOpen) this.#socket.send(message);
  }

  /** Waits until something is so. @throws Error with what is there instead */
  async until(what: string, isSo: () => boolean): Promise<void> {
    const end = Date.now() + limitMs;
    while (!isSo()) {
      const wait = Promise.withResolvers<void>();
      const timer = setTimeout(wait.resolve, Math.max(1, Math.min(200, end - Date.now())));
      this.#waiting.add(wait.resolve);
      await wait.promise;
      clearTimeout(timer);
      this.#waiting.delete(wait.resolve);
      if (Date.now() > end) {
        const { code, ended, kept, present, saved, sent, text } = this;
        const state = { code, ended, kept, present, saved, sent, text: text.slice(0, 300) };
        throw new Error(`Not so in time: ${what}: ${JSON.stringify(state)}`);
      }
    }
  }

  /** Waits until the page has the text. */
  synced(): Promise<void> {
    return this.until("synced", () => this.isSynced);
  }

  /** Waits until all that was sent is durable. */
  allKept(): Promise<void> {
    return this.until("kept", () => this.kept === this.sent);
  }

  /** Waits until the connection is closed; the last refusal. */
  async end(): Promise<Ended | undefined> {
    await this.until("closed", () => this.code !== null);
    return this.ended.at(-1);
  }

  /** Leaves, and keeps its document, as a page does that is offline. */
  async leave(): Promise<void> {
    this.doc.off("update", this.#onUpdate);
    // The server would only notice later that half a handshake is given up.
    await Promise.race([this.#opened.promise, this.#closed.promise]);
    if (this.#socket.readyState < WebSocket.CLOSING) this.#socket.close();
    await this.#closed.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave();
    this.awareness.destroy();
    this.doc.destroy();
  }

  #take(bytes: Uint8Array): void {
    const message = readMessage(bytes);
    this.counts[message.kind] = (this.counts[message.kind] ?? 0) + 1;
    switch (message.kind) {
      case "sync":
        this.#sync(message.step, message.payload);
        break;
      case "awareness":
        awareness.applyAwarenessUpdate(this.awareness, message.update, this);
        break;
      case "kept":
        this.kept = message.count;
        break;
      case "saved":
        this.saved = message.saved;
        break;
      case "present":
        this.present = message.present;
        break;
      case "ended":
        this.ended.push(message.ended);
    }
    this.#wake();
  }

  #sync(step: number, payload: Uint8Array): void {
    const decoder = decoding.createDecoder(payload);
    let isAsked = false;
    const answer = syncMessage((encoder) => {
      isAsked = syncing.readSyncMessage(decoder, encoder, this.doc, this) ===
        syncing.messageYjsSyncStep1;
    });
    if (isAsked) {
      this.sent++;
      this.send(answer);
    }
    if (step === syncSteps.sendMissing) this.isSynced = true;
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
