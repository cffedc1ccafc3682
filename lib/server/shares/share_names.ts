import { DomainError } from "../../shared/errors.ts";
import { shareKey, shareNameKey } from "../kv/keys/shares.ts";
import type { Store } from "../kv/store.ts";
import { hasExpired, type Share } from "./share.ts";
import { dropShare } from "./share_index.ts";

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
  const [named, hashed] = await store.getMany<[string, Share]>([
    shareNameKey(name),
    shareKey(name),
  ]);
  if (hashed.value !== null && !hasExpired(hashed.value, now)) throw taken(name);
  const holder = named.value === null || named.value === hash
    ? null
    : await store.get<Share>(shareKey(named.value));
  const held = holder?.value ?? null;
  if (held && !hasExpired(held, now)) throw taken(name);
  return (operation) => {
    const checked = operation.check(named, hashed);
    return holder && held ? dropShare(checked.check(holder), held) : checked;
  };
}

function taken(name: string): DomainError {
  return new DomainError("exists", `Cannot name the share "${name}": the name is taken`);
}
