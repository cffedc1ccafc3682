import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";

/**
 * The bytes of JavaScript, gzip'ed, that the browser fetches from now on until the network rests;
 * `go` leads to the page. A file counts once.
 */
export async function scriptBytes(page: Page, go: () => Promise<unknown>): Promise<number> {
  const sizes = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    const type = response.headers()["content-type"] ?? "";
    if (!type.includes("javascript") || response.status() !== 200) return;
    sizes.set(response.url(), response.body().then((body) => gzipSync(body).length));
  });
  await go();
  await page.waitForLoadState("networkidle");
  return (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
}
