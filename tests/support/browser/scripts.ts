import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { intercept } from "./intercept.ts";
import { eventually } from "./listing.ts";

/** The addresses of the code of pages. */
export const SCRIPTS = "**/_fresh/js/**";

/** Withholds the code that the page loads from now on; returns what lets it come. */
export async function withholdCode(page: Page): Promise<() => void> {
  const { promise: awaited, resolve } = Promise.withResolvers<void>();
  await intercept(page, SCRIPTS, async (route) => {
    await awaited;
    await route.continue();
  });
  return resolve;
}

/** How long nothing is fetched before the page has what it wants, in milliseconds. */
const restMs = 500;

/**
 * The bytes of JavaScript, gzip'ed, that the browser fetches from now on until it wants no more;
 * `go` leads to the page. A file counts once, the runtime of the framework not at all. The
 * connection by which a folder stays fresh goes on.
 */
export async function scriptBytes(page: Page, go: () => Promise<unknown>): Promise<number> {
  const sizes = new Map<string, Promise<number>>();
  let latest = Date.now();
  page.on("request", () => latest = Date.now());
  page.on("response", (response) => {
    const type = response.headers()["content-type"] ?? "";
    if (!type.includes("javascript") || response.status() !== 200) return;
    if (response.url().endsWith("/fresh-runtime.js")) return;
    // What the former page still fetched when it was left has no body.
    const size = response.body().then((body) => gzipSync(body).length, () => 0);
    sizes.set(response.url(), size);
  });
  await go();
  await page.waitForLoadState("load");
  await eventually(() => Date.now() - latest > restMs);
  return (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
}
