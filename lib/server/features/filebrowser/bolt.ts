import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { DomainError } from "../../../shared/errors.ts";

/*
 * Reads Bolt databases (https://github.com/etcd-io/bbolt, file format version 2): a tree of pages
 * with two alternating meta pages at the start. Nothing in the file is trusted: every offset,
 * length and page number is checked before it is used.
 */

/** Flags of a page. */
const branchPage = 0x01;
const leafPage = 0x02;

/** The flag of a leaf's element that holds a bucket instead of a value. */
const bucketFlag = 0x01;

const magic = 0xed0cdaed;
const formatVersion = 2;

/** Lengths of the header of a page, of one of its elements, and of the header of a bucket. */
const pageHeader = 16;
const element = 16;
const bucketHeader = 16;

/** Offset of the checksum in a meta page, from the end of the page's header. */
const checksumAt = 56;

/** The page sizes that a system may have: from 1 KiB to 64 KiB. */
const pageSizes = Array.from({ length: 7 }, (_, power) => 1024 << power);

/** The deepest tree: 64 levels of branches hold more than any disk. */
const maxLevels = 64;

/** The longest run of pages that one element may need, in bytes. */
const maxRunBytes = 64 * 2 ** 20;

interface Meta {
  pageSize: number;
  /** The page of the root bucket. */
  root: number;
  /** The number of pages in use. */
  pages: number;
  transaction: bigint;
}

/** A bucket: an ordered list of keys with values, and of buckets inside it. */
export interface Bucket {
  /** Values by key, in the order of the keys; buckets inside are left out. */
  values(): Generator<[key: Uint8Array, value: Uint8Array]>;
  /** The bucket of this name inside it. */
  bucket(name: string): Bucket | undefined;
}

/** A Bolt database, open for reading. */
export class BoltFile implements Disposable {
  readonly #path: string;
  readonly #file: number;
  readonly #meta: Meta;
  readonly #size: number;

  /**
   * @throws DomainError `not_found` when the file cannot be read; `invalid_body` when it is no Bolt
   * database, or a damaged one
   */
  constructor(path: string) {
    this.#path = path;
    this.#file = openFile(path);
    try {
      this.#size = fstatSync(this.#file).size;
      this.#meta = this.#newestMeta();
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** The bucket that holds all others. */
  get root(): Bucket {
    return this.#bucketAt(this.#meta.root);
  }

  /** Whether the database was changed since it was opened: what was read may be of two states. */
  hasChanged(): boolean {
    return this.#newestMeta().transaction !== this.#meta.transaction;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  /** The valid meta page of the last transaction; the other one is the state before it. */
  #newestMeta(): Meta {
    const first = this.#metaAt(0);
    const seconds = first ? [first.pageSize] : pageSizes;
    const second = seconds.map((size) => this.#metaAt(size)).find((meta) => meta !== null) ?? null;
    if (first && (!second || first.transaction > second.transaction)) return first;
    if (second) return second;
    throw this.#damagedError("it is not a Bolt database, or its first pages are damaged");
  }

  #metaAt(offset: number): Meta | null {
    const end = offset + pageHeader + checksumAt + 8;
    if (end > this.#size) return null;
    const view = viewOf(this.#read(offset, end - offset));
    const at = (place: number) => pageHeader + place;
    if (view.getUint32(at(0), true) !== magic) return null;
    if (view.getUint32(at(4), true) !== formatVersion) return null;
    const bytes = new Uint8Array(view.buffer, view.byteOffset + pageHeader, checksumAt);
    if (view.getBigUint64(at(checksumAt), true) !== fnv1a64(bytes)) return null;
    const pageSize = view.getUint32(at(8), true);
    if (!pageSizes.includes(pageSize)) return null;
    return {
      pageSize,
      root: numberOf(view, at(16)),
      pages: numberOf(view, at(40)),
      transaction: view.getBigUint64(at(48), true),
    };
  }

  #bucketAt(page: number): Bucket {
    return this.#bucketOf(() => this.#leaves(page, new Set(), 0));
  }

  #bucketOf(leaves: () => Iterable<DataView<ArrayBuffer>>): Bucket {
    const elements = () => this.#elements(leaves());
    const open = (value: Uint8Array<ArrayBuffer>) => this.#inner(value);
    return {
      *values() {
        for (const { key, value, isBucket } of elements()) if (!isBucket) yield [key, value];
      },
      bucket(name) {
        for (const { key, value, isBucket } of elements()) {
          if (isBucket && new TextDecoder().decode(key) === name) return open(value);
        }
        return undefined;
      },
    };
  }

  /** A bucket inside another: on pages of its own, or in the value itself when it is small. */
  #inner(value: Uint8Array<ArrayBuffer>): Bucket {
    if (value.length < bucketHeader) throw this.#damagedError("a bucket is too short");
    const page = numberOf(viewOf(value), 0);
    if (page !== 0) return this.#bucketAt(page);
    const inline = viewOf(value.subarray(bucketHeader));
    if (inline.byteLength < pageHeader) throw this.#damagedError("a bucket is too short");
    return this.#bucketOf(() => [inline]);
  }

  /**
   * The leaf pages below a page, in order.
   *
   * @param seen the pages met so far: one that comes twice would make the walk endless
   */
  *#leaves(number: number, seen: Set<number>, level: number): Generator<DataView<ArrayBuffer>> {
    if (seen.has(number)) throw this.#damagedError(`page ${number} is used twice`);
    if (level > maxLevels) throw this.#damagedError("its pages lie too deep");
    seen.add(number);
    const page = this.#page(number);
    const flags = page.getUint16(8, true);
    if (flags === leafPage) return yield page;
    if (flags !== branchPage) throw this.#damagedError(`page ${number} is of another kind`);
    const count = page.getUint16(10, true);
    this.#checkRange(page, pageHeader, count * element);
    for (let index = 0; index < count; index++) {
      yield* this.#leaves(numberOf(page, pageHeader + index * element + 8), seen, level + 1);
    }
  }

  *#elements(leaves: Iterable<DataView<ArrayBuffer>>) {
    for (const page of leaves) {
      if (page.getUint16(8, true) !== leafPage) {
        throw this.#damagedError("a leaf is of another kind");
      }
      const count = page.getUint16(10, true);
      this.#checkRange(page, pageHeader, count * element);
      for (let index = 0; index < count; index++) {
        const at = pageHeader + index * element;
        const start = at + page.getUint32(at + 4, true);
        const [keyLength, length] = [page.getUint32(at + 8, true), page.getUint32(at + 12, true)];
        this.#checkRange(page, start, keyLength + length);
        const bytes = new Uint8Array(page.buffer, page.byteOffset + start, keyLength + length);
        const key = bytes.subarray(0, keyLength);
        const isBucket = (page.getUint32(at, true) & bucketFlag) !== 0;
        yield { key, value: bytes.subarray(keyLength), isBucket };
      }
    }
  }

  /** A page with those that continue it. */
  #page(number: number): DataView<ArrayBuffer> {
    const { pageSize, pages } = this.#meta;
    if (number < 2 || number >= pages) throw this.#damagedError(`there is no page ${number}`);
    const header = viewOf(this.#read(number * pageSize, pageHeader));
    if (numberOf(header, 0) !== number) throw this.#damagedError(`page ${number} is another`);
    const length = (header.getUint32(12, true) + 1) * pageSize;
    if (length > maxRunBytes) throw this.#damagedError(`page ${number} is too long`);
    return viewOf(this.#read(number * pageSize, length));
  }

  #read(offset: number, length: number): Uint8Array<ArrayBuffer> {
    if (offset + length > this.#size) throw this.#damagedError("it ends too early");
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length;) {
      const count = readSync(this.#file, bytes, done, length - done, offset + done);
      if (count === 0) throw this.#damagedError("it ends too early");
      done += count;
    }
    return bytes;
  }

  #checkRange(page: DataView, start: number, length: number): void {
    if (start + length > page.byteLength) throw this.#damagedError("an entry leaves its page");
  }

  #damagedError(reason: string): DomainError {
    return new DomainError("invalid_body", `Cannot read "${this.#path}": ${reason}`);
  }
}

/**
 * Whether a program has the database open to write to it, such as File Browser while it runs: Bolt
 * locks the file for as long. False where the disk has no locks.
 */
export function isLocked(path: string): boolean {
  using file = Deno.openSync(path);
  try {
    return !file.tryLockSync(false);
  } catch {
    return false;
  }
}

/** Whether the start of a file is that of a Bolt database. */
export function isBolt(start: Uint8Array): boolean {
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  return view.byteLength >= pageHeader + 8 && view.getUint32(pageHeader, true) === magic;
}

/** Opens a regular file. */
function openFile(path: string): number {
  let file: number | undefined;
  try {
    // Opening a named pipe without O_NONBLOCK would wait for a writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (fstatSync(file).isFile()) return file;
  } catch {
    // Refused below, whatever the reason.
  }
  if (file !== undefined) closeSync(file);
  throw new DomainError("not_found", `Cannot read "${path}": it is not a file or cannot be read`);
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A number of 64 bits. One that is too large for a page number is too large exactly or not. */
function numberOf(view: DataView, place: number): number {
  return Number(view.getBigUint64(place, true));
}

/** The checksum of a meta page: FNV-1a of 64 bits. */
function fnv1a64(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
