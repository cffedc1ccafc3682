import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { eventually } from "../../support/browser/listing.ts";
import { openSettings } from "../../support/browser/settings.ts";
import { quarters } from "../../support/data/pictures.ts";
import {
  current,
  field,
  forest,
  grid,
  heading,
  hits,
  menuItem,
  openHere,
  panel,
  status,
  test,
} from "./search_page.ts";

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
