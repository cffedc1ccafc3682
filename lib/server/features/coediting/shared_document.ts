import * as Y from "yjs";
import { maxCoeditedBytes, textName } from "../../../shared/coediting.ts";
import { DomainError } from "../../../shared/errors.ts";
import { changesBetween } from "./text_changes.ts";

/** The most that a document takes with what was removed from it, in bytes. */
export const maxDocumentBytes = 4 * maxCoeditedBytes;

/** The most of updates that wait for others which have not come, in bytes. */
const maxPendingBytes = 256 * 1024;

/** Where a change comes from that the server merges: no member has sent it. */
const byServer = Symbol("the server");

/**
 * One text that several edit (CRDT). Updates are looked into before they are applied: they hold
 * nothing but characters of the one text, so that no member fills the memory of all others with
 * what no editor shows.
 */
export class SharedDocument {
  readonly #doc = new Y.Doc();
  readonly #text = this.#doc.getText(textName);
  /** The size of the state when it was measured last, and what was added to it since, in bytes. */
  #measured = 0;
  #added = 0;
  /** The length of the text in UTF-8 at most, in bytes. */
  #textBytes = 0;

  /** @param onUpdate takes each update that changes something, and where it came from */
  constructor(onUpdate: (update: Uint8Array, origin: unknown) => void) {
    this.#doc.on("update", (update: Uint8Array, origin: unknown) => onUpdate(update, origin));
  }

  /** The document, to answer messages of y-protocols. */
  get doc(): Y.Doc {
    return this.#doc;
  }

  /** The text as it is now. */
  get text(): string {
    return this.#text.toString();
  }

  /** How much memory it takes about, in bytes. */
  get size(): number {
    return this.#measured + this.#added;
  }

  /** Gives a new document its text. */
  begin(text: string): void {
    if (text !== "") this.#doc.transact(() => this.#text.insert(0, text), byServer);
    this.#textBytes = bytesOf(text);
  }

  /**
   * Applies the update of a member, unless it is refused.
   *
   * @param origin is given to `onUpdate`
   * @param isForeign tells clients of other members, in whose name this one may write nothing
   * @throws DomainError `invalid_body` for what is no update of the text; `forbidden` for a change in
   * another's name; `body_too_large` for one that makes the text too long
   */
  apply(update: Uint8Array, origin: unknown, isForeign: (client: number) => boolean): void {
    const inserted = insertedBytes(update, isForeign);
    if (this.#textBytes + inserted > maxCoeditedBytes) {
      this.#textBytes = bytesOf(this.text);
      if (this.#textBytes + inserted > maxCoeditedBytes) throw tooLongError();
    }
    if (this.size + update.length > maxDocumentBytes) {
      this.#measured = this.state().length;
      this.#added = 0;
      if (this.size + update.length > maxDocumentBytes) throw tooLongError();
    }
    this.replay(update, origin);
    this.#textBytes += inserted;
    this.#added += update.length;
    const { pendingStructs, pendingDs } = this.#doc.store;
    const pending = (pendingStructs?.update.length ?? 0) + (pendingDs?.length ?? 0);
    if (pending <= maxPendingBytes) return;
    this.#doc.store.pendingStructs = null;
    this.#doc.store.pendingDs = null;
    throw invalidError("it builds on changes that are not there");
  }

  /** Applies an update that was looked into before. @throws DomainError `invalid_body` */
  replay(update: Uint8Array, origin: unknown = byServer): void {
    try {
      Y.applyUpdate(this.#doc, update, origin);
    } catch {
      throw invalidError("it is damaged");
    }
  }

  /**
   * Merges a change that another program has made: what differs between a former state and a text
   * is changed here, too, and all that members have changed since stays.
   *
   * @param base the state whose text the program has changed
   * @returns the state that has the text of the program
   */
  merge(base: Uint8Array, text: string): Uint8Array {
    // What members have changed came into the file by another way, such as a copy that was put back.
    if (text === this.text) return this.state();
    const fork = new Y.Doc();
    try {
      Y.applyUpdate(fork, base);
      const branch = fork.getText(textName);
      const before = Y.encodeStateVector(fork);
      fork.transact(() => {
        for (const { at, removed, inserted } of changesBetween(branch.toString(), text).reverse()) {
          if (removed > 0) branch.delete(at, removed);
          if (inserted !== "") branch.insert(at, inserted);
        }
      });
      const update = Y.encodeStateAsUpdate(fork, before);
      Y.applyUpdate(this.#doc, update, byServer);
      this.#added += update.length;
      this.#textBytes = bytesOf(this.text);
      return Y.encodeStateAsUpdate(fork);
    } finally {
      fork.destroy();
    }
  }

  /** Makes line ends those of the text, in case that a program has sent others. */
  normalize(): void {
    const { text } = this;
    if (!text.includes("\r")) return;
    const changes = changesBetween(text, withPlainEnds(text));
    this.#doc.transact(() => {
      for (const { at, removed, inserted } of changes.reverse()) {
        if (removed > 0) this.#text.delete(at, removed);
        if (inserted !== "") this.#text.insert(at, inserted);
      }
    }, byServer);
  }

  /** What has changed since a state, as one update. */
  changesSince(state: Uint8Array): Uint8Array {
    return Y.encodeStateAsUpdate(this.#doc, Y.encodeStateVectorFromUpdate(state));
  }

  /** All of it, as one update. */
  state(): Uint8Array {
    const state = Y.encodeStateAsUpdate(this.#doc);
    this.#measured = state.length;
    this.#added = 0;
    return state;
  }

  close(): void {
    this.#doc.destroy();
  }
}

/** A text whose lines end with `\n`. */
export function withPlainEnds(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

/** Whether an update changes nothing: what a client sends that has nothing new. */
export function isEmptyUpdate(update: Uint8Array): boolean {
  return update.length === 2 && update[0] === 0 && update[1] === 0;
}

/**
 * Looks into an update. @returns how many bytes of text it brings at most
 *
 * @throws DomainError `invalid_body`, `forbidden`
 */
function insertedBytes(update: Uint8Array, isForeign: (client: number) => boolean): number {
  let inserted = 0;
  for (const struct of structsOf(update)) {
    if (isForeign(struct.id.client)) {
      throw new DomainError("forbidden", "Cannot change the text: the change is in another's name");
    }
    if (struct instanceof Y.GC || struct instanceof Y.Skip) continue;
    const { content, parent, parentSub } = struct;
    const isOfText = (parent === null || (parent as unknown) === textName) && parentSub === null;
    if (isOfText && content instanceof Y.ContentString) inserted += bytesOf(content.str);
    else if (!isOfText || !(content instanceof Y.ContentDeleted)) {
      throw invalidError("it holds something else than text");
    }
  }
  return inserted;
}

function structsOf(update: Uint8Array): (Y.Item | Y.GC | Y.Skip)[] {
  try {
    return Y.decodeUpdate(update).structs;
  } catch {
    throw invalidError("it is damaged");
  }
}

const encoder = new TextEncoder();

function bytesOf(text: string): number {
  // Most texts are short enough for any of their characters.
  return text.length < 64 ? text.length * 3 : encoder.encode(text).length;
}

function invalidError(reason: string): DomainError {
  return new DomainError("invalid_body", `Cannot read the change: ${reason}`);
}

function tooLongError(): DomainError {
  const max = maxCoeditedBytes / 1024 ** 2;
  return new DomainError(
    "body_too_large",
    `Cannot change the text: it would be over ${max} MiB, with its history`,
  );
}
