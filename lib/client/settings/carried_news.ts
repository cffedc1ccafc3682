import type { Words } from "../../shared/i18n/words.ts";
import type { BrowserStorage } from "../core/browser_storage.ts";

const KEY = "news";

/** Good news that a page may leave to the next one, which tells it in the language it then has. */
export type News = keyof Words["toasts"] & `${"settings" | "user"}${string}`;

/**
 * Keeps good news for the next page of this tab.
 *
 * @param storage `sessionStorage`
 */
export function carryNews(storage: BrowserStorage, news: News): void {
  storage.setItem(KEY, news);
}

/** Lets go of news that nobody waits for any more. */
export function dropNews(storage: BrowserStorage): void {
  storage.removeItem(KEY);
}

/** Tells the news that the former page left, once. */
export function showCarriedNews(storage: BrowserStorage, tell: (news: News) => void): void {
  const news = storage.getItem(KEY);
  if (news === null) return;
  storage.removeItem(KEY);
  tell(news as News);
}
