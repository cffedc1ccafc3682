import { createHash } from "node:crypto";
import { type EntryPath, segmentsOf } from "../../../shared/path.ts";

/** Bytes of a segment's digest: short enough for deep paths to fit into a key. */
const digestBytes = 8;

/** Entries deeper than this are compared one by one. */
const deepest = 150;

/**
 * A path as the parts of a key: one digest a segment, as paths may be longer than keys. Readers of
 * an index compare the path itself.
 */
export function digestsOf(path: EntryPath): Uint8Array[] {
  return segmentsOf(path).slice(0, deepest).map((segment) =>
    new Uint8Array(createHash("sha256").update(segment).digest().subarray(0, digestBytes))
  );
}

/** Bytes of a folder's digest, of which no two are equal in practice. */
const folderBytes = 16;

/** A whole path as one part of a key. */
export function folderDigest(path: EntryPath): Uint8Array {
  return new Uint8Array(createHash("sha256").update(path).digest().subarray(0, folderBytes));
}
