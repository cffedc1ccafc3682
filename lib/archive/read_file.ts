import { closeSync, readSync } from "node:fs";
import { hasChanged } from "../access/child_file.ts";
import type { PatientSteps } from "../walk/slices.ts";
import type { Source } from "./container.ts";
import type { Pages } from "./pages.ts";
import type { Proof } from "./proof.ts";

/** The size of a piece, in bytes. */
const pieceSize = 256 * 1024;

/** Looks at bytes of a file as they come, before they go on: to sum them up. */
export type Look = (bytes: Uint8Array) => void;

/**
 * Reads all of a small file into a buffer that has room for it.
 *
 * @throws {DomainError} when the file is shorter or another than its facts say
 */
export function readSmall(source: Source, into: Uint8Array, proof: Proof): void {
  if (source.facts.size > 0) {
    const descriptor = source.open();
    try {
      fill(descriptor, into.subarray(0, source.facts.size), source);
    } finally {
      closeSync(descriptor);
    }
  }
  proof.add(source);
}

/**
 * Reads a file straight into pages, from a place in it to its end. It is proven before the first
 * page with a part of it leaves, and before the last.
 *
 * @throws {DomainError} when it is gone, or changes on the way
 */
export function* readIntoPages(
  source: Source,
  pages: Pages,
  proof: Proof,
  { from = 0, look }: { from?: number; look?: Look } = {},
): PatientSteps<void> {
  const { size } = source.facts;
  if (size === 0) return proof.add(source);
  const descriptor = source.open();
  try {
    if (size - from > pages.free) proof.add(source);
    for (let left = size - from; left > 0;) {
      yield* pages.room(1);
      const part = pages.rest.subarray(0, left);
      fill(descriptor, part, source, from === 0 ? null : size - left);
      look?.(part);
      pages.advance(part.length);
      left -= part.length;
    }
    proof.add(source);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Reads a file piece by piece for something that makes other bytes of it. It is proven before the
 * first of them can leave, and after its last piece.
 *
 * @param each what is done with a piece; the buffer is used again for the next
 * @param options.from,to the part of the file; all of it when left out
 * @throws {DomainError} when it is gone, or changes on the way
 */
export function* readPieces(
  source: Source,
  proof: Proof,
  each: (bytes: Uint8Array) => PatientSteps<void> | void,
  { from = 0, to = source.facts.size } = {},
): PatientSteps<void> {
  const buffer = new Uint8Array(Math.min(to - from, pieceSize));
  const descriptor = source.open();
  try {
    proof.add(source);
    for (let at = from; at < to; at += buffer.length) {
      const part = buffer.subarray(0, to - at);
      fill(descriptor, part, source, from === 0 ? null : at);
      yield* each(part) ?? [];
      yield;
    }
  } finally {
    closeSync(descriptor);
  }
  proof.add(source);
}

/**
 * The first bytes of a file, to judge it by: they go nowhere, so nothing is proven.
 *
 * @throws {DomainError} when it is gone, or shorter than its facts say
 */
export function readBeginning(source: Source, most: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(most, source.facts.size));
  const descriptor = source.open();
  try {
    fill(descriptor, bytes, source);
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}

/** Fills the whole buffer, from where the file stands or from a place in it. */
function fill(descriptor: number, buffer: Uint8Array, source: Source, at: number | null = null) {
  for (let done = 0; done < buffer.length;) {
    const place = at === null ? null : at + done;
    const read = readSync(descriptor, buffer, done, buffer.length - done, place);
    if (read === 0) throw hasChanged(source.path);
    done += read;
  }
}
