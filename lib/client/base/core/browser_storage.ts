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
