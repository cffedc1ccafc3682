import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../support/browser/axe.ts";
import { entry, listingAwake, rowOf, rows } from "../support/browser/listing.ts";
import { setStage } from "../support/browser/stage.ts";

const play = setStage({ workerCounts: [1] });
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

play("a right click selects an entry and offers what can be done", { tree }, async ({ page }) => {
  await listingAwake(page);
  await entry(page, "a.txt").click();
  await entry(page, "b.txt").click({ button: "right" });
  assert.equal(
    await itemsOf(page),
    "Open, Download, Share, Cut, Copy, Rename, Move to…, Copy to…, Details, Delete",
  );
  await page.getByText("1 selected").waitFor();
  assert.equal(await rowOf(page, "b.txt").getAttribute("aria-selected"), "true");
  await isInWindow(page);
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });

  await page.keyboard.press("ControlOrMeta+a");
  await entry(page, "b.txt").click({ button: "right" });
  assert.equal(
    await itemsOf(page),
    "Download, Cut, Copy, Move to…, Copy to…, Details, Delete",
  );
  await page.getByText("4 selected").waitFor();
  await page.keyboard.press("Escape");
});

play("beside the entries the menu is the folder's", { tree }, async ({ page, folder }) => {
  await listingAwake(page);
  await entry(page, "a.txt").click();
  await page.mouse.click(1200, 760, { button: "right" });
  assert.equal(
    await itemsOf(page),
    "New folder, New file, Download, Details, Select all, Select, View as mosaic, Help",
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
  play(`the menu is worked with the keyboard alone (${key})`, { tree }, async (scene) => {
    const { page, folder } = scene;
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

play(
  "a menu opened before the page is awake is near its button, and Escape closes it",
  { tree },
  async ({ page, address }) => {
    const { promise: awaited, resolve: wake } = Promise.withResolvers<void>();
    await page.route("**/_fresh/js/**", async (route) => {
      await awaited;
      await route.continue();
    });
    await page.goto(address, { waitUntil: "commit" });
    const upload = page.getByRole("button", { name: "Upload", exact: true });
    await upload.click({ noWaitAfter: true });
    const menu = page.locator(".menu:popover-open");
    await menu.waitFor();
    const [list, button] = [await menu.boundingBox(), await upload.boundingBox()];
    assert.ok(list && button);
    assert.ok(Math.abs(list.x + list.width - button.x - button.width) < 16, JSON.stringify(list));
    wake();
    await listingAwake(page);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
  },
);

play("what is selected has its buttons in the header", { tree }, async ({ page }) => {
  const button = (name: string) => page.getByRole("banner").getByRole("button", { name });
  for (const name of ["Share", "Rename", "Move to…", "Copy to…", "Delete"]) {
    assert.equal(await button(name).count(), 0, name);
  }
  await listingAwake(page);
  assert.ok(await button("Download").isVisible());
  await entry(page, "a.txt").click();
  for (const name of ["Share", "Rename", "Move to…", "Copy to…", "Delete"]) {
    assert.ok(await button(name).isVisible(), name);
  }
  await entry(page, "b.txt").click({ modifiers: ["ControlOrMeta"] });
  await page.getByText("2 selected").waitFor();
  assert.equal(await button("Rename").count(), 0);
  assert.ok(await button("Move to…").isVisible());
  await page.keyboard.press("F2");
  await page.keyboard.press("F1");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 1);
});

play(
  "on a phone every entry has a button for its menu",
  { device: "phone", tree },
  async ({ page, folder }) => {
    await page.getByRole("button", { name: "Actions for b.txt" }).tap();
    await isInWindow(page);
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("menuitem", { name: "Rename" }).tap();
    await page.getByRole("dialog").getByRole("textbox").fill("z.txt");
    await page.keyboard.press("Enter");
    await entry(page, "z.txt").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "z.txt")), "b");

    await page.getByRole("button", { name: "Actions for the selection" }).tap();
    await page.getByRole("menuitem", { name: "Copy to…" }).waitFor();
    await isInWindow(page);
  },
);
