import type { ChangeSet, Text } from "@codemirror/state";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import * as decoding from "lib0/decoding";
import {
  applyAwarenessUpdate,
  encodeAwarenessUpdate,
  removeAwarenessStates,
} from "y-protocols/awareness";
import { writeSyncStep1, writeSyncStep2, writeUpdate } from "y-protocols/sync";
import * as encoding from "lib0/encoding";
import {
  awarenessMessage,
  type Ended,
  type Message,
  type Present,
  type Saved,
  saveNowMessage,
  syncMessage,
  syncSteps,
} from "../../../../shared/coediting.ts";
import { delay } from "../../../../shared/delay.ts";
import type { Failure } from "../../../../shared/result.ts";
import { Throttle } from "../../../base/core/throttle.ts";
import type { RoomState, RoomText, TextRoom } from "../text_room.ts";
import { CoeditedDoc, readUnsent } from "./coedited_doc.ts";
import { connectView } from "./connect_view.ts";
import { type GuestWords, placeOf } from "./remote_cursors.ts";
import { RoomSocket } from "./room_socket.ts";
import type { UnsentElsewhere, UnsentTexts } from "./unsent_texts.ts";

/** The pause between two messages about the user's own cursor, in milliseconds. */
const CURSOR_MS = 50;

/** The pause between two notes of unsent changes in the browser, in milliseconds. */
const KEEP_MS = 400;

/** How long leaving waits for changes on their way, and how long a save does, in milliseconds. */
const WAIT_MS = { leaving: 2_000, saving: 10_000 };

/** How often a page asks for a room before it edits alone, where another attempt makes sense. */
const MOST_ATTEMPTS = 5;

const READ_ONLY: Failure = { ok: false, status: 0, code: "read_only", message: "" };

/** The refusals after which another attempt makes sense. */
const PASSING: ReadonlySet<string> = new Set([
  ...["throttled", "busy", "internal", "not_signed_in"],
  ...["disk_away", "disk_error", "disk_timeout"],
]);

/** The dependencies of a text that is edited with others. */
export interface CoeditedTextOptions {
  /** The address of its room. @param query of the page, and of the document that it has */
  address: (query: { page: string; document?: string }) => string;
  /** Where changes are kept that the server does not have. */
  unsent: UnsentTexts;
  /** The text that the view shows before the room is there, as it was loaded. */
  loaded: () => Text | null;
  /** How visitors are named at their cursors. */
  guests: GuestWords;
  /** The user is in the room for the first time. */
  onJoined: () => void;
  /** There is no room for this text: it is edited alone. */
  onRefused: () => void;
  /** Earlier pages could not send changes of other files. */
  onElsewhere: (texts: UnsentElsewhere[]) => void;
  /** The room is closed to the user, who was in it. */
  onEnded: (why: Failure) => void;
  /** The text has changed, from here or by others; called at intervals. */
  onChanged: () => void;
  /** The server has written the file. @param isAsked the user has asked for it */
  onSaved: (saved: Saved, isAsked: boolean) => void;
  /** The server could not write the file: it tries again. */
  onFailed: (why: Failure) => void;
  /** Finds out why a connection is not made; null where another attempt makes sense. */
  why: () => Promise<Failure | null>;
}

/** A text that is edited with others: the document, its connection, and who is there. */
export class CoeditedText implements TextRoom {
  readonly #options: CoeditedTextOptions;
  readonly #socket: RoomSocket;
  readonly #leaving = new AbortController();
  readonly #text = signal<RoomText | null>(null);
  readonly #people = signal<readonly Present[]>([]);
  readonly #isJoined = signal(false);
  readonly #isOutstanding = signal(false);
  readonly #isAhead = signal(false);
  readonly #hasFailed = signal(false);
  readonly #mayEdit = signal(false);
  readonly #tellCursor = new Throttle(() => this.#sendCursor(), CURSOR_MS);
  readonly #tellChange: Throttle;
  readonly #keep = new Throttle(() => void this.#keepUnsent(), KEEP_MS);
  /** Names this page: its next connection takes the place of one that has broken off. */
  readonly #page = crypto.getRandomValues(new Uint32Array(4)).join("-");
  readonly #waiting = new Set<() => void>();
  #doc: CoeditedDoc | null = null;
  #former: CoeditedDoc | null = null;
  #view: ReturnType<typeof connectView> | null = null;
  #sent = 0;
  #vector: Uint8Array | null = null;
  #hasMet = false;
  /** The history that the server is known to have. */
  #history = "";
  #saved: Saved | null = null;
  #isRead = false;
  #isKept = false;
  #wasJoined = false;
  #isAsked = false;
  #isBarred = false;
  #attempts = 0;
  #pauseSeconds: number | undefined;

  readonly text: ReadonlySignal<RoomText | null> = this.#text;
  readonly people: ReadonlySignal<readonly Present[]> = this.#people;
  readonly mayEdit: ReadonlySignal<boolean> = this.#mayEdit;
  readonly isAhead: ReadonlySignal<boolean> = this.#isAhead;
  readonly isOutstanding: ReadonlySignal<boolean> = this.#isOutstanding;
  readonly state: ReadonlySignal<RoomState> = computed(() => {
    if (!this.#isJoined.value) return "offline";
    if (this.#hasFailed.value) return "failed";
    return this.#isOutstanding.value ? "saving" : "saved";
  });

  /** @param options the dependencies; nothing is asked for before `open()` */
  constructor(options: CoeditedTextOptions) {
    this.#options = options;
    this.#tellChange = new Throttle(options.onChanged, 150);
    this.#socket = new RoomSocket({
      address: () => options.address({ page: this.#page, document: this.#history || undefined }),
      onOpen: () => {},
      onMessage: (message) => this.#take(message),
      onClosed: (wasOpen) => void this.#closed(wasOpen),
    });
    const { signal } = this.#leaving;
    globalThis.addEventListener("pagehide", () => this.#keep.flush(), { signal });
    globalThis.document?.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.#keep.flush();
    }, { signal });
  }

  /** Asks for the room. */
  open(): void {
    this.#socket.open();
  }

  /** Comes back under the name that the address has now. */
  async renew(): Promise<void> {
    await this.#until(() => this.#isJoined.peek(), WAIT_MS.saving);
    if (this.#isJoined.peek()) this.#socket.renew();
  }

  placeOf(id: number): number | null {
    return this.#doc && placeOf(this.#doc, id);
  }

  async save(): Promise<boolean> {
    if (!this.#mayEdit.peek()) return !this.#isOutstanding.peek();
    this.#isAsked = true;
    this.#socket.send(saveNowMessage());
    await this.#until(() => !this.#isOutstanding.peek(), WAIT_MS.saving);
    return !this.#isOutstanding.peek();
  }

  async settled(): Promise<void> {
    if (this.#isJoined.peek()) {
      await this.#until(() => !this.#isOutstanding.peek(), WAIT_MS.leaving);
    }
  }

  discard(): void {
    this.#isOutstanding.value = false;
    void this.#keepUnsent();
  }

  /** Leaves the room. What the server does not have stays in the browser. */
  close(): void {
    if (this.#isOutstanding.peek()) void this.#keepUnsent();
    this.#leaving.abort();
    this.#socket.close();
    for (const timer of [this.#tellCursor, this.#tellChange, this.#keep]) timer.stop();
    this.#view?.close();
    const docs = [this.#doc, this.#former];
    this.#doc = this.#former = null;
    for (const doc of docs) doc?.close();
    this.#wake();
  }

  #take(message: Message): void {
    switch (message.kind) {
      case "sync":
        return this.#sync(message.step, message.payload);
      case "awareness": {
        const doc = this.#doc;
        if (doc) applyAwarenessUpdate(doc.awareness, message.update, this);
        return;
      }
      case "kept":
        return this.#noteKept(message.count);
      case "saved":
        return this.#noteSaved(message.saved);
      case "ended":
        return this.#refuse(message.ended);
      case "present":
        this.#people.value = message.present;
        this.#mayEdit.value = message.present.some(({ self, right }) => self && right === "edit");
        if (this.#mayEdit.peek() && this.#isBarred) {
          this.#isBarred = false;
          if (this.#saved) this.#noteSaved(this.#saved);
        }
        // Who only follows is not asked what the server lacks.
        if (!this.#mayEdit.peek() && !this.#hasMet) this.#meet(null);
        this.#join();
    }
  }

  #sync(step: number, payload: Uint8Array): void {
    if (step === syncSteps.askMissing) {
      const decoder = decoding.createDecoder(payload);
      decoding.readVarUint(decoder);
      return this.#meet(decoding.readVarUint8Array(decoder));
    }
    this.#doc?.read(payload);
    if (step === syncSteps.sendMissing) this.#isRead = true;
    this.#join();
  }

  /**
   * The server says what it has: the same document as before, or another one.
   *
   * @param vector null for one who only follows
   */
  #meet(vector: Uint8Array | null): void {
    if (this.#doc && this.#isJoined.peek()) return this.#answer(this.#doc, vector);
    const { document } = this.#saved ?? {};
    if (this.#doc && this.#doc.id !== document) {
      this.#former?.close();
      this.#former = this.#doc;
      this.#doc = null;
    }
    const doc = this.#doc ??= this.#newDoc();
    doc.id = this.#history = document ?? "";
    this.#vector = vector;
    this.#hasMet = true;
    this.#socket.send(syncMessage((encoder) => writeSyncStep1(encoder, doc.doc)));
  }

  /** Sends what the server lacks. */
  #answer(doc: CoeditedDoc, vector: Uint8Array | null): void {
    if (vector === null) {
      // The right has ended since: what was written before stays here alone.
      if (this.#isOutstanding.peek()) this.#fail(READ_ONLY);
      return;
    }
    doc.sent(++this.#sent, doc.lackedBy(vector));
    this.#socket.send(syncMessage((encoder) => writeSyncStep2(encoder, doc.doc, vector)));
  }

  #newDoc(): CoeditedDoc {
    const doc = new CoeditedDoc((update) => this.#send(doc, update), () => {
      if (this.#doc !== doc) return;
      this.#isAhead.value = true;
      this.#tellChange.ask();
    });
    doc.awareness.on("update", (_: unknown, origin: unknown) => {
      if (origin === "local" && this.#doc === doc) this.#tellCursor.ask();
    });
    return doc;
  }

  /** Once the server has sent what it has, and who is there, it gets what it lacks. */
  #join(): void {
    const doc = this.#doc;
    if (!doc || !this.#isRead || this.#isJoined.peek() || this.#people.peek().length === 0) return;
    const vector = this.#vector;
    const former = this.#former;
    this.#former = null;
    // What one has typed while alone is merged with what has come of the text meanwhile.
    const base = former?.keptLines ?? (this.#wasJoined ? null : this.#options.loaded());
    const isNew = !this.#wasJoined || former !== null;
    this.#isJoined.value = true;
    this.#isAhead.value = this.#isOutstanding.peek();
    this.#answer(doc, vector);
    if (isNew) this.#show(doc, vector && base);
    former?.close();
    this.#socket.settle();
    this.#sendCursor();
    if (!this.#wasJoined) {
      this.#wasJoined = true;
      this.#options.onJoined();
      void this.#readUnsent(doc, vector);
    }
    this.#tellChange.ask();
    this.#wake();
  }

  /** Hands the text to the view. */
  #show(doc: CoeditedDoc, base: Text | null): void {
    this.#view?.close();
    const view = this.#view = connectView(doc, this.#options.guests);
    const join = (onScreen: Text): ChangeSet => {
      if (base) doc.merge(base, onScreen);
      // What was merged is on screen, too, apart from what the room has in its place.
      base = null;
      return view.changesFrom(onScreen);
    };
    this.#text.value = { ...view.text, join };
  }

  /** Takes up what earlier pages could not send. */
  async #readUnsent(doc: CoeditedDoc, vector: Uint8Array | null): Promise<void> {
    if (vector === null) return;
    const found = await this.#options.unsent.read(doc.id).catch(() => null);
    if (!found || this.#doc !== doc) return;
    if (found.elsewhere.length > 0) this.#options.onElsewhere(found.elsewhere);
    if (found.texts.length === 0) return;
    for (const text of found.texts) {
      if (text.id === doc.id) {
        doc.add(text.mine);
        continue;
      }
      const { base, mine } = readUnsent(text);
      doc.merge(base, mine);
    }
    await this.#until(() => !this.#isOutstanding.peek(), WAIT_MS.saving);
    if (!this.#isOutstanding.peek() && !this.#leaving.signal.aborted) await found.done();
  }

  #send(doc: CoeditedDoc, update: Uint8Array): void {
    if (this.#doc !== doc || this.#leaving.signal.aborted) return;
    this.#isOutstanding.value = true;
    if (this.#isJoined.peek()) {
      doc.sent(++this.#sent, update);
      this.#socket.send(syncMessage((encoder: encoding.Encoder) => writeUpdate(encoder, update)));
    }
    this.#keep.ask();
  }

  #sendCursor(): void {
    const { awareness } = this.#doc ?? {};
    if (!awareness || !this.#isJoined.peek() || awareness.getLocalState() === null) return;
    this.#socket.send(awarenessMessage(encodeAwarenessUpdate(awareness, [awareness.clientID])));
  }

  #noteKept(count: number): void {
    this.#doc?.kept(count);
    if (!this.#isJoined.peek() || count < this.#sent) return;
    this.#isOutstanding.value = false;
    if (this.#isKept) void this.#keepUnsent();
    this.#wake();
  }

  #noteSaved(saved: Saved): void {
    this.#saved = saved;
    // What others have written is in the file, and what was refused is not.
    if (this.#isBarred) return;
    this.#hasFailed.value = false;
    this.#isAhead.value = false;
    this.#options.onSaved(saved, this.#isAsked);
    this.#isAsked = false;
  }

  #refuse({ code, message, closing, retryAfter }: Ended): void {
    const why: Failure = { ok: false, status: 0, code, message, retryAfter };
    // A file that is not there any more is put back by hand, or not at all.
    if (!closing && code !== "not_found") return this.#fail(why);
    if (code === "precondition_failed") {
      // Its history has ended: what is here is merged into the new one.
      this.#history = "";
      this.#pauseSeconds = 0.01;
    } else if (PASSING.has(code)) this.#pauseSeconds = retryAfter ?? 0;
    else this.#end(why);
  }

  #fail(why: Failure): void {
    this.#hasFailed.value = true;
    this.#isAsked = false;
    this.#isBarred = why.code === "read_only";
    this.#options.onFailed(why);
  }

  async #closed(wasOpen: boolean): Promise<void> {
    if (this.#leaving.signal.aborted) return;
    const pause = this.#pauseSeconds;
    this.#pauseSeconds = undefined;
    this.#isJoined.value = this.#isRead = this.#hasMet = false;
    this.#people.value = [];
    this.#sent = 0;
    this.#doc?.lost();
    if (this.#doc) {
      const { awareness } = this.#doc;
      const others = [...awareness.getStates().keys()].filter((id) => id !== awareness.clientID);
      removeAwarenessStates(awareness, others, this);
    }
    if (!this.#wasJoined) {
      const isPassing = pause !== undefined && this.#attempts++ < MOST_ATTEMPTS;
      if (isPassing) return this.#socket.later(pause);
      this.close();
      return this.#options.onRefused();
    }
    if (this.#isOutstanding.peek()) this.#keep.ask();
    // Browsers do not tell why a connection was refused.
    const why = wasOpen ? null : await this.#options.why();
    if (this.#leaving.signal.aborted) return;
    if (why) this.#end(why);
    else this.#socket.later(pause);
  }

  #end(why: Failure): void {
    if (this.#leaving.signal.aborted) return;
    const wasJoined = this.#wasJoined;
    this.close();
    if (wasJoined) this.#options.onEnded(why);
    else this.#options.onRefused();
  }

  /** Keeps what the server lacks in the browser, or forgets it once it has all. */
  async #keepUnsent(): Promise<void> {
    const doc = this.#former ?? this.#doc;
    if (!doc) return;
    try {
      if (this.#isOutstanding.peek()) {
        this.#isKept = true;
        await this.#options.unsent.keep({ ...doc.state, at: Date.now() });
      } else if (this.#isKept) {
        this.#isKept = false;
        await this.#options.unsent.forget();
      }
    } catch {
      // Without room in the browser the changes are in this page alone, as in the plain editor.
    }
  }

  async #until(isSo: () => boolean, ms: number): Promise<void> {
    const limit = new AbortController();
    const wake = () => {
      if (isSo() || this.#leaving.signal.aborted) limit.abort();
    };
    this.#waiting.add(wake);
    wake();
    await delay(ms, limit.signal);
    this.#waiting.delete(wake);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}
