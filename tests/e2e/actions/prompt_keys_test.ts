import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, isChosen, listingAwake } from "../../support/browser/listing.ts";
import { prompt } from "../../support/browser/prompts.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

const SCRIPTS = "**/_fresh/js/**";

/** Presses keys one after the other, without waiting for what each of them does. */
const pressAtOnce = (page: Page, ...keys: string[]) =>
  Promise.all(keys.map((key) => page.keyboard.press(key)));

/** Holds back the code that the page loads from now on; returns what lets it come. */
async function withholdCode(page: Page): Promise<() => void> {
  const { promise: awaited, resolve } = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    await awaited;
    await route.continue();
  });
  return resolve;
}

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
    const release = await withholdCode(page);
    await pressAtOnce(page, "F1", "Escape", "ControlOrMeta+s");
    release();
    await prompt(page, /^Download “/).waitFor();
    await close(page);
  },
);

test(
  "a prompt whose code can't be loaded is asked for again",
  { tree: { "a.txt": "a" }, expected: [0] },
  async ({ page }) => {
    await listingAwake(page);
    await page.route(SCRIPTS, (route) => route.abort());
    await page.keyboard.press("F1");
    await page.getByText("The server can’t be reached.").waitFor();
    await page.unroute(SCRIPTS);
    await page.keyboard.press("F1");
    await prompt(page, "Keyboard shortcuts").waitFor();
    await close(page);
  },
);

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
