/** A room as the server has it, without files and rights, and people who write in it. */
import * as decoding from "lib0/decoding";
import { readSyncMessage, writeSyncStep1, writeSyncStep2, writeUpdate } from "y-protocols/sync";
import * as encoding from "lib0/encoding";
import { Text } from "@codemirror/state";
import * as Y from "yjs";
import {
  type Ended,
  endedMessage,
  keptMessage,
  presentMessage,
  readMessage,
  type Saved,
  savedMessage,
  syncMessage,
  syncSteps,
  textName,
} from "../../../../../lib/shared/coediting.ts";
import {
  CoeditedText,
  type CoeditedTextOptions,
} from "../../../../../lib/client/screens/editor/coediting/coedited_text.ts";
import type {
  UnsentText,
  UnsentTexts,
} from "../../../../../lib/client/screens/editor/coediting/unsent_texts.ts";

/** A room on this machine. */
export class RoomServer implements AsyncDisposable {
  readonly #sockets = new Set<WebSocket>();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #doc = new Y.Doc();
  #document = "";
  /** Refuses all connections. */
  isAway = false;
  /** Acknowledges nothing. */
  isForgetful = false;
  /** Refuses those who come, for so many times. */
  refusing: { ended: Ended; times: number } | null = null;
  right: "view" | "edit" = "edit";
  saves = 0;

  /** @param text what the file has */
  constructor(text: string) {
    this.restart(text);
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
      if (this.isAway) return new Response(null, { status: 503 });
      const { socket, response } = Deno.upgradeWebSocket(request);
      this.#meet(socket, new URL(request.url).searchParams.get("document"));
      return response;
    });
  }

  get address(): string {
    return `ws://127.0.0.1:${this.#server.addr.port}/`;
  }

  get text(): string {
    return this.#doc.getText(textName).toString();
  }

  get count(): number {
    return this.#sockets.size;
  }

  /** Begins with another document, as after all have left. */
  restart(text: string): void {
    this.#doc.destroy();
    this.#doc = new Y.Doc();
    this.#document = crypto.randomUUID();
    this.#doc.getText(textName).insert(0, text);
    this.#doc.on("update", (update: Uint8Array, origin: unknown) => {
      for (const socket of this.#sockets) {
        if (socket !== origin) {
          this.#send(socket, syncMessage((encoder) => writeUpdate(encoder, update)));
        }
      }
    });
  }

  /** Somebody else writes. */
  write(at: number, text: string): void {
    this.#doc.getText(textName).insert(at, text);
  }

  /** All connections are lost. */
  async breakOff(): Promise<void> {
    const sockets = [...this.#sockets];
    const closed = sockets.map((socket) =>
      new Promise((resolve) => socket.addEventListener("close", resolve))
    );
    for (const socket of sockets) socket.close();
    await Promise.all(closed);
  }

  end(ended: Ended): void {
    for (const socket of this.#sockets) {
      socket.send(endedMessage(ended));
      if (ended.closing) socket.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.breakOff();
    await this.#server.shutdown();
    this.#doc.destroy();
  }

  get #saved(): Saved {
    return { document: this.#document, etag: `"${this.saves}"`, modified: "", by: [] };
  }

  #send(socket: WebSocket, bytes: Uint8Array<ArrayBuffer>): void {
    if (socket.readyState === WebSocket.OPEN) socket.send(bytes);
  }

  #meet(socket: WebSocket, document: string | null): void {
    socket.binaryType = "arraybuffer";
    let received = 0;
    socket.onopen = () => {
      this.#sockets.add(socket);
      if (this.refusing && this.refusing.times-- > 0) {
        this.#send(socket, endedMessage(this.refusing.ended));
        return socket.close();
      }
      if (document !== null && document !== this.#document) {
        const ended = { code: "precondition_failed", message: "", closing: true } as const;
        this.#send(socket, endedMessage(ended));
        return socket.close();
      }
      this.#send(socket, savedMessage(this.#saved));
      if (this.right === "edit") {
        this.#send(socket, syncMessage((encoder) => writeSyncStep1(encoder, this.#doc)));
      }
      const { right } = this;
      const self = { id: 1, name: "ada", color: "#0f7b6c", right, self: true };
      this.#send(socket, presentMessage([self]));
    };
    socket.onclose = () => void this.#sockets.delete(socket);
    socket.onmessage = ({ data }) => {
      const message = readMessage(new Uint8Array(data));
      if (message.kind === "saveNow") {
        this.saves++;
        return this.#send(socket, savedMessage(this.#saved));
      }
      if (message.kind !== "sync") return;
      const decoder = decoding.createDecoder(message.payload);
      if (message.step === syncSteps.askMissing) {
        decoding.readVarUint(decoder);
        const vector = decoding.readVarUint8Array(decoder);
        const answer = syncMessage((encoder) => writeSyncStep2(encoder, this.#doc, vector));
        return this.#send(socket, answer);
      }
      readSyncMessage(decoder, encoding.createEncoder(), this.#doc, socket);
      received++;
      if (!this.isForgetful) this.#send(socket, keptMessage(received));
    };
  }
}

/** What a browser keeps over a reload. */
export function unsentIn(kept: Map<string, UnsentText>, page: string): UnsentTexts {
  return {
    keep: (text) => Promise.resolve(void kept.set(page, text)),
    forget: () => Promise.resolve(void kept.delete(page)),
    read() {
      const found = [...kept].filter(([key]) => key !== page);
      return Promise.resolve({
        elsewhere: [],
        texts: found.map(([, text]) => text),
        done: () => Promise.resolve(found.forEach(([key]) => kept.delete(key))),
      });
    },
  };
}

/** A page in a room: the text on screen follows the room as a view does. */
export class Writer implements Disposable {
  readonly room: CoeditedText;
  readonly told: string[] = [];
  /** What the page has loaded before it was in the room. */
  loaded: string;
  screen: string;

  constructor(
    server: RoomServer,
    options: Partial<CoeditedTextOptions> & { loaded?: string } = {},
  ) {
    this.loaded = this.screen = server.text;
    this.room = new CoeditedText({
      address: ({ document }) =>
        server.address + (document === undefined ? "" : `?document=${document}`),
      unsent: unsentIn(new Map(), "page"),
      guests: { unnamed: "Guest", mark: "guest" },
      onJoined: () => this.told.push("joined"),
      onRefused: () => this.told.push("refused"),
      onElsewhere: () => {},
      onEnded: ({ code }) => this.told.push(code),
      onChanged: () => {},
      onFailed: ({ code }) => this.told.push(`failed: ${code}`),
      onSaved: (_, isAsked) => void (isAsked && this.told.push("saved")),
      why: () => Promise.resolve(null),
      ...options,
      loaded: () => linesOf(this.loaded),
    });
    this.room.open();
  }

  /** Shows the text of the room, as a view does when it is connected. */
  show(): void {
    const before = linesOf(this.screen);
    this.screen = this.room.text.value?.join(before).apply(before).toString() ?? this.screen;
  }

  [Symbol.dispose](): void {
    this.room.close();
  }
}

function linesOf(text: string): Text {
  return Text.of(text.split("\n"));
}
