import { factsOf, hasChanged, isUnchanged } from "../access/child_file.ts";
import type { OpenFile } from "../disk/disk.ts";
import { ChosenFile } from "./chosen_file.ts";
import type { Source } from "./container.ts";
import type { Pages } from "./pages.ts";

/** The size of a piece, in bytes. */
const pieceSize = 256 * 1024;

/** Looks at bytes of a file as they come, before they go on: to sum them up. */
export type Look = (bytes: Uint8Array) => void;

/**
 * Reads all of a small file into a buffer that has room for it.
 *
 * @throws {DomainError} when the file is gone, or has changed since its facts were read
 */
export function readSmall(source: Source, into: Uint8Array<ArrayBuffer>): void {
  const { size } = source.facts;
  if (size === 0) return assertStillEmpty(source);
  using file = source.open();
  fill(file, into.subarray(0, size), 0, source);
  assertUnchanged(file, source);
}

/**
 * Reads a file straight into pages, from a place in it to its end. Pages with parts of it may leave
 * before it is known to be whole: then the archive breaks off.
 *
 * @param options.isDone whether no more of the file is wanted
 * @throws {DomainError} when it is gone, or changes on the way
 */
export async function readIntoPages(
  source: Source,
  pages: Pages,
  { from = 0, look, isDone }: { from?: number; look?: Look; isDone?: () => boolean } = {},
): Promise<void> {
  const { size } = source.facts;
  if (size === 0) return assertStillEmpty(source);
  using file = source.open();
  assertUnchanged(file, source);
  for (let at = from; at < size;) {
    if (isDone?.()) return;
    await pages.room(1);
    const part = pages.rest.subarray(0, size - at);
    fill(file, part, at, source);
    look?.(part);
    pages.advance(part.length);
    at += part.length;
  }
  assertUnchanged(file, source);
}

/**
 * The pieces of a file, for something that makes other bytes of it. The buffer of one is used again
 * for the next.
 *
 * @param options.from,to the part of the file; all of it when left out
 * @throws {DomainError} when it is gone, or changes on the way
 */
export function* piecesOf(
  source: Source,
  { from = 0, to = source.facts.size } = {},
): Generator<Uint8Array, void> {
  const buffer = new Uint8Array(Math.min(to - from, pieceSize));
  using file = source.open();
  assertUnchanged(file, source);
  for (let at = from; at < to; at += buffer.length) {
    const part = buffer.subarray(0, to - at);
    fill(file, part, at, source);
    yield part;
  }
  assertUnchanged(file, source);
}

/**
 * The first bytes of a file, to judge it by: they go nowhere, so the file may be changing.
 *
 * @throws {DomainError} when it is gone, or shorter than its facts say
 */
export function readBeginning(source: Source, most: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(most, source.facts.size));
  using file = source.open();
  fill(file, bytes, 0, source);
  return bytes;
}

/** Fills the whole buffer from a place in the file. */
function fill(file: OpenFile, into: Uint8Array<ArrayBuffer>, at: number, source: Source): void {
  for (let done = 0; done < into.length;) {
    const count = file.read(done === 0 ? into : into.subarray(done), at + done);
    if (count === 0) throw hasChanged(source.path);
    done += count;
  }
}

/** A file that was removed while it is open counts as changed, too. */
function assertUnchanged(file: OpenFile, { facts, path }: Source): void {
  const now = file.facts();
  if (now.nlink === 0 || !isUnchanged(factsOf(now), facts)) throw hasChanged(path);
}

/** An empty file is not opened: it need not be readable to be archived. */
function assertStillEmpty(source: Source): void {
  const now = source instanceof ChosenFile ? source.look() : lookAt(source);
  if (!now || !isUnchanged(factsOf(now), source.facts)) throw hasChanged(source.path);
}

function lookAt({ folder, name }: Exclude<Source, ChosenFile>) {
  using open = folder.open();
  return open.look(name);
}
