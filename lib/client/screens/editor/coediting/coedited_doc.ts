import { Text } from "@codemirror/state";
import * as encoding from "lib0/encoding";
import { Awareness } from "y-protocols/awareness";
import { readSyncMessage } from "y-protocols/sync";
import * as decoding from "lib0/decoding";
import * as Y from "yjs";
import { textName } from "../../../../shared/coediting.ts";
import { mergeInto } from "./merge_texts.ts";

/** The origin of changes from the server, of which it needs no message. */
const FROM_SERVER = "server";

/** The origin of changes that are neither typed nor the server's: of a former page, and merged. */
const FROM_BEFORE = "before";

/**
 * A document, and beside it the same as far as the server has it for certain: what is not in there
 * is kept in the browser, and merged if the server begins with another document.
 */
export class CoeditedDoc {
  readonly #doc = new Y.Doc();
  readonly #kept = new Y.Doc();
  #own: { number: number; update: Uint8Array }[] = [];

  /** The cursors of all who are in the room. */
  readonly awareness: Awareness = new Awareness(this.#doc);
  /** The server's name for its history; "" before the server has said it. */
  id = "";
  /** The text. */
  readonly text: Y.Text = this.#doc.getText(textName);

  /** @param onUpdate called with each change that the server needs */
  constructor(onUpdate: (update: Uint8Array) => void, onChange: () => void) {
    this.awareness.setLocalState(null);
    this.#doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin === FROM_SERVER) Y.applyUpdate(this.#kept, update);
      else onUpdate(update);
      onChange();
    });
  }

  /** The document, for what is bound to it. */
  get doc(): Y.Doc {
    return this.#doc;
  }

  /** The text as CodeMirror has it. */
  get lines(): Text {
    return linesOf(this.text);
  }

  /** The text as the server has it for certain. */
  get keptLines(): Text {
    return linesOf(this.#kept.getText(textName));
  }

  /** The state vector of the document. */
  get vector(): Uint8Array {
    return Y.encodeStateVector(this.#doc);
  }

  /** What a document with a state vector lacks of this one. */
  lackedBy(vector: Uint8Array): Uint8Array {
    return Y.encodeStateAsUpdate(this.#doc, vector);
  }

  /** Reads a message of y-protocols/sync that changes the document. */
  read(payload: Uint8Array): void {
    const decoder = decoding.createDecoder(payload);
    readSyncMessage(decoder, encoding.createEncoder(), this.#doc, FROM_SERVER);
  }

  /** Adds the changes of an earlier page, which the server may lack. */
  add(update: Uint8Array): void {
    Y.applyUpdate(this.#doc, update, FROM_BEFORE);
  }

  /** Adds the changes between two texts, of which the first is that of a former document. */
  merge(base: Text, mine: Text): void {
    if (mine.eq(base)) return;
    const changes = mergeInto(base, mine, this.lines);
    this.#doc.transact(() => {
      let shift = 0;
      changes.iterChanges((from, to, _fromB, _toB, inserted) => {
        const text = inserted.toString();
        this.text.delete(from + shift, to - from);
        if (text !== "") this.text.insert(from + shift, text);
        shift += text.length - (to - from);
      });
    }, FROM_BEFORE);
  }

  /** Notes changes that were sent as the message of a number. */
  sent(number: number, update: Uint8Array): void {
    this.#own.push({ number, update });
  }

  /** Notes that the server has the messages up to a number for certain. */
  kept(number: number): void {
    for (const { update } of this.#own.filter((own) => own.number <= number)) {
      Y.applyUpdate(this.#kept, update);
    }
    this.#own = this.#own.filter((own) => own.number > number);
  }

  /** Forgets what was sent on a connection that is lost. */
  lost(): void {
    this.#own = [];
  }

  /** What a browser keeps of a document with changes that the server lacks. */
  get state(): { id: string; mine: Uint8Array; kept: Uint8Array } {
    return {
      id: this.id,
      mine: Y.encodeStateAsUpdate(this.#doc),
      kept: Y.encodeStateAsUpdate(this.#kept),
    };
  }

  /** Ends it, with the timer of its cursors. */
  close(): void {
    this.awareness.destroy();
    this.#doc.destroy();
    this.#kept.destroy();
  }
}

/** The texts of a document that a browser has kept: as the server had it, and as it was written. */
export function readUnsent({ mine, kept }: { mine: Uint8Array; kept: Uint8Array }) {
  const [own, base] = [new Y.Doc(), new Y.Doc()];
  try {
    Y.applyUpdate(base, kept);
    Y.applyUpdate(own, mine);
    return { base: linesOf(base.getText(textName)), mine: linesOf(own.getText(textName)) };
  } finally {
    own.destroy();
    base.destroy();
  }
}

function linesOf(text: Y.Text): Text {
  return Text.of(text.toString().split("\n"));
}
