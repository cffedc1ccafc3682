import type { Entry } from "../../../shared/schemas/entry.ts";
import { childrenOf, type EntryPath } from "../../../shared/path.ts";
import type { FactsTable } from "./facts_table.ts";
import { entryOf, isoText, modeBits } from "./entries.ts";
import { type FileType, forViewer, maxTextBytes, typeOf } from "../content/types.ts";
import type { EntrySink } from "./describe_window.ts";
import type { NameTable } from "./name_table.ts";
import type { TextPages } from "./text_pages.ts";
import { dayMs } from "../../../shared/time.ts";

/**
 * Makes entries in the form of API answers out of what a listing finds.
 *
 * @param folder the path of the folder
 */
export function entriesOf(
  folder: EntryPath,
  canModify: boolean,
): (...found: Parameters<EntrySink["add"]>) => Entry {
  const pathOf = childrenOf(folder);
  return (names, number, facts, row, isShared) => {
    const name = names.name(number);
    const [isLink, isBroken] = [names.isLink(number), names.isBroken(number)];
    const info = facts.get(row);
    const entry = entryOf({ name, path: pathOf(name), info, isLink, isBroken }, canModify);
    if (facts.isVideo(row)) entry.type = "video";
    if (isShared) entry.shared = true;
    return entry;
  };
}

/** Takes a chunk of JSON; waits for a reader that is slow. */
export type SendPage = (page: Uint8Array<ArrayBuffer>) => Promise<void>;

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text);

/** The parts of an entry's JSON between its values. */
const start = bytesOf('{"name":"');
const afterSize = bytesOf(',"modified":"');
const afterTime = bytesOf('","extension":"');
const afterExtension = bytesOf('","mode":');
const typed = (isDir: boolean, type: string) =>
  bytesOf(`","isDir":${isDir},"isSymlink":false,"type":"${type}","size":`);
const folderType = typed(true, "listing");
const fileTypes = new Map<string, Uint8Array>();

/** More than all parts and numbers of an entry have together, without its name and path. */
const partsLength = 300;

const comma = 0x2c;
const dot = 0x2e;
const zero = 0x30;
const colon = 0x3a;
const capitalZ = 0x5a;
const closing = 0x7d;

/** Slots for the types of extensions that were seen before: a power of two. */
const slots = 64;

/**
 * Writes entries as the items of a JSON array, as `JSON.stringify()` would write the result of
 * {@linkcode entriesOf}. Most entries of a large folder have plain names: their bytes are written
 * one by one, which makes no texts or objects for the garbage collector.
 */
export class JsonEntries implements EntrySink {
  readonly #pages: TextPages;
  readonly #canModify: boolean;
  readonly #entryAt: (...found: Parameters<EntrySink["add"]>) => Entry;
  /** Between a name and its path. */
  readonly #beforePath: Uint8Array;
  /** Types by the last bytes of names: extensions of up to four characters, without the dot. */
  readonly #extensions = new Uint32Array(slots);
  readonly #send: SendPage | undefined;
  readonly #types: (FileType | undefined)[] = new Array(slots).fill(undefined);
  #hasBegun = false;

  /** @param send takes chunks while later ones are written */
  constructor(pages: TextPages, folder: EntryPath, canModify: boolean, send?: SendPage) {
    this.#pages = pages;
    this.#send = send;
    this.#canModify = canModify;
    this.#entryAt = entriesOf(folder, canModify);
    const prefix = JSON.stringify(childrenOf(folder)("")).slice(1, -1);
    this.#beforePath = bytesOf(`","path":"${prefix}`);
  }

  add(...found: Parameters<EntrySink["add"]>): void {
    const [names, number, facts, row, isShared] = found;
    if (isShared || !this.#addPlain(names, number, facts, row)) {
      this.#pages.add(`${this.#hasBegun ? "," : ""}${JSON.stringify(this.#entryAt(...found))}`);
    }
    this.#hasBegun = true;
  }

  append(pages: readonly Uint8Array<ArrayBuffer>[]): void {
    if (this.#hasBegun) this.#pages.add(",");
    this.#pages.append(pages);
    this.#hasBegun = true;
  }

  async flush(): Promise<void> {
    if (!this.#send) return;
    for (const page of this.#pages.takeFull()) await this.#send(page);
  }

  /** Writes a file or folder with a plain name; false for any other entry. */
  #addPlain(names: NameTable, number: number, facts: FactsTable, row: number): boolean {
    const kind = facts.kind(row);
    if (kind === "other" || names.isLink(number)) return false;
    const room = partsLength + this.#beforePath.length + 3 * names.nameLength(number);
    const page = this.#pages.withRoom(room);
    if (!page) return false;
    let at = this.#pages.used;
    if (this.#hasBegun) page[at++] = comma;
    const nameAt = write(page, at, start);
    const nameEnd = names.writePlainName(number, page, nameAt);
    if (nameEnd === -1) return false;
    at = write(page, nameEnd, this.#beforePath);
    for (let from = nameAt; from < nameEnd; from++) page[at++] = page[from] as number;
    const extensionAt = kind === "file" ? extensionIn(page, nameAt, nameEnd) : nameEnd;
    const size = facts.size(row);
    if (kind === "folder") {
      at = write(page, at, folderType);
    } else {
      const type = facts.isVideo(row)
        ? "video"
        : this.#typeBy(page, extensionAt, nameEnd) ?? typeOf(names.name(number), size);
      const known = type === "text" && size > maxTextBytes ? "blob" : type;
      at = write(page, at, partOf(forViewer(known, this.#canModify)));
    }
    at = writeNumber(page, at, size);
    at = write(page, at, afterSize);
    at = writeTime(page, at, facts.modified(row));
    at = write(page, at, afterTime);
    for (let from = extensionAt; from < nameEnd; from++) page[at++] = lower(page[from] as number);
    at = write(page, at, afterExtension);
    at = writeNumber(page, at, facts.mode(row) & modeBits);
    page[at++] = closing;
    this.#pages.used = at;
    return true;
  }

  /** The type by extension; undefined where the whole name tells, or the extension is long. */
  #typeBy(page: Uint8Array, from: number, end: number): FileType | undefined {
    // The first byte is the dot.
    if (end - from < 2 || end - from > 5) return undefined;
    let extension = 0;
    for (let at = from + 1; at < end; at++) extension = extension << 8 | lower(page[at] as number);
    extension >>>= 0;
    const slot = (extension ^ extension >>> 8 ^ extension >>> 16) & slots - 1;
    const known = this.#types[slot];
    if (known !== undefined && this.#extensions[slot] === extension) return known;
    this.#extensions[slot] = extension;
    return this.#types[slot] = typeOf(`a${String.fromCharCode(...page.subarray(from, end))}`, 0);
  }
}

/** The part of an entry's JSON with the type of a regular file. */
function partOf(type: string): Uint8Array {
  const known = fileTypes.get(type);
  if (known) return known;
  const part = typed(false, type);
  fileTypes.set(type, part);
  return part;
}

function write(page: Uint8Array, at: number, part: Uint8Array): number {
  let to = at;
  for (let index = 0; index < part.length; index++) page[to++] = part[index] as number;
  return to;
}

/** Where the extension of a name begins, with its dot; at the end for a name without one. */
function extensionIn(page: Uint8Array, start: number, end: number): number {
  let at = end - 1;
  while (at > start && page[at] !== dot) at--;
  return at <= start || at === end - 1 ? end : at;
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

/** Writes a whole number that is not negative. */
function writeNumber(page: Uint8Array, at: number, number: number): number {
  if (number > 0x3fff_ffff) return write(page, at, bytesOf(String(number)));
  let end = at + 1;
  for (let rest = number; rest > 9; rest = rest / 10 | 0) end++;
  let rest = number;
  for (let to = end - 1; to >= at; to--) {
    page[to] = zero + rest % 10;
    rest = rest / 10 | 0;
  }
  return end;
}

/** The day of the last written time, and its text: `2026-11-22T`. */
let lastDay = NaN;
let dayBytes = new Uint8Array();

/** Writes a time as {@linkcode isoText} does. */
function writeTime(page: Uint8Array, at: number, time: number): number {
  const day = Math.floor(time / dayMs);
  if (day !== lastDay) {
    dayBytes = bytesOf(isoText(day * dayMs).slice(0, "2026-11-22T".length));
    lastDay = day;
  }
  const ms = time - day * dayMs | 0;
  const seconds = ms / 1000 | 0;
  const minutes = seconds / 60 | 0;
  let to = writePair(page, write(page, at, dayBytes), minutes / 60 | 0);
  page[to++] = colon;
  to = writePair(page, to, minutes % 60);
  page[to++] = colon;
  to = writePair(page, to, seconds % 60);
  page[to++] = dot;
  page[to++] = zero + (ms % 1000 / 100 | 0);
  to = writePair(page, to, ms % 100);
  page[to++] = capitalZ;
  return to;
}

/** Writes two digits. */
function writePair(page: Uint8Array, at: number, number: number): number {
  page[at] = zero + (number / 10 | 0);
  page[at + 1] = zero + number % 10;
  return at + 2;
}
