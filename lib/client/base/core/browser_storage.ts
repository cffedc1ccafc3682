import { type EntryPath, parsePath } from "../../../shared/path.ts";

/** The part of `Storage` that the client uses: local or session storage. */
export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Local storage, which the tabs of a browser share, or, where the browser forbids it or there is
 * none, a memory that lasts as long as the page.
 */
export function openLocalStorage(): BrowserStorage {
  return open("localStorage");
}

/** The storage of one tab, which outlives a reload; see {@linkcode openLocalStorage}. */
export function openTabStorage(): BrowserStorage {
  return open("sessionStorage");
}

function open(name: "localStorage" | "sessionStorage"): BrowserStorage {
  try {
    const storage = globalThis[name];
    storage.getItem("");
    return storage;
  } catch {
    return memoryStorage();
  }
}

/** A storage in memory, lost with the page. */
export function memoryStorage(): BrowserStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/** Stores a value, best effort: ignores a storage that is full or forbidden. */
export function keepIn(
  storage: Pick<BrowserStorage, "setItem"> | undefined,
  key: string,
  value: string,
): void {
  try {
    storage?.setItem(key, value);
  } catch {
    // It is lost with the page.
  }
}

/** What was kept as a list in JSON; empty where there is none, or something else has written it. */
export function listIn<T>(
  storage: Pick<BrowserStorage, "getItem">,
  key: string,
  read: (kept: unknown[]) => T[],
): T[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? read(kept) : [];
  } catch {
    return [];
  }
}

/** The first of the paths that were kept as a list; see {@linkcode listIn}. */
export function pathsIn(storage: BrowserStorage, key: string, most: number): EntryPath[] {
  return listIn(
    storage,
    key,
    (kept) => kept.slice(0, most).map((path) => parsePath(String(path)).path),
  );
}
