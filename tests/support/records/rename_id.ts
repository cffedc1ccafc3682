import type { Store } from "../../../lib/server/core/kv/store.ts";

/**
 * Gives a record another id, wherever the store names it: one that only an older version gave.
 *
 * @returns the new id
 */
export async function renameId(store: Store, from: string, to: string): Promise<string> {
  const renamed = (value: unknown): unknown => {
    if (value === from) return to;
    if (Array.isArray(value)) return value.map(renamed);
    const isRecord = value !== null && typeof value === "object" &&
      Object.getPrototypeOf(value) === Object.prototype;
    if (!isRecord) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renamed(each)]));
  };
  for (const { key, value } of await store.list<unknown>([])) {
    const [nextKey, next] = [renamed([...key]) as Deno.KvKeyPart[], renamed(value)];
    await store.atomic((operation) => operation.delete(key).set(nextKey, next));
  }
  return to;
}
