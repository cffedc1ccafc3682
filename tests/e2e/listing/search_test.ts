import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import type { Tree } from "../../support/disks/files.ts";
import { entry, eventually } from "../../support/browser/listing.ts";
import { openSettings } from "../../support/browser/settings.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { quarters } from "../../support/data/pictures.ts";
import { press } from "../../support/browser/touch.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

const field = (page: Page) => page.getByRole("combobox", { name: "Search" });
const panel = (page: Page) => page.getByRole("dialog", { name: "Search" });
const grid = (page: Page) => page.getByRole("grid", { name: "Results" });
const hits = (page: Page) => grid(page).locator("[role=row][data-index]");
const heading = (page: Page, text: string) => grid(page).getByRole("rowheader", { name: text });
const current = (page: Page) => grid(page).locator("[data-current]");
const menuItem = (page: Page, name: string) => panel(page).getByRole("menuitem", { name });
const status = (page: Page, text: string) =>
  panel(page).getByText(text, { exact: true }).first().waitFor();

/** Presses Ctrl+F, once the page is awake. */
async function openByKey(page: Page): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press("ControlOrMeta+f");
    return await field(page).isVisible();
  });
}

/** The same, and looks in the folder of the test alone: those of other tests are elsewhere. */
async function openHere(page: Page): Promise<void> {
  await openByKey(page);
  await panel(page).getByRole("button", { name: "This folder only", exact: true }).click();
  await field(page).focus();
}

/** `count` files in one folder, besides others that no search below is for. */
function forest(count: number): Tree {
  const leaves: Tree = {};
  for (let index = 0; index < count; index++) leaves[`leaf ${index}.txt`] = "";
  return { oak: { "acorn.pdf": "", old: leaves }, "acorn.jpg": "", "stone.txt": "" };
}

test(
  "thousands of results come 50 at a time, few are drawn, and one far down is shown in its folder",
  { tree: forest(4_000) },
  async ({ page, address }) => {
    await openHere(page);
    await field(page).fill("leaf");
    await status(page, "4,000 results");
    assert.deepEqual(await findBarriers(page), []);

    const scroller = panel(page).locator(".hits");
    const height = () => scroller.evaluate((element) => element.scrollHeight);
    const toEnd = () => scroller.evaluate((element) => element.scrollTop = element.scrollHeight);
    const fifty = await height();
    await toEnd();
    await page.waitForFunction(
      ([element, before]) => element.scrollHeight >= 1.9 * before,
      [await scroller.elementHandle() as unknown as HTMLElement, fifty] as const,
    );
    assert.ok(await height() < 2.2 * fifty, "50 more, not all");
    assert.ok(await scroller.evaluate((element) => element.scrollTop) > 0.5 * fifty);
    await field(page).press("ControlOrMeta+End");
    await grid(page).locator("[aria-rowindex='4001']").waitFor();
    assert.ok(await hits(page).count() < 60, `${await hits(page).count()} rows are drawn`);

    await field(page).fill('"leaf 2718."');
    await status(page, "1 result");
    assert.equal(await hits(page).locator("mark").innerText(), "leaf 2718.");
    await hits(page).getByRole("link", { name: "oak/old" }).click();
    await page.waitForURL(`${address}oak/old/`);
    await entry(page, "leaf 2718.txt").waitFor();
    await page.getByText("1 selected").waitFor();
    await page.locator("*:focus", { hasText: "leaf 2718.txt" }).waitFor();
    assert.ok(await page.locator("[data-index][aria-selected=true]").isVisible());
  },
);

test(
  "the keyboard alone finds, shows, opens, and gets its place back",
  { tree: { ...forest(3), notes: { "note.txt": "" } } },
  async ({ page, address }) => {
    await entry(page, "stone.txt").focus();
    await openByKey(page);
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    await page.locator("*:focus", { hasText: "stone.txt" }).waitFor();

    await openHere(page);
    await page.keyboard.type("a");
    await status(page, "Keep typing");
    await page.keyboard.type("corn");
    await status(page, "2 results");
    // Ctrl+F on a Dvorak keyboard: what was typed is selected, to be written over.
    await field(page).dispatchEvent("keydown", { key: "f", code: "KeyY", ctrlKey: true });
    assert.equal(await field(page).evaluate((input: HTMLInputElement) => input.selectionStart), 0);
    assert.match(await current(page).innerText(), /acorn\.jpg/);
    await page.keyboard.press("ArrowDown");
    await current(page).filter({ hasText: "acorn.pdf" }).waitFor();
    const active = await field(page).getAttribute("aria-activedescendant");
    assert.match(await page.locator(`#${active}`).innerText(), /acorn\.pdf\s+oak/);
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.waitForURL(`${address}oak/`);
    await page.locator("*:focus", { hasText: "acorn.pdf" }).waitFor();

    await openByKey(page);
    await page.goBack();
    await panel(page).waitFor({ state: "detached" });
    await page.goForward();
    await entry(page, "acorn.pdf").waitFor();
    await openByKey(page);
    await page.keyboard.type("note");
    await heading(page, "Elsewhere").waitFor();
    await hits(page).filter({ hasText: "note.txt" }).first().waitFor();
    assert.deepEqual(await findBarriers(page), []);
    for (let tab = 0; tab < 9; tab++) await page.keyboard.press("Tab");
    await page.locator("*:focus", { hasText: /^This folder only$/ }).waitFor();
    await page.keyboard.press("Enter");
    await status(page, "No results");
    await page.waitForURL(/in=here/);
    assert.deepEqual(await findBarriers(page), []);
    await panel(page).getByRole("button", { name: "Search everywhere" }).click();
    await hits(page).filter({ hasText: "note.txt" }).first().waitFor();
    await field(page).focus();
    await field(page).fill('"note.txt"');
    await page.getByText(/^\d+ results?$/).first().waitFor();
    await hits(page).filter({ hasText: address.slice("/files/".length, -1) }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/note\.txt$/);
  },
);

test(
  "kinds narrow a search, and a refusal can be tried again",
  { tree: forest(3), expected: [403] },
  async ({ page }) => {
    await page.getByRole("button", { name: "Search" }).click();
    await panel(page).getByText(/Find files and folders by name|Recent files/).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await panel(page).getByRole("button", { name: "This folder only", exact: true }).click();
    await panel(page).getByRole("button", { name: "PDF", exact: true }).click();
    await status(page, "1 result");
    await panel(page).getByRole("button", { name: "Images" }).click();
    await status(page, "2 results");

    await intercept(
      page,
      "**/api/search/**",
      (route) =>
        route.fulfill({ status: 403, json: { code: "forbidden", message: "Cannot search" } }),
      { times: 1 },
    );
    await field(page).fill("acorn");
    await status(page, "The search failed");
    assert.deepEqual(await findBarriers(page), []);
    await panel(page).getByRole("button", { name: "Try again" }).click();
    await status(page, "2 results");
    await panel(page).getByRole("button", { name: "Close search" }).click();
    await page.locator("*:focus", { hasText: "Search" }).waitFor();
  },
);

test(
  "on a phone the search fills the screen and works by thumb",
  { device: "phone", scheme: "dark", tree: forest(60) },
  async ({ page, address }) => {
    await page.getByRole("button", { name: "Search" }).tap();
    const filters = panel(page).getByRole("button", { name: "Filters" });
    const hereOnly = async () => {
      await filters.tap();
      await panel(page).getByRole("button", { name: "This folder only", exact: true }).tap();
      await filters.tap();
    };
    await hereOnly();
    await field(page).fill("acorn");
    await status(page, "2 results");
    assert.equal(await panel(page).getByRole("button", { name: "Images" }).isVisible(), false);
    await filters.tap();
    for (const chip of await panel(page).locator(".chip").all()) {
      const box = await chip.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390, await chip.innerText());
    }
    await panel(page).getByRole("button", { name: "Images" }).tap();
    await status(page, "1 result");
    await filters.tap();
    await panel(page).getByRole("button", { name: "Images" }).tap();
    await status(page, "2 results");
    const box = await panel(page).boundingBox();
    assert.deepEqual(box && [box.x, box.y, box.width, box.height], [0, 0, 390, 844]);
    assert.deepEqual(await findBarriers(page), []);
    for (const target of await panel(page).getByRole("button").all()) {
      const size = await target.boundingBox();
      assert.ok(size && size.width >= 40 && size.height >= 40, await target.innerText());
    }
    await panel(page).getByRole("button", { name: "Actions for acorn.pdf" }).tap();
    assert.deepEqual(await findBarriers(page), []);
    await menuItem(page, "Show in folder").tap();
    await page.waitForURL(`${address}oak/`);
    await entry(page, "acorn.pdf").waitFor();

    await page.getByRole("button", { name: "Search" }).tap();
    await hereOnly();
    await field(page).fill("old");
    await status(page, "1 result");
    await hits(page).getByRole("link", { name: "old", exact: true }).tap();
    await page.waitForURL(`${address}oak/old/`);
    await entry(page, "leaf 7.txt").waitFor();

    await page.goBack();
    await status(page, "1 result");
    await press(page, hits(page).first());
    await status(page, "1 selected");
    await hits(page).first().tap();
    await status(page, "1 result");
    await panel(page).getByRole("button", { name: "Actions for old" }).tap();
    await menuItem(page, "Select").tap();
    await hits(page).getByRole("checkbox", { name: "Select old", checked: true }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
  },
);

test(
  "recent searches and files are offered, opened by keyboard, and forgotten",
  { tree: { ...forest(3), notes: { "note.txt": "" } } },
  async ({ page, address }) => {
    await openHere(page);
    await field(page).fill("acorn");
    await status(page, "2 results");
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    await openByKey(page);
    await field(page).fill("*.txt");
    await hits(page).filter({ hasText: "note.txt" }).first().waitFor();
    await hits(page).filter({ hasText: "stone.txt" }).getByRole("link").first().click();
    await page.waitForURL(/stone\.txt$/);
    await page.goto(address);
    await openByKey(page);
    const recent = panel(page).getByRole("region", { name: "Recent searches" });
    await recent.getByRole("button", { name: "*.txt", exact: true }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.locator("*:focus", { hasText: /^acorn · This folder only$/ }).waitFor();
    await page.keyboard.press("Enter");
    await status(page, "2 results");
    await field(page).fill("");
    await recent.getByRole("button", { name: /^Remove “acorn/ }).click();
    await recent.getByRole("button", { name: /^acorn/ }).waitFor({ state: "detached" });
    await recent.getByRole("button", { name: "Remove all" }).click();
    await recent.waitFor({ state: "detached" });
  },
);

const names = (page: Page) =>
  hits(page).evaluateAll((rows) =>
    rows.map((row) => row.querySelector(".row__name")?.textContent ?? "")
  );

test(
  "the best results come first, and other orders can be chosen",
  {
    tree: {
      "my sea.txt": "",
      "seaside.txt": "12",
      "sea.txt": "1",
      "oversea.txt": "1234",
      deep: { "sea": {}, "sea shells.txt": "123" },
    },
  },
  async ({ page, folder }) => {
    for (const name of ["my sea.txt", "oversea.txt", "seaside.txt", "deep/sea shells.txt"]) {
      await Deno.utime(join(folder, name), 1_700_000_000, 1_700_000_000);
    }
    await Deno.utime(join(folder, "sea.txt"), 1_600_000_000, 1_600_000_000);
    await openHere(page);
    await field(page).fill("sea");
    await status(page, "6 results");
    assert.deepEqual(await names(page), [
      "sea",
      "sea.txt",
      "sea shells.txt",
      "seaside.txt",
      "my sea.txt",
      "oversea.txt",
    ]);
    await page.getByRole("combobox", { name: "Order" }).selectOption("Size");
    assert.deepEqual((await names(page)).slice(0, 3), [
      "oversea.txt",
      "sea shells.txt",
      "seaside.txt",
    ]);
    await page.waitForURL(/\?search=sea&order=size&in=here$/);
    assert.match(await hits(page).first().innerText(), /4 bytes/);
    const byName = grid(page).getByRole("button", { name: "Name", exact: true });
    await byName.click();
    await page.waitForURL(/order=name/);
    assert.deepEqual((await names(page)).slice(0, 2), ["my sea.txt", "oversea.txt"]);
    await grid(page).getByRole("columnheader", { name: "Name" }).and(
      page.locator("[aria-sort=ascending]"),
    ).waitFor();
    await byName.click();
    await page.waitForURL(/\?search=sea&in=here$/);
    assert.equal((await names(page))[0], "sea");
    const date = page.getByRole("combobox", { name: "Date" });
    await date.selectOption("Last 7 days");
    await status(page, "1 result");
    await date.selectOption("From – to…");
    await page.getByLabel("From", { exact: true }).fill("2023-11-10");
    await page.getByLabel("To", { exact: true }).fill("2023-11-20");
    await status(page, "4 results");
    await page.waitForURL(/age=2023-11-10..2023-11-20/);
    assert.deepEqual(await findBarriers(page), []);
    await date.selectOption("Any date");
    await status(page, "6 results");
    await page.getByRole("combobox", { name: "Size" }).selectOption("Over 1 MB");
    await status(page, "No results");
    await page.reload();
    await status(page, "No results");
    assert.equal(await field(page).inputValue(), "sea");
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    await page.waitForURL((url) => url.search === "");
  },
);

test(
  "a long name is cut with its matches marked, and the menu of a result acts on it",
  { tree: { deep: { "quarterly report of the northern branch, second draft 2025.xlsx": "1" } } },
  async ({ page, folder }) => {
    await openHere(page);
    await field(page).fill("report 2025");
    await status(page, "1 result");
    assert.deepEqual(await hits(page).locator("mark").allInnerTexts(), ["report", "2025"]);
    const drawn = hits(page).locator(".long__cut [data-hit]");
    assert.deepEqual(
      await drawn.evaluateAll((parts) => parts.map((part) => part.getAttribute("data-text"))),
      ["report", "2025"],
    );
    await field(page).press("Shift+F10");
    await menuItem(page, "Open").and(page.locator(":focus")).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await menuItem(page, "Open").waitFor({ state: "detached" });
    await page.locator("[role=combobox]:focus").waitFor();
    await hits(page).first().click({ button: "right" });
    await menuItem(page, "Delete").click();
    await page.getByRole("dialog", { name: /quarterly report/ })
      .getByRole("button", { name: "Move to trash" }).click();
    await status(page, "No results");
    assert.deepEqual([...Deno.readDirSync(join(folder, "deep"))], []);
  },
);

test(
  "results are shown as photos, which the keyboard chooses, and the address keeps",
  {
    tree: {
      "wide photo.jpg": await quarters(320, 80).jpeg().toBuffer(),
      "tall photo.jpg": await quarters(80, 160).jpeg().toBuffer(),
      "photo notes.txt": "no picture",
    },
  },
  async ({ page }) => {
    await openHere(page);
    await field(page).fill("photo");
    await status(page, "3 results");
    await panel(page).getByRole("button", { name: "Photos" }).click();
    await page.waitForURL(/view=photos/);
    await eventually(async () => {
      const wide = await hits(page).filter({ hasText: "wide photo" }).boundingBox();
      const tall = await hits(page).filter({ hasText: "tall photo" }).boundingBox();
      return !!wide && !!tall && Math.abs(wide.width / wide.height - 4) < 0.2 &&
        Math.abs(tall.width / tall.height - 0.5) < 0.1;
    });
    assert.deepEqual(await findBarriers(page), []);
    await field(page).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+Enter");
    await status(page, "1 selected");
    await page.keyboard.press("Enter");
    await page.waitForURL(/photo/);
    await page.goBack();
    await panel(page).getByRole("button", { name: "Photos", pressed: true }).waitFor();
    await panel(page).getByRole("button", { name: "List" }).click();
    await panel(page).locator(".listing[data-view=list] .row").first().waitFor();
  },
);

test(
  "Back leads to the results at their place, also from the open folder itself",
  { tree: forest(300) },
  async ({ page, address }) => {
    await openHere(page);
    await field(page).fill("leaf");
    await status(page, "300 results");
    for (let step = 0; step < 60; step++) await field(page).press("ArrowDown");
    const name = await current(page).innerText();
    await page.keyboard.press("Enter");
    await page.waitForURL(/leaf%20\d+\.txt$/);
    await page.goBack();
    await status(page, "300 results");
    assert.equal(await current(page).innerText(), name);
    assert.ok(await current(page).isVisible());
    await page.goForward();
    await panel(page).waitFor({ state: "detached" });

    await page.goto(`${address}?search=stone&in=here`);
    await status(page, "1 result");
    await page.keyboard.press("ControlOrMeta+Enter");
    await panel(page).waitFor({ state: "detached" });
    await page.locator("*:focus", { hasText: "stone.txt" }).waitFor();
    await page.waitForURL(address);
    await page.goBack();
    await status(page, "1 result");
  },
);

test(
  "results of several folders are selected, moved and deleted, and a deletion is undone",
  { tree: { ...forest(3), target: {} } },
  async ({ page, folder }) => {
    const names = async (...path: string[]) =>
      (await Array.fromAsync(Deno.readDir(join(folder, ...path)), ({ name }) => name)).sort();
    await openHere(page);
    await field(page).fill("acorn");
    await status(page, "2 results");
    await field(page).press("Shift+Enter");
    await field(page).press("ArrowDown");
    await field(page).press("Shift+Enter");
    await status(page, "2 selected");
    await panel(page).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog", { name: /2 items/ }).getByRole("button", {
      name: "Move to trash",
    })
      .click();
    // The message stays while the mouse is over it.
    await panel(page).getByRole("button", { name: "Undo" }).hover();
    await status(page, "No results");
    assert.deepEqual(await names("oak"), ["old"]);
    await panel(page).getByRole("button", { name: "Undo" }).click();
    await eventually(async () => (await names("oak")).length === 2);
    await eventually(async () => (await names()).includes("acorn.jpg"));

    await field(page).fill("acor");
    await status(page, "2 results");
    await hits(page).filter({ hasText: "acorn.pdf" }).getByRole("checkbox").click();
    await panel(page).getByRole("checkbox", { name: "Select all" }).click();
    await status(page, "2 selected");
    await panel(page).getByRole("button", { name: "Move to…" }).click();
    const prompt = page.getByRole("dialog", { name: /Move/ });
    await prompt.getByRole("treeitem", { name: "target" }).click();
    await prompt.getByRole("button", { name: "Move" }).click();
    await hits(page).filter({ hasText: "target" }).nth(1).waitFor();
    assert.deepEqual(await names("target"), ["acorn.jpg", "acorn.pdf"]);
  },
);

test(
  "contents are switched on in the settings, and found below names with the text around them",
  {
    tree: {
      "walrus.txt": "of another animal",
      deep: {
        "letter.txt": "Dear walrus,\n\nthe ice is thin.\n",
        "long.md": `${"ice\n\n".repeat(300)}a penguin\n${"\nsnow\n".repeat(300)}`,
        "markup.txt": "<img src=x onerror=document.title=1> walrus <mark>",
      },
    },
  },
  async ({ page, address }) => {
    await openHere(page);
    await field(page).fill("walrus");
    await status(page, "1 result");
    assert.equal(await page.getByRole("button", { name: "In contents" }).count(), 0);

    await openSettings(page, "global");
    await page.getByRole("checkbox", { name: "Search inside files" }).check();
    await page.getByRole("button", { name: "Save" }).click();
    const index = page.getByRole("region", { name: "Index" });
    await index.getByText("Ready", { exact: true }).waitFor();

    await page.goto(address);
    await openHere(page);
    await field(page).fill("walru");
    await page.getByRole("button", { name: "In contents" }).click();
    await status(page, "3 results");
    await page.waitForURL(/contents=true/);
    const found = grid(page);
    await found.getByText("deep", { exact: true }).first().waitFor();
    assert.match(await hits(page).first().innerText(), /^walrus\.txt/);
    await heading(page, "In contents").getByText("2").waitFor();
    assert.equal(await found.locator("img[src=x]").count(), 0);
    await found.getByText(/onerror=document.title=1> walrus <mark>$/).waitFor();
    assert.deepEqual(await found.locator(".row__place mark").allInnerTexts(), [
      "walrus",
      "walrus",
    ]);
    assert.deepEqual(await findBarriers(page), []);

    // By keyboard alone, over the heading.
    await field(page).press("ControlOrMeta+End");
    await field(page).press("ArrowUp");
    await found.locator("[aria-rowindex='3'][data-current]").waitFor();
    const name = await found.locator("[aria-rowindex='3'] .row__name").innerText();
    await field(page).press("Enter");
    await page.waitForURL(new RegExp(`deep/${name.split(/\s/)[0]}#L1$`));
    await page.goBack();
    await found.locator("[aria-rowindex='3'][data-current]").waitFor();

    // A text opens where the words are, even one that opens to be read.
    await field(page).fill("penguin");
    await status(page, "1 result");
    await field(page).press("Enter");
    await page.waitForURL(/long\.md#L601$/);
    await page.getByText("a penguin").and(page.locator(".cm-activeLine")).waitFor();
    await page.getByText("Ln 601, Col 1").waitFor();
  },
);
