import { setImmediate } from "node:timers/promises";
import type { Store } from "./store.ts";

/** Records of one part: read in a few milliseconds. */
const partSize = 200;

/** Most keys of one call of `getMany()`. */
const maxKeys = 10;

/** Where the reading of records begins and how much is read at once. */
export interface PartOptions {
  /** The part of the key behind the prefix after which the reading begins. */
  after?: Deno.KvKeyPart;
  /** Records of one part, less than 1,000. */
  size?: number;
}

/**
 * Reads the records below a prefix in the order of their keys, part by part: memory stays bounded
 * and other requests are served in between. A record that comes or goes meanwhile may be left out.
 */
export async function* inParts<T>(
  store: Pick<Store, "read">,
  prefix: Deno.KvKey,
  { after, size = partSize }: PartOptions = {},
): AsyncGenerator<Deno.KvEntry<T>[], void> {
  let last: Deno.KvKey | null = after === undefined ? null : [...prefix, after];
  for (;;) {
    const start = last;
    const part = await store.read((kv) => readPart<T>(kv, prefix, start, size));
    if (part.length > 0) yield part;
    if (part.length < size) return;
    last = part.at(-1)?.key ?? null;
    await setImmediate();
  }
}

/** Records of any number, read ten at a time. */
export async function getAll<T>(
  store: Pick<Store, "getMany">,
  keys: readonly Deno.KvKey[],
): Promise<Deno.KvEntryMaybe<T>[]> {
  const found: Deno.KvEntryMaybe<T>[] = [];
  for (let start = 0; start < keys.length; start += maxKeys) {
    found.push(...await store.getMany<T[]>(keys.slice(start, start + maxKeys)));
  }
  return found;
}

/** Whether there is a record below a prefix. */
export async function hasAny(
  store: Pick<Store, "read">,
  prefix: Deno.KvKey,
): Promise<boolean> {
  return (await store.read((kv) => readPart(kv, prefix, null, 1))).length > 0;
}

async function readPart<T>(
  kv: Pick<Deno.Kv, "list">,
  prefix: Deno.KvKey,
  after: Deno.KvKey | null,
  size: number,
): Promise<Deno.KvEntry<T>[]> {
  const limit = after ? size + 1 : size;
  const selector = after ? { prefix, start: after } : { prefix };
  const found = await Array.fromAsync(kv.list<T>(selector, { limit, batchSize: limit }));
  // The first one is where the part before has ended, unless that is gone.
  const isSame = after !== null && found[0] !== undefined && sameKey(found[0].key, after);
  return (isSame ? found.slice(1) : found).slice(0, size);
}

/** Whether two keys are equal. */
export function sameKey(one: Deno.KvKey, other: Deno.KvKey): boolean {
  return one.length === other.length && one.every((part, at) => {
    const facing = other[at];
    if (!(part instanceof Uint8Array)) return part === facing;
    return facing instanceof Uint8Array && part.toHex() === facing.toHex();
  });
}
