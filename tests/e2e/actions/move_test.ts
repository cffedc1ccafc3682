import assert from "node:assert/strict";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import {
  entry,
  eventually,
  listingAwake,
  namesShown,
  rowOf,
} from "../../support/browser/listing.ts";
import { isTold } from "../../support/browser/news.ts";
import {
  chooseAction,
  folder as branch,
  pickFolder,
  prompt,
} from "../../support/browser/prompts.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [2] });

const namesIn = async (folder: string) =>
  (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();

/** Copies the entries between two, and these, to the folder "docs". */
async function copyToDocs(
  page: Page,
  count: number,
  [first, last]: readonly [string, string],
): Promise<void> {
  await listingAwake(page);
  await entry(page, first).click();
  await entry(page, last).click({ modifiers: ["Shift"] });
  await chooseAction(page, "Copy to…");
  await pickFolder(page, "docs");
  const copying = prompt(page, `Copy ${count} items`);
  await copying.getByRole("button", { name: "Copy", exact: true }).click();
}

/** Waits until an entry can be dragged: the code for that comes late. */
async function canBeDragged(page: Page, name: string): Promise<void> {
  const press = { pointerType: "mouse", button: 0, bubbles: true };
  await eventually(async () => {
    await entry(page, name).dispatchEvent("pointerdown", press);
    return await rowOf(page, name).getAttribute("draggable") === "true";
  });
}

/** Drags an entry, once the page has come to rest. */
async function drag(page: Page, name: string, target: Locator): Promise<void> {
  const dragged = entry(page, name);
  await canBeDragged(page, name);
  await dragged.dragTo(target);
  await dragged.waitFor({ state: "detached" });
}

test(
  "entries are moved into a folder of the tree by the keyboard alone",
  { tree: { docs: { deep: {} }, "a.txt": "a", "b.txt": "b" } },
  async ({ page, folder }) => {
    await listingAwake(page);
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+ArrowUp");
    await page.getByText("2 selected").waitFor();
    await chooseAction(page, "Move to…");
    const moving = prompt(page, "Move 2 items");
    const act = moving.getByRole("button", { name: "Move", exact: true });
    await moving.getByText("Already in this folder.").waitFor();
    assert.ok(await act.isDisabled(), "moving to where it is makes no sense");

    await page.locator("[role=treeitem]:focus").waitFor();
    await page.keyboard.press("ArrowRight");
    await branch(page, "docs").waitFor();
    await page.keyboard.press("d");
    await page.keyboard.press("ArrowRight");
    await branch(page, "deep").waitFor();
    await page.keyboard.press("ArrowRight");
    await moving.getByText("To “deep”").waitFor();
    await page.keyboard.press("Enter");
    await isTold(page, "2 items moved");
    assert.deepEqual(await namesIn(join(folder, "docs", "deep")), ["a.txt", "b.txt"]);
    await eventually(async () => (await namesShown(page)).join() === "docs");
  },
);

test(
  "a folder can be made on the way, and nothing goes into itself",
  { device: "phone", tree: { album: { inner: {} }, trips: { "2025": "" } }, expected: [409] },
  async ({ page, folder }) => {
    await listingAwake(page);
    await page.keyboard.press("Home");
    await chooseAction(page, "Copy to…");
    const copying = prompt(page, "Copy “album”");
    const refusal = copying.getByText("A folder can’t be moved or copied into itself.");
    // Folders above may still come in and move it away from below the finger.
    await eventually(async () => {
      await branch(page, "album").click({ force: true });
      return await refusal.isVisible();
    });
    assert.ok(await copying.getByRole("button", { name: "Copy", exact: true }).isDisabled());

    await pickFolder(page, "trips");
    await copying.getByRole("button", { name: "New folder" }).tap();
    const name = copying.getByLabel("New folder in “trips”");
    await name.fill("2025");
    await name.press("Enter");
    const taken = copying.getByText("Couldn’t create the folder “2025”.");
    await taken.waitFor();
    await name.fill("a/b");
    await copying.getByText("A name can’t contain a slash.").waitFor();
    assert.equal(await taken.count(), 0);
    await name.fill(" 2026 ");
    await name.press("Enter");
    await copying.getByText("To “2026”").waitFor();
    await copying.getByRole("button", { name: "Copy", exact: true }).tap();
    await isTold(page, "1 item copied");
    assert.deepEqual(await namesIn(join(folder, "trips", "2026", "album")), ["inner"]);
    assert.deepEqual(await namesIn(folder), ["album", "trips"]);
  },
);

test(
  "a folder is found by its name and remembered; files of the same content are left out at once",
  {
    tree: {
      far: {
        away: { "#%?日本 `": {} },
        ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`other ${index}`, {}])),
        "other last": { inner: {} },
      },
      "a.txt": "same",
      "b.txt": "will differ",
      "c.txt": "same",
    },
  },
  async ({ page, folder }) => {
    const there = join(folder, "far", "away", "#%?日本 `");
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await entry(page, "c.txt").click({ modifiers: ["Shift"] });
    const open = () =>
      page.getByRole("group", { name: "Actions for the selection" })
        .getByRole("button", { name: "Copy" }).click();
    const copying = prompt(page, "Copy 3 items");
    await open();
    const field = copying.getByRole("combobox", { name: "Find a folder" });
    await field.fill("nowhere to be found");
    await copying.getByText("No matching folder.").waitFor();
    await field.fill("日本");
    await copying.getByRole("option", { name: "#%?日本 `" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await field.press("Enter");
    await page.locator("[role=treeitem]:focus", { hasText: "日本" }).waitFor();
    await copying.getByText("To “#%?日本 `”").waitFor();
    await page.keyboard.press("Enter");
    await isTold(page, "3 items copied");
    assert.deepEqual(await namesIn(there), ["a.txt", "b.txt", "c.txt"]);

    await Deno.writeTextFile(join(there, "b.txt"), "now differs");
    await open();
    await copying.getByRole("group", { name: "Recent" }).getByRole("button").click();
    await copying.getByText("To “#%?日本 `”").waitFor();
    const last = branch(page, "other last").locator(".tree__toggle");
    await last.scrollIntoViewIfNeeded();
    const scrolled = () => copying.getByRole("tree").evaluate((tree) => tree.scrollTop);
    const before = await scrolled();
    await last.click();
    await branch(page, "inner").waitFor();
    assert.equal(await scrolled(), before, "the place is kept");
    await copying.getByRole("button", { name: "Copy", exact: true }).click();
    const asking = prompt(page, "3 items already exist");
    await asking.getByRole("button", { name: "Skip identical (2)" }).click();
    await asking.getByRole("button", { name: "Skip identical" }).waitFor({ state: "detached" });
    assert.equal(await asking.getByLabel("Action for “a.txt”").inputValue(), "skip");
    assert.equal(await asking.getByLabel("Action for “b.txt”").inputValue(), "keep");
    await asking.getByRole("button", { name: "Continue" }).click();
    await isTold(page, "1 item copied");
    assert.deepEqual(await namesIn(there), ["a.txt", "b(1).txt", "b.txt", "c.txt"]);
  },
);

test(
  "what is there with the same content is proposed to be skipped",
  {
    tree: { docs: { "a.txt": "same a", "b.txt": "same b" }, "a.txt": "same a", "b.txt": "same b" },
  },
  async ({ page, folder }) => {
    await copyToDocs(page, 2, ["a.txt", "b.txt"]);
    const asking = prompt(page, "2 items already exist");
    const forAll = asking.getByLabel("Apply to all");
    await forAll.and(page.locator(":has(> option:checked[value=skip])")).waitFor();
    await page.keyboard.press("Enter");
    await asking.waitFor({ state: "detached" });
    assert.deepEqual(await namesIn(join(folder, "docs")), ["a.txt", "b.txt"]);
  },
);

test(
  "Enter confirms what is asked about several taken names: both are kept",
  { tree: { docs: { "a.txt": "old a", "b.txt": "old b" }, "a.txt": "new a", "b.txt": "new b" } },
  async ({ page, folder }) => {
    await copyToDocs(page, 2, ["a.txt", "b.txt"]);
    await prompt(page, "2 items already exist").waitFor();
    await page.locator("button:focus", { hasText: "Continue" }).waitFor();
    await page.keyboard.press("Enter");
    await isTold(page, "2 items copied");
    const docs = join(folder, "docs");
    assert.deepEqual(await namesIn(docs), ["a(1).txt", "a.txt", "b(1).txt", "b.txt"]);
    assert.equal(await Deno.readTextFile(join(docs, "a.txt")), "old a");
  },
);

test(
  "each taken name is decided about: replaced, kept beside, or left out",
  {
    tree: {
      docs: { "a.txt": "old a", "b.txt": "old b", "c.txt": "old c" },
      "a.txt": "new a",
      "b.txt": "new b",
      "c.txt": "new c",
      "d.txt": "new d",
    },
  },
  async ({ page, folder }) => {
    await copyToDocs(page, 4, ["d.txt", "a.txt"]);

    const asking = prompt(page, "3 items already exist");
    await asking.getByText("Existing: 5 bytes").first().waitFor();
    assert.deepEqual(await findBarriers(page), []);
    assert.equal(await asking.getByLabel("Apply to all").inputValue(), "keep");
    await asking.getByLabel("Action for “a.txt”").selectOption("Replace");
    await asking.getByLabel("Action for “c.txt”").selectOption("Skip");
    await asking.getByRole("button", { name: "Continue" }).click();
    await isTold(page, "3 items copied");
    const docs = join(folder, "docs");
    const read = (name: string) => Deno.readTextFileSync(join(docs, name));
    assert.deepEqual(await namesIn(docs), ["a.txt", "b(1).txt", "b.txt", "c.txt", "d.txt"]);
    assert.deepEqual(["a.txt", "b.txt", "b(1).txt", "c.txt"].map(read), [
      "new a",
      "old b",
      "new b",
      "old c",
    ]);
  },
);

test(
  "what is cut looks it, and leaves when it is pasted; a copy beside its original keeps both",
  { tree: { docs: {}, "a.txt": "a" } },
  async ({ page, folder }) => {
    await listingAwake(page);
    const marked = () => page.evaluate(() => getSelection()?.toString());
    await page.getByText("1 folder, 1 file").click({ clickCount: 3 });
    assert.match(await marked() ?? "", /1 folder/);
    // What was turned to last is copied, by whatever it was chosen.
    await rowOf(page, "a.txt").getByRole("checkbox").click();
    assert.equal(await marked(), "");
    await page.keyboard.press("ControlOrMeta+c");
    await page.keyboard.press("ControlOrMeta+v");
    await rowOf(page, "a(1).txt").and(page.locator("[aria-selected=true]")).waitFor();
    await page.getByText("1 selected").waitFor();

    await page.keyboard.press("ControlOrMeta+x");
    const cut = page.locator("[data-cut]");
    assert.match(await cut.innerText(), /a\(1\)\.txt/);
    await entry(page, "docs").dblclick();
    await page.getByText("It feels lonely here…").waitFor();
    await page.keyboard.press("ControlOrMeta+v");
    await entry(page, "a(1).txt").waitFor();
    assert.deepEqual(await namesIn(join(folder, "docs")), ["a(1).txt"]);
    assert.deepEqual(await namesIn(folder), ["a.txt", "docs"]);
    assert.equal(await cut.count(), 0);
  },
);

test(
  "entries are dragged onto folders and the way above; Ctrl copies; nothing goes into itself",
  { tree: { docs: {}, trips: {}, "a.txt": "a", "b.txt": "b" } },
  async ({ page, folder, address }) => {
    await listingAwake(page);
    await drag(page, "a.txt", entry(page, "docs"));
    await entry(page, "a.txt").waitFor({ state: "detached" });

    await page.keyboard.down("Control");
    await entry(page, "b.txt").dragTo(entry(page, "docs"));
    await page.keyboard.up("Control");
    await isTold(page, "1 item copied");
    assert.deepEqual(await namesIn(join(folder, "docs")), ["a.txt", "b.txt"]);

    // Both folders are dragged onto one of them: nothing is dropped.
    await page.keyboard.press("Escape");
    await entry(page, "trips").click();
    await entry(page, "docs").click({ modifiers: ["Control"] });
    await entry(page, "trips").dragTo(entry(page, "docs"));
    assert.deepEqual(await namesIn(folder), ["b.txt", "docs", "trips"]);

    await page.goto(`${address}docs/`);
    const home = page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link").nth(1);
    await entry(page, "a.txt").waitFor();
    await drag(page, "a.txt", home);
    await entry(page, "a.txt").waitFor({ state: "detached" });
    assert.deepEqual(await namesIn(folder), ["a.txt", "b.txt", "docs", "trips"]);
  },
);

/** Moves the mouse over an element, whatever it drags. */
async function moveOver(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  assert.ok(box);
  const [x, y] = [box.x + Math.min(box.width / 2, 200), box.y + Math.min(box.height / 2, 400)];
  for (const aside of [4, 0]) await page.mouse.move(x + aside, y);
}

/** Takes an entry and holds it over a place, until that was marked: it soon opens, too. */
async function hold(page: Page, name: string, over: Locator): Promise<void> {
  await canBeDragged(page, name);
  const marked = page.waitForFunction(() => document.querySelector("[data-dropping]") !== null);
  await moveOver(page, entry(page, name));
  await page.mouse.down();
  await moveOver(page, over);
  await marked;
}

test(
  "a folder that something dragged rests on opens, and takes it",
  { tree: { docs: { deep: {} }, "a.txt": "a", "b.txt": "b" } },
  async ({ page, folder, address }) => {
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await entry(page, "b.txt").click({ modifiers: ["ControlOrMeta"] });
    await hold(page, "b.txt", entry(page, "docs"));
    await page.waitForURL(`${address}docs/`);
    await entry(page, "deep").waitFor();
    await moveOver(page, entry(page, "deep"));
    await page.waitForURL(`${address}docs/deep/`);
    const empty = page.getByText("It feels lonely here…");
    await empty.waitFor();
    await moveOver(page, empty);
    await page.locator(".status[data-dropping]").waitFor();
    await page.mouse.up();
    await isTold(page, "2 items moved");
    await entry(page, "a.txt").waitFor();
    assert.deepEqual(await namesIn(join(folder, "docs", "deep")), ["a.txt", "b.txt"]);
    assert.equal(await page.locator("[data-dropping]").count(), 0);

    const home = page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link").nth(1);
    await page.keyboard.press("Escape");
    await hold(page, "a.txt", home);
    await page.waitForURL(address);
    await entry(page, "docs").waitFor();
    await moveOver(page, page.locator(".listing"));
    await page.locator(".listing[data-dropping]").waitFor();
    await page.mouse.up();
    await entry(page, "a.txt").waitFor();
    assert.deepEqual(await namesIn(folder), ["a.txt", "docs"]);
  },
);
