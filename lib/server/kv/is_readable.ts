import { settingsKey } from "./keys/server.ts";
import type { Store } from "./store.ts";

/** Timeout of the read, in milliseconds. */
const patienceMs = 2_000;

/**
 * Whether the store answers a read in time. Its writes are not tried: a probe comes every few
 * seconds for ever, and what can be read can be served while its disk is full.
 */
export async function isReadable(store: Pick<Store, "get">, limitMs = patienceMs) {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), limitMs);
  try {
    return await Promise.race([store.get(settingsKey()).then(() => true), late.promise]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
