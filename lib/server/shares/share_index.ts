import { createHash } from "node:crypto";
import { type EntryPath, segmentsOf } from "../../shared/path.ts";
import { shareKey, sharePlaceKey, userShareKey } from "../kv/keys/shares.ts";
import type { Share } from "./share.ts";

/** Bytes of a segment's digest: short enough for deep paths to fit into a key. */
const digestBytes = 8;

/** Entries deeper than this are compared one by one. */
const deepest = 150;

/** A path as the parts of a key: one digest a segment. */
export function digestsOf(path: EntryPath): Uint8Array[] {
  return segmentsOf(path).slice(0, deepest).map((segment) =>
    new Uint8Array(createHash("sha256").update(segment).digest().subarray(0, digestBytes))
  );
}

/** Writes a share with its two index entries; the store expires all three with it. */
export function putShare(
  operation: Deno.AtomicOperation,
  share: Share,
  now: number,
): Deno.AtomicOperation {
  const expireIn = share.expire === 0 ? undefined : Math.max(1, share.expire * 1000 - now);
  const { hash, userId, place } = share;
  return operation
    .set(shareKey(hash), share, { expireIn })
    .set(userShareKey(userId, hash), null, { expireIn })
    .set(sharePlaceKey(digestsOf(place), hash), null, { expireIn });
}

/** Removes a share with its index entries. */
export function dropShare(
  operation: Deno.AtomicOperation,
  { hash, userId, place }: Share,
): Deno.AtomicOperation {
  return operation
    .delete(shareKey(hash))
    .delete(userShareKey(userId, hash))
    .delete(sharePlaceKey(digestsOf(place), hash));
}
