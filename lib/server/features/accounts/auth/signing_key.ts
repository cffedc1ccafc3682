import { signingKeyKey } from "../../../core/kv/keys/sessions.ts";
import type { Store } from "../../../core/kv/store.ts";

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
  const present = await store.get<Uint8Array<ArrayBuffer>>(signingKeyKey());
  if (present.value) return present.value;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  await store.atomic((operation) => operation.check(present).set(signingKeyKey(), bytes));
  return await readOrMake(store);
}
