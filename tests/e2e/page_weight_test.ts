import assert from "node:assert/strict";
import { scriptBytes } from "../support/browser/scripts.ts";
import { setStage } from "../support/browser/stage.ts";

const play = setStage({ workerCounts: [1] });

play("the files load less than 75 KB of scripts before a click", {}, async ({ page, address }) => {
  // A new page, as the sign-in has filled the browser's cache.
  const session = await page.context().newCDPSession(page);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const bytes = await scriptBytes(page, () => page.goto(address));
  assert.ok(bytes > 5_000, `only ${bytes} bytes: the page has no scripts`);
  assert.ok(bytes < 75 * 1024, `${bytes} bytes`);
});
