import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, isChosen, listingAwake } from "../../support/browser/listing.ts";
import { prompt } from "../../support/browser/prompts.ts";
import { SCRIPTS, withholdCode } from "../../support/browser/scripts.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

/** Presses keys one after the other, without waiting for what each of them does. */
const pressAtOnce = (page: Page, ...keys: string[]) =>
  Promise.all(keys.map((key) => page.keyboard.press(key)));

const close = async (page: Page) => {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
};

test(
  "keys pressed at once after the one that opens a prompt go to the prompt",
  { tree: { "a.txt": "a", "b.txt": "b" } },
  async ({ page, folder, address }) => {
    const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await page.keyboard.press("F2");
    await prompt(page, "Rename “a.txt”").waitFor();
    await close(page);
    await isChosen(page, "a.txt");

    await pressAtOnce(page, "F2", "c", "Enter");
    await isChosen(page, "c.txt");
    assert.deepEqual(names(), ["b.txt", "c.txt"]);
    await pressAtOnce(page, "Delete", "Enter");
    await entry(page, "c.txt").waitFor({ state: "detached" });
    assert.deepEqual(names(), ["b.txt"]);
    assert.equal(new URL(page.url()).pathname, address);
  },
);

test(
  "keys pressed while the first prompt loads do not reach the page below it",
  { tree: { "a.txt": "a", "b.txt": "b", docs: {} } },
  async ({ page, address }) => {
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await isChosen(page, "a.txt");
    const release = await withholdCode(page);
    await pressAtOnce(page, "F2", "b", "Enter", "Delete", "ArrowUp");
    release();
    const renaming = prompt(page, "Rename “a.txt”");
    await renaming.waitFor();
    assert.equal(await renaming.getByLabel("Name").inputValue(), "a.txt");
    assert.deepEqual(await findBarriers(page), []);
    await close(page);
    await isChosen(page, "a.txt");
    assert.equal(new URL(page.url()).pathname, address);
  },
);

test(
  "Escape closes a prompt that has not loaded yet",
  { tree: { "a.txt": "a" } },
  async ({ page }) => {
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await isChosen(page, "a.txt");
    const release = await withholdCode(page);
    await pressAtOnce(page, "F2", "Escape", "F1", "Escape");
    await page.keyboard.press("ControlOrMeta+f");
    await pressAtOnce(page, "Escape", "ControlOrMeta+s");
    release();
    // Of two prompts this one would be the second.
    await prompt(page, /^Download “/).waitFor();
    await close(page);
  },
);

for (const [device, opener] of [["desktop", "Search"], ["phone", "Open menu"]] as const) {
  test(
    `keys pressed while “${opener}” opens do not reach the page below it`,
    { device, tree: { "a.txt": "a" } },
    async ({ page }) => {
      await listingAwake(page);
      const release = await withholdCode(page);
      await page.getByRole("button", { name: opener, exact: true }).focus();
      for (const _ of ["while it loads", "once it is loaded"]) {
        await pressAtOnce(page, "Enter", "F1");
        release();
        await page.locator("dialog:modal").waitFor();
        await close(page);
        // Of two prompts this one would be the second.
        await page.keyboard.press("ControlOrMeta+s");
        await prompt(page, /^Download “/).waitFor();
        await close(page);
      }
    },
  );
}

for (
  const [key, title] of [["F1", "Keyboard shortcuts"], ["ControlOrMeta+f", "Search"]] as const
) {
  test(
    `what can't be loaded opens at the next ${key}`,
    { tree: { "a.txt": "a" }, expected: [0] },
    async ({ page }) => {
      await listingAwake(page);
      await intercept(page, SCRIPTS, (route) => route.abort());
      await page.keyboard.press(key);
      await page.getByText("The server can’t be reached.").waitFor();
      await page.unroute(SCRIPTS);
      await page.keyboard.press(key);
      await prompt(page, title).waitFor();
      await close(page);
    },
  );
}

test(
  "the focus is back when a prompt closes; a second press of what closed it is ignored",
  { tree: { "a.txt": "a" } },
  async ({ page }) => {
    await listingAwake(page);
    const opener = page.getByRole("button", { name: "Recent actions" }).first();
    const opened = prompt(page, "Recent actions");
    const isBack = () => opener.evaluate((button) => button === document.activeElement);
    await opener.press("Enter");
    await opened.evaluate((dialog) => dialog.dataset.was = "first");
    await pressAtOnce(page, "Escape", "Enter");
    await page.locator("dialog:modal:not([data-was])").waitFor();
    await opened.getByRole("button", { name: "Close" }).and(page.locator(":focus")).waitFor();

    await pressAtOnce(page, "Enter", "Enter");
    await opened.waitFor({ state: "detached" });
    await eventually(isBack);
    // Of two prompts this one would be the second.
    await page.keyboard.press("F1");
    await prompt(page, "Keyboard shortcuts").waitFor();
    await close(page);
    await eventually(isBack);
    await page.keyboard.press("Enter");
    await opened.waitFor();
    await page.keyboard.press("Enter");
    await opened.waitFor({ state: "detached" });
    // Of a person who went to another control it is no second press.
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await opened.waitFor();
  },
);
