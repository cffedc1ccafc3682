import { DomainError } from "../../../../shared/errors.ts";
import type { Store } from "../../../core/kv/store.ts";
import { noChange } from "../../../core/kv/commit.ts";
import { hasExpired } from "./share.ts";
import {
  dropShare,
  readShare,
  shareNames,
  shareRecords,
  type StoredShare,
} from "./share_records.ts";

/** Adds the checks under which a name is free to an atomic operation. */
export type NameClaim = (operation: Deno.AtomicOperation) => Deno.AtomicOperation;

/**
 * Claims a name for a share, to be committed together with the share. A name never stands for two
 * shares, and is never the hash of another one: links of File Browser have hashes short enough to
 * be names. The name of an expired share is free; that share is removed with the claim.
 *
 * @param name in lower case; "" claims nothing
 * @param hash of the share that wants it
 * @param now milliseconds since 1970
 * @throws DomainError `exists`
 */
export async function claimName(
  store: Store,
  name: string,
  hash: string,
  now: number,
): Promise<NameClaim> {
  if (name === "") return (operation) => operation;
  const [named, hashed] = await store.getMany<[string, StoredShare]>([
    shareNames.prefix(name),
    shareRecords.key(name),
  ]);
  if (await isLive(store, name, now)) throw takenError(name);
  const isOther = named.value !== null && named.value !== hash;
  if (isOther && await isLive(store, named.value, now)) throw takenError(name);
  const holder = isOther ? await shareRecords.entry(store, named.value) : null;
  const free = holder?.value ? await dropShare(store, holder) : noChange;
  return (operation) => free(operation.check(named, hashed));
}

async function isLive(store: Store, hash: string, now: number): Promise<boolean> {
  const read = await readShare(store, hash);
  return read !== null && !hasExpired(read.share, now);
}

function takenError(name: string): DomainError {
  return new DomainError("exists", `Cannot name the share "${name}": the name is taken`);
}
