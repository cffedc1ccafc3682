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
  /** The ETag of what an editor has read or saved last; "" before. */
  etag: string;
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
      officeDocuments.put(operation, [id], { place, opened: this.#now(), etag: "" });
    });
    return id;
  }

  /** The document with an id; null for one that is not open. */
  async find(id: string): Promise<OfficeDocument | null> {
    return await officeDocuments.get(this.#store, id);
  }

  /** Notes the state of the file that an editor has read or saved. */
  async note(id: string, etag: string): Promise<void> {
    await officeDocuments.update(
      this.#store,
      [id],
      (document) => document && document.etag !== etag ? { ...document, etag } : undefined,
    );
  }

  /** Removes the records of documents that are open no longer. */
  async removeExpired(): Promise<void> {
    await officeDocuments.removeExpired(this.#store, this.#now());
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
