import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { entry, listingAwake, rowOf } from "../support/browser/listing.ts";
import { setStage } from "../support/browser/stage.ts";
import { press } from "../support/browser/touch.ts";

const play = setStage({ workerCounts: [1] });
const tree = { docs: {}, "a report of the year.txt": "a", "b.txt": "b" };

/** Sets the font size in the settings of the browser, in pixels; 16 is usual. */
async function setFontSize(page: Page, standard: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });
  await page.waitForFunction(
    (size) => getComputedStyle(document.documentElement).fontSize === `${size}px`,
    standard,
  );
}

/** The buttons and links that the window does not show in their whole width. */
async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll("button, a[href], [role=columnheader]")].flatMap((control) => {
      const { left, right } = control.getBoundingClientRect();
      if (!control.checkVisibility() || left >= 0 && right <= innerWidth) return [];
      return [`${control.getAttribute("aria-label") ?? control.textContent}: ${left} to ${right}`];
    })
  );
}

async function namesAreWide(page: Page, least: number): Promise<void> {
  const box = await entry(page, "a report of the year.txt").boundingBox();
  assert.ok(box && box.width >= least, `the name is ${box?.width} pixels wide`);
}

for (const size of [24, 32]) {
  play(`with a font of ${size} pixels names and buttons are in sight`, { tree }, async (scene) => {
    const { page } = scene;
    await listingAwake(page);
    await setFontSize(page, size);
    await namesAreWide(page, 200);
    assert.deepEqual(await cutOff(page), []);
    await entry(page, "b.txt").click();
    await page.getByText("1 selected").waitFor();
    assert.deepEqual(await cutOff(page), []);
  });

  play(
    `with a font of ${size} pixels a phone shows names and buttons`,
    { tree, device: "phone" },
    async ({ page }) => {
      await listingAwake(page);
      await setFontSize(page, size);
      await namesAreWide(page, 100);
      assert.deepEqual(await cutOff(page), []);
      await page.getByRole("button", { name: "Actions for b.txt" }).tap();
      await page.getByRole("menuitem", { name: "Rename" }).waitFor();
      assert.deepEqual(await cutOff(page), []);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await press(page, rowOf(page, "b.txt"));
      await page.getByText("1 selected").waitFor();
      assert.deepEqual(await cutOff(page), []);
    },
  );
}
