import type { Browser, Page } from "playwright-core";

/** A page in a real browser, with what it reported. */
export interface OpenPage extends AsyncDisposable {
  page: Page;
  /** What the page wrote to its console as an error, and what it threw. */
  errors: string[];
}

/**
 * Opens a URL in a context of its own.
 *
 * @param prepare What to do before the page is loaded.
 */
export async function open(
  browser: Browser,
  url: string,
  prepare: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<OpenPage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  await prepare(page);
  await page.goto(url, { waitUntil: "commit" });
  return { page, errors, [Symbol.asyncDispose]: () => context.close() };
}

/** Waits until the islands of a page have started. */
export async function started(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.readyState !== "loading" && !document.body.innerHTML.includes("<!--frsh:")
  );
  await page.evaluate(() =>
    // Islands start in tasks of the same queue, so this one comes after them.
    new Promise<void>((resolve) => {
      const { scheduler } = globalThis as unknown as {
        scheduler: { postTask(task: () => void): void };
      };
      scheduler.postTask(resolve);
    })
  );
}
