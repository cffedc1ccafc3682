/** How long a page takes, as the browser itself measures it. */
import type { Page } from "playwright-core";

/** Milliseconds from the beginning of the page's loading until its largest part was painted. */
export async function largestPaint(page: Page): Promise<number> {
  return await page.evaluate(() =>
    new Promise<number>((resolve) => {
      const observer = new PerformanceObserver((list) => {
        observer.disconnect();
        resolve(list.getEntries().at(-1)?.startTime ?? NaN);
      });
      observer.observe({ type: "largest-contentful-paint", buffered: true });
    })
  );
}

/**
 * Milliseconds from the press of a key to the first frame in which a text stands in the rows.
 *
 * @param press presses one key
 */
export async function untilShown(
  page: Page,
  text: string,
  press: () => Promise<void>,
): Promise<number> {
  // The watch is in place before the key goes down: the two reach the page by different ways.
  await page.evaluate((text) => {
    const shown = new Promise<number>((resolve) => {
      let start = NaN;
      addEventListener("keydown", () => start = performance.now(), { capture: true, once: true });
      const look = () => {
        const rows = document.querySelector(".rows");
        if (rows?.textContent.includes(text)) resolve(performance.now() - start);
        else requestAnimationFrame(look);
      };
      look();
    });
    Reflect.set(globalThis, "shown", shown);
  }, text);
  await press();
  return await page.evaluate(() => Reflect.get(globalThis, "shown") as Promise<number>);
}

/** The longest wait, in milliseconds, from an input to the next picture while something is done. */
export async function slowestInput(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const waits: number[] = [];
    Reflect.set(globalThis, "waits", waits);
    const observer = new PerformanceObserver((entries) => {
      waits.push(...entries.getEntries().map(({ duration }) => duration));
    });
    // Not yet known to the types: shorter events than 104 ms count, too.
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
  });
  await act();
  return await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return Math.max(0, ...Reflect.get(globalThis, "waits"));
  });
}
