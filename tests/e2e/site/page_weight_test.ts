import assert from "node:assert/strict";
import { scriptBytes } from "../../support/browser/scripts.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

/** Most bytes, besides the runtime of the framework: 4 KiB here, 9 KiB with the published Fresh. */
const maxBytes = 87 * 1024;

const test = browserTests({ workerCounts: [1] });

test(
  "the files load less than 87 KB of scripts of their own before a click",
  {},
  async ({ page, address }) => {
    // A new page, as the sign-in has filled the browser's cache.
    const session = await page.context().newCDPSession(page);
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    const bytes = await scriptBytes(page, () => page.goto(address));
    assert.ok(bytes > 5_000, `only ${bytes} bytes: the page has no scripts`);
    assert.ok(bytes < maxBytes, `${bytes} bytes`);
  },
);
