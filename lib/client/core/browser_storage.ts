/** What a browser keeps for the site: for all of its tabs, or for one. */
export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Local storage, which the tabs of a browser share, or, where the browser forbids it or there is
 * none, a memory that lasts as long as the page.
 */
export function openLocalStorage(): BrowserStorage {
  try {
    localStorage.getItem("");
    return localStorage;
  } catch {
    return memoryStorage();
  }
}

/** A storage that forgets when the page goes. */
export function memoryStorage(): BrowserStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/** Keeps what is a comfort and no more: a storage that is full, or forbidden, goes without it. */
export function keepIn(
  storage: Pick<BrowserStorage, "setItem"> | undefined,
  key: string,
  value: string,
): void {
  try {
    storage?.setItem(key, value);
  } catch {
    // It is forgotten with the page.
  }
}
