import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import {
  entry,
  eventually,
  isChosen,
  listingAwake,
  rowOf,
  rows,
} from "../../support/browser/listing.ts";
import { withholdCode } from "../../support/browser/scripts.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });
const tree = { docs: {}, "a.txt": "a", "b.txt": "b", "c.txt": "c" };

async function itemsOf(page: Page): Promise<string> {
  await page.getByRole("menu").waitFor();
  return (await page.getByRole("menuitem").allTextContents()).join(", ");
}

async function isInWindow(page: Page): Promise<void> {
  const box = await page.getByRole("menu").boundingBox();
  const size = page.viewportSize();
  assert.ok(box && size);
  assert.ok(box.x >= 0 && box.x + box.width <= size.width, JSON.stringify(box));
  assert.ok(box.y >= 0 && box.y + box.height <= size.height, JSON.stringify(box));
}

test("a right click selects an entry and offers what can be done", { tree }, async ({ page }) => {
  await listingAwake(page);
  await entry(page, "a.txt").click();
  await entry(page, "b.txt").click({ button: "right" });
  assert.equal(
    await itemsOf(page),
    "Open, Download, Share, Rename, Move to…, Copy to…, Compress…, Add to favorites, Details, Delete",
  );
  await page.getByText("1 selected").waitFor();
  assert.equal(await rowOf(page, "b.txt").getAttribute("aria-selected"), "true");
  await isInWindow(page);
  assert.deepEqual(await findBarriers(page), []);
  assert.equal(await page.getByRole("main").getByRole("menu").count(), 1, "outside any landmark");
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });

  await page.keyboard.press("ControlOrMeta+a");
  await entry(page, "b.txt").click({ button: "right" });
  assert.equal(
    await itemsOf(page),
    "Download, Other formats…, Rename…, Move to…, Copy to…, Compress…, Add to favorites, Details, Delete",
  );
  await page.getByRole("status").filter({ hasText: "4 selected" }).waitFor();
  await page.keyboard.press("Escape");
});

test("beside the entries the menu is the folder's", { tree }, async ({ page, folder }) => {
  await listingAwake(page);
  await entry(page, "a.txt").click();
  await page.mouse.click(1200, 760, { button: "right" });
  assert.equal(
    await itemsOf(page),
    "New folder, New file, Request files, Download, Other formats…, Details, Print, Select all, " +
      "Filter this folder, Select items, View options, Keyboard shortcuts",
  );
  assert.equal(await rows(page).and(page.locator("[aria-selected=true]")).count(), 0);
  await isInWindow(page);
  await page.getByRole("menuitem", { name: "New folder" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("from the menu");
  await page.keyboard.press("Enter");
  await entry(page, "from the menu").waitFor();
  assert.ok((await Deno.stat(join(folder, "from the menu"))).isDirectory);
});

for (const key of ["Shift+F10", "ContextMenu"]) {
  test(`the menu is worked with the keyboard alone (${key})`, { tree }, async (fixture) => {
    const { page, folder } = fixture;
    await listingAwake(page);
    await page.keyboard.press("End");
    await page.locator("*:focus", { hasText: "c.txt" }).waitFor();
    await page.keyboard.press(key);
    await page.getByRole("menu").waitFor();
    await page.locator("[role=menuitem]:focus", { hasText: "Open" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.locator("a:focus", { hasText: "c.txt" }).waitFor();

    await page.keyboard.press(key);
    await page.locator("[role=menuitem]:focus", { hasText: "Open" }).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.locator("[role=menuitem]:focus", { hasText: "Delete" }).waitFor();
    for (const name of ["Download", "Details", "Delete"]) {
      await page.keyboard.press("d");
      await page.locator("[role=menuitem]:focus", { hasText: name }).waitFor();
    }
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Delete “c.txt”?" }).waitFor();
    await page.keyboard.press("Enter");
    await entry(page, "c.txt").waitFor({ state: "detached" });
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
      "a.txt",
      "b.txt",
      "docs",
    ]);
  });
}

test(
  "a button pressed before the page is awake acts when it is: its menu is near it, Escape closes it",
  { tree },
  async ({ page, address }) => {
    const wake = await withholdCode(page);
    await page.goto(address, { waitUntil: "commit" });
    const opener = page.getByRole("button", { name: "New", exact: true });
    await page.getByRole("button", { name: "More actions" }).click({ noWaitAfter: true });
    await opener.click({ noWaitAfter: true });
    wake();
    const menu = page.locator(".menu:popover-open");
    await menu.getByRole("menuitem", { name: "Upload folder" }).waitFor();
    const [list, button] = [await menu.boundingBox(), await opener.boundingBox()];
    assert.ok(list && button);
    assert.ok(Math.abs(list.x + list.width - button.x - button.width) < 16, JSON.stringify(list));
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Details", exact: true }).click();
    await page.getByRole("complementary", { name: "Details" }).waitFor();
  },
);

test("what is selected has one bar of actions, and the header none", { tree }, async ({ page }) => {
  const bar = page.getByRole("group", { name: "Actions for the selection" });
  const words = async () => (await bar.getByRole("button").allInnerTexts()).join(" ").trim();
  await listingAwake(page);
  const head = await page.getByRole("banner").innerText();
  await entry(page, "a.txt").click();
  await page.getByText("1 selected · 1 byte").waitFor();
  assert.equal(await words(), "Download Share Move Copy Delete More");
  const rowsAt = await rowOf(page, "a.txt").boundingBox();
  await entry(page, "b.txt").click({ modifiers: ["ControlOrMeta"] });
  await page.getByText("2 selected").waitFor();
  assert.equal(await words(), "Download Move Copy Delete More");
  assert.equal(await page.getByRole("banner").innerText(), head);
  await bar.getByRole("button", { name: "More" }).click();
  assert.match(await itemsOf(page), /Compress….*Details/);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  assert.deepEqual(await findBarriers(page), []);

  // Without room for words the icons keep their names.
  await page.setViewportSize({ width: 820, height: 800 });
  await eventually(async () => ((await bar.boundingBox())?.width ?? Infinity) < 200);
  await bar.getByRole("button", { name: "Move", exact: true }).click();
  await page.getByRole("dialog", { name: "Move 2 items" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Clear selection" }).click();
  await page.getByText("1 folder, 3 files").waitFor();
  assert.deepEqual(await rowOf(page, "a.txt").boundingBox(), {
    ...rowsAt,
    width: (await rowOf(page, "b.txt").boundingBox())?.width,
  });
  await page.keyboard.press("F2");
  await page.keyboard.press("F1");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 1);
});

test(
  "the row under the mouse, or with the keyboard, has quick actions",
  { tree },
  async (fixture) => {
    const { page } = fixture;
    await listingAwake(page);
    const acts = (name: string) => rowOf(page, name).locator(".row__acts").getByRole("button");
    const size = () => rowOf(page, "b.txt").locator(".cell--size").boundingBox();
    const before = await size();
    await rowOf(page, "b.txt").hover();
    await acts("b.txt").first().waitFor();
    assert.equal(await acts("b.txt").count(), 3);
    assert.deepEqual(await size(), before);
    assert.equal(await page.locator(".row__acts").count(), 1);
    assert.deepEqual(await findBarriers(page), []);

    await acts("b.txt").last().click();
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    await acts("b.txt").last().click();
    await page.getByRole("menu").waitFor({ state: "detached" });
    await eventually(async () => await page.locator("[aria-selected=true]").count() === 0);

    const download = page.waitForEvent("download");
    await acts("b.txt").first().click();
    assert.equal((await download).suggestedFilename(), "b.txt");

    await rowOf(page, "c.txt").hover();
    await acts("c.txt").first().waitFor();
    await acts("c.txt").first().dblclick();
    // Chromium loses keys that are pressed while a download begins.
    await eventually(async () => {
      await page.keyboard.press("Home");
      return await page.locator("a:focus", { hasText: "docs" }).count() === 1;
    });
    await page.mouse.move(640, 790);
    await acts("docs").first().waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Download “docs”" }).and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Share “docs”" }).waitFor();
  },
);

test(
  "on a phone every entry has a button for its menu",
  { device: "phone", tree },
  async ({ page, folder }) => {
    await page.getByRole("button", { name: "Actions for b.txt" }).tap();
    await isInWindow(page);
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("menuitem", { name: "Rename" }).tap();
    await page.getByRole("dialog").getByRole("textbox").fill("z.txt");
    await page.keyboard.press("Enter");
    await isChosen(page, "z.txt");
    assert.equal(await Deno.readTextFile(join(folder, "z.txt")), "b");

    await page.getByRole("button", { name: "More", exact: true }).tap();
    await page.getByRole("menuitem", { name: "Copy to…" }).waitFor();
    await isInWindow(page);
  },
);
