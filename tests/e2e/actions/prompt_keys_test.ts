import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { islandsAwake } from "../../support/browser/awake.ts";
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
  "keys pressed while the first prompt loads go to its field, not to the page below it",
  { tree: { "a.txt": "a", "b.txt": "b", docs: {} } },
  async ({ page, address }) => {
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await isChosen(page, "a.txt");
    const release = await withholdCode(page);
    await pressAtOnce(page, "F2", "b", "Enter", "Delete", "ArrowUp");
    release();
    const renaming = prompt(page, "Rename “a.txt”");
    await renaming.getByText("“b.txt” already exists").waitFor();
    assert.equal(await renaming.getByLabel("Name").inputValue(), "b.txt");
    assert.deepEqual(await findBarriers(page), []);
    await close(page);
    await isChosen(page, "a.txt");
    assert.equal(new URL(page.url()).pathname, address);
  },
);

test(
  "Enter submits what was typed while a prompt loads",
  { tree: { "a.txt": "a" } },
  async ({ page, folder }) => {
    const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await isChosen(page, "a.txt");
    const release = await withholdCode(page);
    await pressAtOnce(page, "F2", "N", "o", "Space", "1", "Backspace", "2", "Enter", "x");
    release();
    await isChosen(page, "No 2.txt");
    assert.deepEqual(names(), ["No 2.txt"]);
    assert.equal(await page.getByRole("dialog").count(), 0);
  },
);

test(
  "what is typed for a prompt arrives although only the code of its action has to load",
  {},
  async ({ page }) => {
    await page.getByText("It feels lonely here…").waitFor();
    await page.keyboard.press("F1");
    await prompt(page, "Keyboard shortcuts").waitFor();
    await close(page);
    const release = await withholdCode(page);
    await page.getByRole("button", { name: "New folder" }).first().focus();
    await pressAtOnce(page, "Enter", "d", "o", "c", "s");
    release();
    await prompt(page, "New folder").waitFor();
    await pressAtOnce(page, "!", "Enter");
    await isChosen(page, "docs!");
  },
);

test(
  "what is pasted while the first prompt loads goes to its field, and cut entries stay",
  { tree: { "a.txt": "a", docs: {} } },
  async ({ page, address }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await isChosen(page, "a.txt");
    await page.keyboard.press("ControlOrMeta+x");
    await eventually(() =>
      page.evaluate(async () => {
        return await navigator.clipboard.readText() === "a.txt";
      })
    );
    await page.goto(`${address}docs/`);
    await page.getByText("It feels lonely here…").waitFor();
    await islandsAwake(page);
    const release = await withholdCode(page);
    await page.getByRole("button", { name: "New folder" }).first().focus();
    await pressAtOnce(page, "Enter", "m", "y", "Space");
    await page.keyboard.press("ControlOrMeta+v");
    await page.keyboard.press("Enter");
    release();
    await isChosen(page, "my a.txt");
    assert.equal(await entry(page, "a.txt").count(), 0);
  },
);

for (const key of ["ArrowRight", "Dead", "Process", "ControlOrMeta+a"]) {
  test(
    `what is typed after ${key} while a prompt loads is left out, as nothing tells where it goes`,
    { tree: { "a.txt": "a" } },
    async ({ page }) => {
      await listingAwake(page);
      await entry(page, "a.txt").click();
      await isChosen(page, "a.txt");
      const release = await withholdCode(page);
      await pressAtOnce(page, "F2", "b");
      if (key.length > 4 && key !== "Process") await page.keyboard.press(key);
      else {
        await page.evaluate((key) => {
          const press = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
          document.activeElement?.dispatchEvent(press);
        }, key);
      }
      await pressAtOnce(page, "c", "Enter");
      release();
      const renaming = prompt(page, "Rename “a.txt”");
      await renaming.waitFor();
      assert.equal(await renaming.getByLabel("Name").inputValue(), "b.txt");
      await close(page);
      await isChosen(page, "a.txt");
    },
  );
}

test(
  "what is typed while the search loads is searched for",
  { tree: { "a.txt": "a", "notes.txt": "" } },
  async ({ page, address }) => {
    await listingAwake(page);
    const release = await withholdCode(page);
    await page.keyboard.press("ControlOrMeta+f");
    await pressAtOnce(page, "n", "o", "t", "e", "s");
    release();
    const search = prompt(page, "Search");
    await search.getByText("notes.txt").first().waitFor();
    assert.equal(await search.getByRole("combobox", { name: "Search" }).inputValue(), "notes");
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
    await pressAtOnce(page, "F2", "c", "Enter", "Escape", "F1", "Escape");
    await page.keyboard.press("ControlOrMeta+f");
    const saved = page.waitForEvent("download");
    await pressAtOnce(page, "d", "Escape", "ControlOrMeta+s");
    release();
    // No page below a prompt gets a key.
    await saved;
    assert.equal(await page.getByRole("dialog").count(), 0);
    await entry(page, "a.txt").waitFor();
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
        // No page below a prompt gets a key.
        const saved = page.waitForEvent("download");
        await page.keyboard.press("ControlOrMeta+s");
        await saved;
        assert.equal(await page.getByRole("dialog").count(), 0);
      }
    },
  );
}

/** Has the page get a key in the moment in which it shows a text, before anything else happens. */
const pressWhenShown = (page: Page, text: string, key: { key: string; ctrlKey?: boolean }) =>
  page.evaluate(({ text, key }) => {
    const observer = new MutationObserver(() => {
      if (!document.body.innerText.includes(text)) return;
      observer.disconnect();
      document.body.dataset.pressed = "true";
      const target = document.activeElement ?? document.body;
      target.dispatchEvent(
        new KeyboardEvent("keydown", { ...key, bubbles: true, cancelable: true }),
      );
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  }, { text, key });

for (
  const [key, title, event] of [
    ["F1", "Keyboard shortcuts", { key: "F1" }],
    ["ControlOrMeta+f", "Search", { key: "f", ctrlKey: true }],
  ] as const
) {
  test(
    `what can't be loaded opens in the moment in which that is said, by ${key}`,
    { tree: { "a.txt": "a" }, expected: [0] },
    async ({ page }) => {
      await listingAwake(page);
      await pressWhenShown(page, "The server can’t be reached.", event);
      await intercept(page, SCRIPTS, async (route) => {
        const isPressed = await page.evaluate(() => document.body.dataset.pressed === "true");
        return await (isPressed ? route.continue() : route.abort());
      });
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
