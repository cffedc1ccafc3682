import {
  shareAudienceKey,
  shareKey,
  shareNameKey,
  sharePlaceKey,
  shareUseKey,
  userShareKey,
} from "../kv/keys/shares.ts";
import { digestsOf } from "../kv/path_digests.ts";
import { type Share, termsOf } from "./share.ts";

/** Writes a share with its index entries. */
export function putShare(operation: Deno.AtomicOperation, share: Share): Deno.AtomicOperation {
  const { hash, userId, place } = share;
  const { name } = termsOf(share);
  const put = operation
    .set(shareKey(hash), share)
    .set(userShareKey(userId, hash), null)
    .set(sharePlaceKey(digestsOf(place), hash), null);
  for (const key of audienceKeys(share)) put.set(key, null);
  return name === "" ? put : put.set(shareNameKey(name), hash);
}

/** Removes a share with its index entries and the record of its use. */
export function dropShare(operation: Deno.AtomicOperation, share: Share): Deno.AtomicOperation {
  return dropIndexes(operation, share).delete(shareKey(share.hash)).delete(shareUseKey(share.hash));
}

/** Replaces the record of a share; its use stays counted. */
export function replaceShare(
  operation: Deno.AtomicOperation,
  before: Share,
  after: Share,
): Deno.AtomicOperation {
  return putShare(dropIndexes(operation, before), after);
}

function dropIndexes(operation: Deno.AtomicOperation, share: Share): Deno.AtomicOperation {
  const { hash, userId, place } = share;
  const { name } = termsOf(share);
  const dropped = operation
    .delete(userShareKey(userId, hash))
    .delete(sharePlaceKey(digestsOf(place), hash));
  for (const key of audienceKeys(share)) dropped.delete(key);
  return name === "" ? dropped : dropped.delete(shareNameKey(name));
}

/** The keys by which a share is found by those it is for. */
export function audienceKeys(share: Share): Deno.KvKey[] {
  const { users = [], groups = [] } = termsOf(share).audience ?? {};
  return [
    ...users.map((id) => shareAudienceKey("user", id, share.hash)),
    ...groups.map((id) => shareAudienceKey("group", id, share.hash)),
  ];
}
