import { shareKey, sharePlaceKey, userShareKey } from "../kv/keys/shares.ts";
import { digestsOf } from "../kv/path_digests.ts";
import type { Share } from "./share.ts";

/** Writes a share with its two index entries. */
export function putShare(operation: Deno.AtomicOperation, share: Share): Deno.AtomicOperation {
  const { hash, userId, place } = share;
  return operation
    .set(shareKey(hash), share)
    .set(userShareKey(userId, hash), null)
    .set(sharePlaceKey(digestsOf(place), hash), null);
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
