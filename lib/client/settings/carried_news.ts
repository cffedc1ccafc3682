import type { TokenStorage } from "../session.ts";

const KEY = "news";

/**
 * Keeps good news for the next page of this tab.
 *
 * @param storage `sessionStorage`
 */
export function carryNews(storage: TokenStorage, text: string): void {
  storage.setItem(KEY, text);
}

/** Tells the news that the former page left, once. */
export function showCarriedNews(storage: TokenStorage, tell: (text: string) => void): void {
  const text = storage.getItem(KEY);
  if (text === null) return;
  storage.removeItem(KEY);
  tell(text);
}
