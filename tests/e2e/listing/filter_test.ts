import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { plantMany } from "../../support/disks/files.ts";
import { entry, eventually, listingAwake, namesShown } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { withholdCode } from "../../support/browser/scripts.ts";

const test = browserTests({
  workerCounts: [1],
  prepare(root) {
    Deno.mkdirSync(join(root, "filtered"));
    plantMany(join(root, "filtered"), 5_000);
  },
});

const field = (page: Page) => page.getByRole("textbox", { name: "Filter this folder" });

async function openByKey(page: Page): Promise<void> {
  await listingAwake(page);
  await eventually(async () => {
    await page.keyboard.press("/");
    return await field(page).isVisible();
  });
  await page.locator("input:focus").waitFor();
}

const shows = (page: Page, ...names: string[]) =>
  eventually(async () => (await namesShown(page)).join() === names.join());

test(
  "a folder is filtered by the keyboard alone while one types, and whole again by Esc",
  { tree: { "sea.txt": "", "my sea.txt": "", "stone.txt": "", "seas": {} } },
  async ({ page, address }) => {
    await openByKey(page);
    await page.keyboard.type("SEA");
    await shows(page, "seas", "my sea.txt", "sea.txt");
    await page.keyboard.type(" my");
    await shows(page, "my sea.txt");
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.type(" none");
    await page.getByRole("heading", { name: "No results" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await field(page).fill("seas");
    await shows(page, "seas");
    await page.keyboard.press("ArrowDown");
    await page.locator("*:focus", { hasText: "seas" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${address}seas/`);
    await page.getByText("It feels lonely here…").waitFor();
    assert.equal(await field(page).count(), 0, "another folder begins whole");
    await page.goBack();
    await shows(page, "seas", "my sea.txt", "sea.txt", "stone.txt");

    await openByKey(page);
    await page.keyboard.type("stone");
    await shows(page, "stone.txt");
    await page.keyboard.press("Escape");
    await shows(page, "seas", "my sea.txt", "sea.txt", "stone.txt");
    assert.equal(await field(page).count(), 0);
  },
);

test(
  "letters that are typed while the field is on its way are its text",
  { tree: { "sea.txt": "", "stone.txt": "" } },
  async ({ page }) => {
    await listingAwake(page);
    const allow = await withholdCode(page);
    await page.keyboard.press("/");
    await page.keyboard.type("ston");
    allow();
    await page.locator("input:focus").waitFor();
    await page.keyboard.type("e");
    assert.equal(await field(page).inputValue(), "stone");
    await shows(page, "stone.txt");
  },
);

test("what is not loaded of a large folder is filtered, too", {}, async ({ page }) => {
  await page.goto("/files/filtered/");
  await openByKey(page);
  await page.keyboard.type("4321");
  await eventually(async () => (await namesShown(page)).length === 1);
  await page.getByText("1 file", { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("*:focus", { hasText: "4321" }).waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.getByText("1 selected").waitFor();
  await page.getByRole("button", { name: "End filter" }).click();
  await page.getByText("5,000 files").waitFor();
});

test(
  "on a phone the menu of the folder has the filter",
  { device: "phone", tree: { "sea.txt": "", "stone.txt": "" } },
  async ({ page }) => {
    await listingAwake(page);
    await page.getByRole("button", { name: "More actions" }).tap();
    await page.getByRole("menuitem", { name: "Filter" }).tap();
    await field(page).fill("sto");
    await shows(page, "stone.txt");
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "End filter" }).tap();
    await entry(page, "sea.txt").waitFor();
  },
);
