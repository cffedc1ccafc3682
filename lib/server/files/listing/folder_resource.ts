import type { Entry, Resource } from "../../../shared/schemas/entry.ts";
import type { Access } from "../../core/access/access.ts";
import type { EntryHandle } from "../../core/access/file_handle.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { type EntryFacts, entryOf } from "./entries.ts";
import { listFolder, type ListOptions, type NamesOf } from "./listing.ts";
import type { Pauses } from "../../core/concurrency/pauses.ts";

/** Number of entries serialized at a time. */
const batchSize = 256;

/**
 * Describes a folder with a window of its entries.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function describeFolder(
  access: Access,
  entry: EntryHandle,
  options: ListOptions,
  pauses: Pauses,
  namesOf?: NamesOf,
): Promise<Resource> {
  const lock = lockOf(access, entry.path);
  const canModify = access.may("modify") && !lock.readOnly;
  const facts = { ...entryOf(factsOf(entry), canModify), ...lock };
  const items: Entry[] = [];
  const take = (entry: Entry) => void items.push(entry);
  const folder = access.folder(entry);
  const counts = await listFolder(folder, options, canModify, take, pauses, namesOf);
  return { ...facts, items, ...counts, sorting: options.sorting };
}

/** Whether a description says that nothing can be changed there; of what is shared none does. */
export function lockOf(access: Access, path: EntryPath): Pick<Resource, "readOnly"> {
  return access.viewer.base === undefined && access.isReadOnly(path) ? { readOnly: true } : {};
}

/** The facts that a handle has of its entry. */
export function factsOf(entry: EntryHandle, firstBytes?: Uint8Array): EntryFacts {
  const { name, path, info, isLink, isBroken } = entry;
  return { name, path, info, isLink, isBroken, firstBytes };
}

/**
 * The JSON of a folder's description as UTF-8 chunks, for folders of any size: entries are
 * serialized as they are described, so that few are in memory at a time.
 *
 * @throws {DomainError} `forbidden`, `not_found`
 */
export async function encodeFolder(
  access: Access,
  path: EntryPath,
  options: ListOptions,
  pauses: Pauses,
  namesOf?: NamesOf,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const lock = lockOf(access, path);
  const canModify = access.may("modify") && !lock.readOnly;
  const { sorting } = options;
  const pages = new TextPages();
  const facts = entryOf(factsOf(access.stat(path)), canModify);
  const head = JSON.stringify({ ...facts, ...lock, sorting });
  pages.add(`${head.slice(0, -1)},"items":[`);
  const items = new Items(pages);
  const take = (entry: Entry) => items.add(entry);
  const counts = await listFolder(access.folder(path), options, canModify, take, pauses, namesOf);
  items.end();
  pages.add(`],${JSON.stringify(counts).slice(1)}`);
  return pages.end();
}

/** Serializes entries into a JSON array, in batches for speed. */
class Items {
  readonly #pages: TextPages;
  #batch: Entry[] = [];
  #hasBegun = false;

  constructor(pages: TextPages) {
    this.#pages = pages;
  }

  add(entry: Entry): void {
    this.#batch.push(entry);
    if (this.#batch.length === batchSize) this.end();
  }

  end(): void {
    if (this.#batch.length === 0) return;
    const json = JSON.stringify(this.#batch).slice(1, -1);
    this.#pages.add(this.#hasBegun ? `,${json}` : json);
    this.#hasBegun = true;
    this.#batch.length = 0;
  }
}

/** Sizes of the first chunk and the later ones, in bytes: most answers fit into the first. */
const firstSize = 32 * 1024;
const laterSize = 64 * 1024;

const encoder = new TextEncoder();

/**
 * A growing UTF-8 text in chunks: nothing is copied after it was written, and each chunk can be
 * transferred, sent and freed by itself.
 */
export class TextPages {
  readonly #pages: Uint8Array<ArrayBuffer>[] = [];
  #page = new Uint8Array(firstSize);
  #used = 0;

  /** Appends a text. */
  add(text: string): void {
    for (let rest = text;;) {
      const { read, written } = encoder.encodeInto(rest, this.#page.subarray(this.#used));
      this.#used += written;
      if (read === rest.length) return;
      rest = rest.slice(read);
      this.#turn();
      this.#page = new Uint8Array(laterSize);
    }
  }

  /** Returns all chunks. */
  end(): Uint8Array<ArrayBuffer>[] {
    this.#turn();
    return this.#pages;
  }

  #turn(): void {
    this.#pages.push(this.#page.subarray(0, this.#used));
    this.#used = 0;
  }
}
