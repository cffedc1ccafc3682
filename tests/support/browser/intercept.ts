import type { Page } from "playwright-core";

/**
 * `page.route()` for a page that is open: a request that a key provokes right after `page.route()`
 * may still get past it, as the page learns of the first route of its own a moment later. Here a
 * request of the page proves that it has.
 */
export async function intercept(page: Page, ...route: Parameters<Page["route"]>): Promise<void> {
  await page.route(...route);
  const probe = /\/health\?is-intercepted$/;
  const intercepted = 299;
  await page.route(probe, (request) => request.fulfill({ status: intercepted }));
  await page.evaluate(async (intercepted) => {
    while ((await fetch("/health?is-intercepted")).status !== intercepted);
  }, intercepted);
  await page.unroute(probe);
}
