import assert from "node:assert/strict";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, isChosen, listingAwake, rowOf } from "../../support/browser/listing.ts";
import { hearNews } from "../../support/browser/news.ts";
import { prompt } from "../../support/browser/prompts.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ alone: true, workerCounts: [1] });

const exists = (path: string) => Deno.lstat(path).then(() => true, () => false);

const favorites = (page: Page) => page.getByRole("region", { name: "Favorites" });

/** Drags an entry, once the page takes drags. */
async function drag(page: Page, name: string, target: Locator): Promise<void> {
  const press = { pointerType: "mouse", button: 0, bubbles: true };
  await eventually(async () => {
    await entry(page, name).dispatchEvent("pointerdown", press);
    return await rowOf(page, name).getAttribute("draggable") === "true";
  });
  await entry(page, name).dragTo(target);
}

test(
  "the tree of folders opens to where one is, by keys, takes entries, and stays open",
  { tree: { a: { deep: { deeper: {} } }, b: {}, "x.txt": "x", "#%?日本 `": {} } },
  async ({ page, folder, address }) => {
    await listingAwake(page);
    const fixture = address.split("/")[2] ?? "";
    await page.getByRole("button", { name: "Folders", exact: true }).click();
    const tree = page.getByRole("tree", { name: "Folders" });
    const item = (name: string) => tree.getByRole("treeitem", { name, exact: true });
    await item(fixture).waitFor();
    assert.equal(await item(fixture).getAttribute("aria-current"), "page");
    await item(fixture).focus();
    await page.keyboard.press("ArrowRight");
    await item("a").waitFor();
    await page.keyboard.press("ArrowRight");
    await eventually(() => item("#%?日本 `").evaluate((one) => one === document.activeElement));
    await page.keyboard.press("a");
    await eventually(() => item("a").evaluate((one) => one === document.activeElement));
    await page.keyboard.press("ArrowRight");
    await item("deep").waitFor();
    assert.deepEqual(await findBarriers(page), []);

    await drag(page, "x.txt", item("deep"));
    await entry(page, "x.txt").waitFor({ state: "detached" });
    await eventually(() => exists(join(folder, "a/deep/x.txt")));

    await item("b").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
    await item("b").waitFor({ state: "detached" });
    assert.ok(!await exists(join(folder, "b")));

    // The closed dialog may still give the focus back to where it was.
    await eventually(async () => {
      await item("a").press("Enter");
      return /\/a\/$/.test(page.url());
    });
    await eventually(async () => await item("a").getAttribute("aria-current") === "page");
    await Deno.mkdir(join(folder, "a/made outside"));
    await item("made outside").waitFor();
    await page.reload();
    await item("deep").waitFor();
    await page.getByRole("button", { name: "Folders", exact: true }).click();
    await tree.waitFor({ state: "detached" });
  },
);

test(
  "the tree has a folder that was made while its parent was opened",
  { tree: { a: { deep: {} } } },
  async ({ page, folder, address }) => {
    await listingAwake(page);
    await page.getByRole("button", { name: "Folders", exact: true }).click();
    const tree = page.getByRole("tree", { name: "Folders" });
    const item = (name: string) => tree.getByRole("treeitem", { name, exact: true });
    await item(address.split("/")[2] ?? "").focus();
    await page.keyboard.press("ArrowRight");
    await item("a").focus();
    await page.keyboard.press("a");
    await page.keyboard.press("ArrowRight");
    await item("deep").waitFor();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/api\/resources\/.*\/a\/?(\?|$)/, async (route) => {
      await promise;
      await route.continue();
    });
    await item("a").press("Enter");
    await eventually(async () => await item("a").getAttribute("aria-current") === "page");
    await Deno.mkdir(join(folder, "a/made meanwhile"));
    resolve();
    await item("made meanwhile").waitFor();
    await page.unrouteAll();
  },
);

const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`folder ${index}`, {}]));

test(
  "an open tree scrolls by itself: every place and action is on the screen, once",
  { tree: many },
  async ({ page, address }) => {
    await listingAwake(page);
    await page.getByRole("button", { name: "Folders", exact: true }).click();
    const tree = page.getByRole("tree", { name: "Folders" });
    const fixture = address.split("/")[2] ?? "";
    await tree.getByRole("treeitem", { name: fixture, exact: true }).focus();
    await page.keyboard.press("ArrowRight");
    await tree.getByRole("treeitem", { name: "folder 39", exact: true }).waitFor();
    const sidebar = page.getByRole("complementary");
    for (const name of ["My files", "Recent", "Shared by me", "Trash", "Settings"]) {
      const link = page.getByRole("link", { name, exact: true }).and(page.locator(".sidebar *"));
      const box = await link.boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= 800, `${name}: ${box?.y}`);
    }
    for (const name of ["New folder", "New file", "Recent actions"]) {
      assert.equal(await page.getByRole("button", { name, exact: true }).count(), 1, name);
      assert.equal(await sidebar.getByRole("button", { name, exact: true }).count(), 1, name);
    }
    // Keys scroll the tree, and nothing else.
    await page.keyboard.press("End");
    await eventually(() =>
      tree.getByRole("treeitem", { name: "folder 39", exact: true })
        .evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight)
    );
    const trash = await page.locator(".sidebar").getByRole("link", { name: "Trash" }).boundingBox();
    assert.ok(trash && trash.y < 800);
    await page.getByRole("button", { name: "Folders", exact: true }).click();
    await tree.waitFor({ state: "detached" });
  },
);

test(
  "a favourite is starred by key, menu and drag, put in order, follows its entry, and is removed",
  { tree: { docs: { "in.txt": "in" }, "a.txt": "a", "b.txt": "b" } },
  async ({ page }) => {
    await listingAwake(page);
    const isTold = await hearNews(page);
    await entry(page, "a.txt").click();
    await page.keyboard.press("*");
    const links = favorites(page).getByRole("link");
    const namesAre = (names: string) =>
      eventually(async () => (await links.allTextContents()).join() === names);
    await namesAre("a.txt");
    await isTold("Added to favorites");
    await entry(page, "docs").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Add to favorites" }).click();
    await namesAre("a.txt,docs");
    await drag(page, "b.txt", favorites(page).getByRole("heading"));
    await namesAre("a.txt,docs,b.txt");

    await favorites(page).getByRole("button", { name: "Actions for b.txt" }).click();
    await page.getByRole("menuitem", { name: "Move up" }).click();
    await namesAre("a.txt,b.txt,docs");
    await links.last().dragTo(links.first(), { targetPosition: { x: 20, y: 2 } });
    await namesAre("docs,a.txt,b.txt");

    await entry(page, "a.txt").click();
    await page.keyboard.press("F2");
    await prompt(page, "Rename “a.txt”").waitFor();
    await page.keyboard.type("renamed");
    await page.keyboard.press("Enter");
    await namesAre("docs,renamed.txt,b.txt");
    await isChosen(page, "renamed.txt");
    await entry(page, "b.txt").click();
    await page.keyboard.press("*");
    await namesAre("docs,renamed.txt");
    await links.first().click();
    await page.waitForURL(/\/docs\/$/);
    await entry(page, "in.txt").waitFor();
    const current = page.getByRole("navigation", { name: "Main navigation" })
      .locator("[aria-current]:not([aria-current=false])");
    assert.deepEqual(await current.allTextContents(), ["docs"]);
    for (const name of ["docs", "renamed.txt"]) {
      await favorites(page).getByRole("button", { name: `Actions for ${name}` }).click();
      await page.getByRole("menuitem", { name: "Remove from favorites" }).click();
      await links.filter({ hasText: name }).waitFor({ state: "detached" });
    }
  },
);

test(
  "a file that was opened is found among the recent ones, with its folder, and on phones",
  { tree: { docs: { "one.txt": "1", "two.txt": "2" } }, device: "phone" },
  async ({ page, address }) => {
    const noted = page.waitForResponse((answer) => answer.url().includes("/api/recent/"));
    await page.goto(`${address}docs/two.txt`);
    assert.equal((await noted).status(), 200);
    await page.goto("/recent");
    await page.getByRole("link", { name: "two.txt" }).first().waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("row").getByText("Opened just now").waitFor();
    await page.getByRole("row").getByText(/^Today/).waitFor();
    await page.getByRole("row").getByRole("link", { name: "docs" }).tap();
    await page.waitForURL(/docs\/\?show=two\.txt$/);
    await rowOf(page, "two.txt").waitFor();
    await eventually(async () =>
      await rowOf(page, "two.txt").getAttribute("aria-selected") === "true"
    );
    await page.goto("/recent");
    await page.getByRole("button", { name: "Clear list" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).tap();
    await page.getByText("Nothing here yet").waitFor();
  },
);

test(
  "a theme and a language of one's own are kept, and shown from the first paint",
  { tree: { "a.txt": "a" } },
  async ({ page, address }) => {
    await listingAwake(page);
    await page.getByRole("button", { name: /^Account:/ }).click();
    const panel = page.getByRole("dialog", { name: /^Account:/ });
    await panel.waitFor();
    assert.deepEqual(await findBarriers(page), []);
    const saved = page.waitForResponse((answer) => answer.url().includes("/api/users/"));
    await panel.getByText("Dark").click();
    assert.equal((await saved).status(), 200);
    const root = page.locator("html");
    assert.equal(await root.getAttribute("data-theme"), "dark");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    const first = await (await page.request.get(address)).text();
    assert.match(first, /<html[^>]* data-theme="dark"/);

    await page.getByRole("button", { name: /^Account:/ }).click();
    await panel.getByLabel("Language").selectOption("de");
    await page.getByRole("link", { name: "Zuletzt verwendet" }).waitFor();
    assert.equal(await root.getAttribute("lang"), "de");
    await listingAwake(page);
    await page.getByRole("button", { name: /^Konto:/ }).click();
    await page.getByLabel("Sprache").selectOption("en");
    await page.getByRole("link", { name: "Recent", exact: true }).waitFor();
    await listingAwake(page);
    await page.getByRole("button", { name: /^Account:/ }).click();
    await panel.getByText("Device").click();
    await eventually(async () => await root.getAttribute("data-theme") === null);
  },
);

test(
  "a new server's first steps tick themselves off, and go for good",
  {},
  async ({ page, server }) => {
    await page.goto("/files/");
    const steps = page.getByRole("region", { name: "Getting started" });
    await steps.getByRole("link", { name: /Add a user/ }).waitFor();
    // The folder of the test is there.
    await steps.getByText(/^\d of \d left$/).waitFor();
    const check = steps.getByRole("link", { name: "Check the server" });
    assert.match(await check.getAttribute("href") ?? "", /\/settings\/check$/);
    assert.equal(await steps.getByRole("button", { name: /Upload/ }).count(), 0);
    assert.deepEqual(await findBarriers(page), []);
    await steps.getByRole("button", { name: "Hide these steps" }).click();
    await steps.waitFor({ state: "detached" });
    await page.goto(`${server.url}/files/`);
    await listingAwake(page);
    assert.equal(await steps.count(), 0);
  },
);
