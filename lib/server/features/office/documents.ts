import { type EntryPath, joinPaths, relativePath } from "../../../shared/path.ts";
import { Collection, PlaceIndex } from "../../core/kv/collection.ts";
import { randomId } from "../../core/kv/random_id.ts";
import type { Store } from "../../core/kv/store.ts";
import { accessTokenMs } from "./access_tokens.ts";

/** How old the record of the last opening may be, in milliseconds. */
const openedEveryMs = 60 * 60_000;

/** A document that was opened in the office server. */
export interface OfficeDocument {
  /** Where the file is, below the server's root. */
  place: EntryPath;
  /** When it was opened last, in milliseconds since 1970; at most an hour behind. */
  opened: number;
  /** The lock of those who edit it, also after it was lost; "" when they have unlocked it. */
  lock: string;
  /** The token that it was locked with. */
  locker: string;
  /** The ETag of what they have read or saved last; before, that of the file when it was locked. */
  etag: string;
  /** They have read it. */
  isRead: boolean;
  /** The ETag that their last save was about to give to the file; "" once that is noted. */
  saving: string;
  /** The tokens that have read it while they might edit, the newest last, and the ETags they read. */
  readers: readonly Reader[];
}

interface Reader {
  token: string;
  etag: string;
}

const unlocked = { lock: "", locker: "", etag: "", isRead: false, saving: "" };

/** Most readers of a document that are remembered. */
const maxReaders = 32;

/** The lock that a request of an editor names, and the token that it comes with. */
export interface Editor {
  token: string;
  lock: string;
}

/**
 * Whether an editor works on another state than the file has now, as another program has changed it.
 * A file that a save of the editor has written is the editor's own, also when the server was killed
 * before it could tell.
 *
 * @param etag of the file now
 */
export function isChangedSince(document: OfficeDocument, editor: Editor, etag: string): boolean {
  if (isSavedBy(document, editor.lock, etag)) return false;
  const isHolder = editor.lock !== "" && editor.lock === document.lock;
  const known = isHolder ? document.etag : readBy(document, editor.token);
  return known !== "" && known !== etag;
}

/** Whether the file is what the last save with a lock has written, which was not noted. */
export function isSavedBy({ lock, saving }: OfficeDocument, by: string, etag: string): boolean {
  return by !== "" && by === lock && saving === etag;
}

function readBy({ readers }: OfficeDocument, token: string): string {
  return readers.find((reader) => reader.token === token)?.etag ?? "";
}

function withReader(document: OfficeDocument, token: string, etag: string): OfficeDocument {
  const others = document.readers.filter((reader) => reader.token !== token);
  return { ...document, readers: [...others, { token, etag }].slice(-maxReaders) };
}

/** The index of documents by path: empty values. */
const documentsByPlace = new PlaceIndex<OfficeDocument>(
  "office_document_places",
  ({ place }) => [place],
);

/** A document by its id, at most 10 KiB: 128 random bits, which tell nothing of the file. */
export const officeDocuments = new Collection<OfficeDocument>("office_documents", {
  indexes: [documentsByPlace],
  // As long as the token of the last opening.
  expires: ({ opened }, now) => opened + openedEveryMs + accessTokenMs <= now,
  follows: {
    moved: (document, from, to) => ({
      ...document,
      place: joinPaths(to, relativePath(document.place, from)),
    }),
  },
});

/** Changes with every new document, so that a file never gets two ids at once. */
const documentTurn = new Collection<string, []>("office_document_turn");

/**
 * The documents that are open in the office server. Everyone who opens a file gets the same id, by
 * which the office server knows that they edit one document; a rename or a move keeps it.
 */
export class OfficeDocuments {
  readonly #store: Store;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, now: () => number = () => Date.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** The id of the file at a place, which is opened now. */
  async open(place: EntryPath): Promise<string> {
    const known = await this.#at(place);
    if (known !== null) {
      await officeDocuments.update(this.#store, [known], (document) => {
        const isOld = document !== null && this.#now() - document.opened > openedEveryMs;
        return isOld ? { ...document, opened: this.#now() } : undefined;
      });
      return known;
    }
    let id = randomId(16);
    await documentTurn.update(this.#store, [], async () => {
      const there = await this.#at(place);
      if (there === null) return id;
      id = there;
      return undefined;
    }, (operation) => {
      officeDocuments.put(operation, [id], {
        place,
        opened: this.#now(),
        ...unlocked,
        readers: [],
      });
    });
    return id;
  }

  /** The document with an id; null for one that is not open. */
  async find(id: string): Promise<OfficeDocument | null> {
    return await officeDocuments.get(this.#store, id);
  }

  /**
   * Notes what an editor has read. Those who have locked the document work on what was read first, or
   * by the one who has locked it: who joins them later does not bring them what another program has
   * written since.
   */
  async noteRead(id: string, token: string, etag: string): Promise<void> {
    await this.#change(id, (document) => {
      const isTheirs = document.lock !== "" && (!document.isRead || document.locker === token);
      if (!isTheirs && readBy(document, token) === etag) return document;
      return withReader(isTheirs ? { ...document, etag, isRead: true } : document, token, etag);
    });
  }

  /**
   * Notes a lock: a new one, or one that was lost and is there again.
   *
   * @param etag of the file now
   */
  async noteLocked(id: string, { token, lock }: Editor, etag: string): Promise<void> {
    await this.#change(id, (document) => {
      if (document.lock === lock) return document;
      const read = readBy(document, token);
      const known = { etag: read || etag, isRead: read !== "", saving: "" };
      return { ...document, ...known, lock, locker: token };
    });
  }

  /** Notes that those who edit a document have replaced their lock. */
  async noteRelocked(id: string, former: string, lock: string): Promise<void> {
    await this.#change(
      id,
      (document) => document.lock === former ? { ...document, lock } : document,
    );
  }

  /**
   * Notes that those who have edited a document have unlocked it. All of them know its last state:
   * one whose connection was broken may lock it again, without reading it.
   */
  async noteUnlocked(id: string): Promise<void> {
    await this.#change(id, ({ readers, ...document }) => ({
      ...document,
      ...unlocked,
      readers: readers.map(({ token, etag }) => ({ token, etag: document.etag || etag })),
    }));
  }

  /** Notes what an editor is about to save. */
  async noteSaving(id: string, { lock }: Editor, etag: string): Promise<void> {
    await this.#change(
      id,
      (document) =>
        lock !== "" && document.lock === lock ? { ...document, saving: etag } : document,
    );
  }

  /** Notes what an editor has saved. */
  async noteSaved(id: string, { token, lock }: Editor, etag: string): Promise<void> {
    await this.#change(id, (document) => {
      const isHeld = lock !== "" && document.lock === lock;
      return withReader(
        isHeld ? { ...document, etag, isRead: true, saving: "" } : document,
        token,
        etag,
      );
    });
  }

  /** Removes the records of documents that are open no longer. */
  async removeExpired(): Promise<void> {
    await officeDocuments.removeExpired(this.#store, this.#now());
  }

  async #change(id: string, change: (now: OfficeDocument) => OfficeDocument): Promise<void> {
    await officeDocuments.update(this.#store, [id], (document) => {
      const next = document && change(document);
      return next === document ? undefined : next;
    });
  }

  /** The id of the file at a place: of several, after one has replaced another, the smallest. */
  async #at(place: EntryPath): Promise<string | null> {
    const selector = documentsByPlace.at(place);
    const keys = await this.#store.read((kv) => Array.fromAsync(kv.list(selector)));
    const entries = await officeDocuments.namedEntries(this.#store, keys);
    const found = entries.find(({ value }) =>
      value !== null && value.place === place &&
      !officeDocuments.declared.expires?.(value, this.#now())
    );
    return found ? officeDocuments.idOf(found as Deno.KvEntry<OfficeDocument>)[0] : null;
  }
}
