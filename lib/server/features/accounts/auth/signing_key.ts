import { Collection } from "../../../core/kv/collection.ts";
import type { Store } from "../../../core/kv/store.ts";

/** The 32 bytes that sign every token. */
const signingKey = new Collection<Uint8Array<ArrayBuffer>, []>("signing_key");

/**
 * The key that signs and verifies every token: 256 random bits, made once and kept in the store, so
 * that all threads and processes on it agree. The key is not extractable.
 */
export async function openSigningKey(store: Store): Promise<CryptoKey> {
  return await crypto.subtle.importKey(
    "raw",
    await readOrMake(store),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign", "verify"],
  );
}

async function readOrMake(store: Store): Promise<BufferSource> {
  const make = () => crypto.getRandomValues(new Uint8Array(32));
  const present = await signingKey.get(store);
  return present ?? await signingKey.update(store, [], (now) => now ?? make());
}
