import { createStore, del, entries, set, type UseStore } from "idb-keyval";

/** A text with changes that the server does not have yet, as the browser keeps it. */
export interface UnsentText {
  /** The server's name for the history of the document. */
  id: string;
  /** The document (an update of Yjs), with these changes. */
  mine: Uint8Array;
  /** The document as the server has it for certain. */
  kept: Uint8Array;
  /** When it was kept, in milliseconds since 1970. */
  at: number;
}

/** Keeps unsent changes over a reload of the page; in a browser without IndexedDB nothing is kept. */
export interface UnsentTexts {
  /** Keeps the changes of this page, in place of its former ones. */
  keep(text: UnsentText): Promise<void>;
  /** Forgets the changes of this page. */
  forget(): Promise<void>;
  /**
   * The changes of earlier pages; they stay until `done` is called.
   */
  read(): Promise<{ texts: UnsentText[]; done: () => Promise<void> }>;
}

let opened: UseStore | undefined;

/** @param place the user and the file: "1 /notes.txt" */
export function openUnsentTexts(place: string): UnsentTexts {
  const store = opened ??= createStore("cubby-coediting", "unsent");
  const prefix = `${place}\0`;
  const own = `${prefix}${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  return {
    keep: (text) => set(own, text, store),
    forget: () => del(own, store),
    async read() {
      const all = await entries<string, UnsentText>(store);
      const found = all.filter(([key]) => key.startsWith(prefix) && key !== own);
      return {
        texts: found.sort(([, a], [, b]) => a.at - b.at).map(([, text]) => text),
        async done() {
          for (const [key] of found) await del(key, store);
        },
      };
    },
  };
}
