import type { TokenStorage } from "./session.ts";

/**
 * Local storage, or, where the browser forbids it or there is none, a memory that lasts as long as
 * the page.
 */
export function openTokenStorage(): TokenStorage {
  try {
    localStorage.getItem("");
    return localStorage;
  } catch {
    return memoryStorage();
  }
}

/** A storage that forgets when the page goes. */
export function memoryStorage(): TokenStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
