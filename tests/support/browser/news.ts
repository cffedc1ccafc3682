/** The messages at the edge of the screen, which are gone again after a second. */
import type { Page } from "playwright-core";
import { eventually } from "./listing.ts";

/** Waits until a message has been shown, be it gone by now; from the next page on. */
export type News = (text: string) => Promise<void>;

/** Hears all messages of a page from its next document on. */
export async function hearNews(page: Page): Promise<News> {
  const heard: string[] = [];
  await page.exposeFunction("hearNews", (text: string) => heard.push(text));
  await page.addInitScript(() => {
    const tell = Reflect.get(globalThis, "hearNews");
    const told = new WeakSet<Element>();
    new MutationObserver(() => {
      for (const words of document.querySelectorAll(".toast__words")) {
        if (!told.has(words)) tell(words.textContent);
        told.add(words);
      }
    }).observe(document, { childList: true, subtree: true });
  });
  return (text) => eventually(() => heard.includes(text));
}
