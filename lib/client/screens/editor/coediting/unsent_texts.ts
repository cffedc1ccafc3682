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

/** A text of another place that could not be sent. */
export interface UnsentElsewhere extends UnsentText {
  /** The path at which the file was. */
  path: string;
  forget(): Promise<void>;
}

/** What a browser has kept. */
export interface FoundTexts {
  /** Of this file, the oldest first; they stay until `done` is called. */
  texts: UnsentText[];
  done(): Promise<void>;
  /** Of other files of the same user, or of the same share. */
  elsewhere: UnsentElsewhere[];
}

/** Keeps unsent changes over a reload of the page; in a browser without IndexedDB nothing is kept. */
export interface UnsentTexts {
  /** Keeps the changes of this page, in place of its former ones. */
  keep(text: UnsentText): Promise<void>;
  /** Forgets the changes of this page. */
  forget(): Promise<void>;
  /**
   * The changes of earlier pages.
   *
   * @param id of the history of the document: the file may have had another path
   */
  read(id: string): Promise<FoundTexts>;
}

let opened: UseStore | undefined;

/**
 * @param owner the user ("1"), or the share, as paths are those in it ("share aBc")
 * @param path of the file
 */
export function openUnsentTexts(owner: string, path: string): UnsentTexts {
  const store = opened ??= createStore("cubby-coediting", "unsent");
  const prefix = `${owner} ${path}\0`;
  const own = `${prefix}${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  return {
    keep: (text) => set(own, text, store),
    forget: () => del(own, store),
    async read(id) {
      const others = (await entries<string, UnsentText>(store))
        .filter(([key]) => key.startsWith(`${owner} /`) && key !== own);
      const { here: found = [], elsewhere = [] } = Object.groupBy(
        others,
        ([key, text]) => key.startsWith(prefix) || text.id === id ? "here" : "elsewhere",
      );
      return {
        elsewhere: elsewhere.map(([key, text]) => ({
          ...text,
          path: key.slice(owner.length + 1, key.indexOf("\0")),
          forget: () => del(key, store),
        })),
        texts: found.sort(([, a], [, b]) => a.at - b.at).map(([, text]) => text),
        async done() {
          for (const [key] of found) await del(key, store);
        },
      };
    },
  };
}
