import assert from "node:assert/strict";
import { scriptBytes } from "../../support/browser/scripts.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

test("the files load less than 90 KB of scripts before a click", {}, async ({ page, address }) => {
  // A new page, as the sign-in has filled the browser's cache.
  const session = await page.context().newCDPSession(page);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const bytes = await scriptBytes(page, () => page.goto(address));
  assert.ok(bytes > 5_000, `only ${bytes} bytes: the page has no scripts`);
  assert.ok(bytes < 90 * 1024, `${bytes} bytes`);
});
