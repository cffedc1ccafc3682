/** The messages at the edge of the screen, of which most are gone again after a second. */
import type { BrowserContext, Page } from "playwright-core";
import { eventually } from "./listing.ts";

/** Waits until a message has been shown, be it gone by now. */
export type News = (text: string) => Promise<void>;

/** A message that was shown. */
interface Heard {
  text: string;
  /** A test has waited for it. */
  isTaken: boolean;
}

const heardBy = new WeakMap<Page, Heard[]>();

/** Notes the messages of all pages of a context, of its next documents. */
export async function noteNews(context: BrowserContext): Promise<void> {
  await context.exposeBinding("noteNews", ({ page }, text: string) => {
    heardOf(page).push({ text, isTaken: false });
  });
  await context.addInitScript(() => {
    if (self !== top) return;
    const note = Reflect.get(globalThis, "noteNews");
    const noted = new WeakSet<Element>();
    new MutationObserver(() => {
      for (const words of document.getElementsByClassName("toast__words")) {
        if (!noted.has(words)) note(words.textContent);
        noted.add(words);
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Hears all messages of a page from now on. */
export function hearNews(page: Page): Promise<News> {
  const from = heardOf(page).length;
  const isHeard = (text: string) => heardOf(page).slice(from).some((heard) => heard.text === text);
  return Promise.resolve((text) => eventually(() => isHeard(text)));
}

/**
 * Waits until a message has been shown, be it gone by now. Each is taken once: the same words have
 * to be shown again for the next time.
 */
export async function isTold(page: Page, text: string): Promise<void> {
  const find = () => heardOf(page).find((heard) => !heard.isTaken && heard.text === text);
  try {
    await eventually(() => find() !== undefined);
  } catch {
    const others = heardOf(page).map((heard) => heard.text).join("\n");
    throw new Error(`"${text}" was never told, but:\n${others}`);
  }
  const heard = find();
  if (heard) heard.isTaken = true;
}

/**
 * Points at each message that has a button of its own, from when it is there: none goes before the
 * button is pressed. Holds for the present document.
 */
export async function keepNews(page: Page): Promise<void> {
  await page.evaluate(() => {
    const hold = () => {
      for (const toast of document.querySelectorAll(".toast:not([data-held])")) {
        const buttons = toast.querySelectorAll(".toast__acts button").length;
        if (buttons > 1) toast.dispatchEvent(new PointerEvent("pointerenter"));
      }
    };
    const options = { childList: true, subtree: true, attributeFilter: ["data-held"] };
    new MutationObserver(hold).observe(document, options);
  });
}

function heardOf(page: Page): Heard[] {
  const heard = heardBy.get(page) ?? [];
  heardBy.set(page, heard);
  return heard;
}
