import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../support/browser/axe.ts";
import type { Tree } from "../support/disks/files.ts";
import { entry, eventually } from "../support/browser/listing.ts";
import { setStage } from "../support/browser/stage.ts";

const play = setStage({ workerCounts: [1] });

const field = (page: Page) => page.getByRole("combobox", { name: "Search" });
const panel = (page: Page) => page.getByRole("dialog", { name: "Search" });
const hits = (page: Page) => page.getByRole("grid", { name: "Results" }).getByRole("row");
const status = (page: Page, text: string) =>
  panel(page).getByText(text, { exact: true }).first().waitFor();

/** Presses Ctrl+F, once the page is awake. */
async function openByKey(page: Page): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press("ControlOrMeta+f");
    return await field(page).isVisible();
  });
}

/** `count` files in one folder, besides others that no search below is for. */
function forest(count: number): Tree {
  const leaves: Tree = {};
  for (let index = 0; index < count; index++) leaves[`leaf ${index}.txt`] = "";
  return { oak: { "acorn.pdf": "", old: leaves }, "acorn.jpg": "", "stone.txt": "" };
}

play(
  "thousands of results come 50 at a time, few are drawn, and one far down is shown in its folder",
  { tree: forest(4_000) },
  async ({ page, address }) => {
    await openByKey(page);
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
    await page.getByRole("grid", { name: "Results" }).locator("[aria-rowindex='4000']").waitFor();
    assert.ok(await hits(page).count() < 60, `${await hits(page).count()} rows are drawn`);

    await field(page).fill('"leaf 2718."');
    await status(page, "1 result");
    assert.equal(await hits(page).locator("mark").innerText(), "leaf 2718.");
    await hits(page).getByText("oak/old").click();
    await page.waitForURL(`${address}oak/old/`);
    await entry(page, "leaf 2718.txt").waitFor();
    await page.getByText("1 selected").waitFor();
    assert.ok(await page.locator("[data-index][aria-selected=true]").isVisible());
    await page.locator("*:focus", { hasText: "leaf 2718.txt" }).waitFor();
  },
);

play(
  "the keyboard alone finds, shows, opens, and gets its place back",
  { tree: { ...forest(3), notes: { "note.txt": "" } } },
  async ({ page, address }) => {
    await entry(page, "stone.txt").focus();
    await openByKey(page);
    await page.locator("[role=combobox]:focus").waitFor();
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    await page.locator("*:focus", { hasText: "stone.txt" }).waitFor();

    await openByKey(page);
    await page.keyboard.type("a");
    await status(page, "Keep typing");
    await page.keyboard.type("corn");
    await status(page, "2 results");
    // Ctrl+F on a Dvorak keyboard: what was typed is selected, to be written over.
    await field(page).dispatchEvent("keydown", { key: "f", code: "KeyY", ctrlKey: true });
    assert.equal(await field(page).evaluate((input: HTMLInputElement) => input.selectionStart), 0);
    const at = () => panel(page).locator("[aria-selected=true]").innerText();
    assert.match(await at(), /acorn\.jpg/);
    await page.keyboard.press("ArrowDown");
    await panel(page).locator("[aria-selected=true]", { hasText: "acorn.pdf" }).waitFor();
    const current = await field(page).getAttribute("aria-activedescendant");
    assert.match(await page.locator(`#${current}`).innerText(), /acorn\.pdf\s+oak/);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${address}oak/`);
    await page.locator("*:focus", { hasText: "acorn.pdf" }).waitFor();

    await openByKey(page);
    await page.goBack();
    await panel(page).waitFor({ state: "detached" });
    await page.goForward();
    await entry(page, "acorn.pdf").waitFor();
    await openByKey(page);
    await page.keyboard.type("note");
    await status(page, "No results");
    assert.deepEqual(await findBarriers(page), []);
    for (let tab = 0; tab < 7; tab++) await page.keyboard.press("Tab");
    await page.locator("*:focus", { hasText: /^Everywhere$/ }).waitFor();
    await page.keyboard.press("Enter");
    await hits(page).filter({ hasText: "note.txt" }).first().waitFor();
    await field(page).focus();
    await field(page).fill('"note.txt"');
    await page.getByText(/^\d+ results?$/).first().waitFor();
    await hits(page).filter({ hasText: address.slice("/files/".length, -1) }).waitFor();
    await page.keyboard.press("ControlOrMeta+Enter");
    await page.waitForURL(/note\.txt$/);
  },
);

play(
  "kinds narrow a search, and a refusal can be tried again",
  { tree: forest(3), expected: [403] },
  async ({ page }) => {
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("heading", { name: "Find files and folders by name" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await panel(page).getByRole("button", { name: "PDF", exact: true }).click();
    await status(page, "1 result");
    await panel(page).getByRole("button", { name: "Images" }).click();
    await status(page, "2 results");

    await page.route(
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

play(
  "on a phone the search fills the screen and works by thumb",
  { device: "phone", scheme: "dark", tree: forest(60) },
  async ({ page, address }) => {
    await page.getByRole("button", { name: "Search" }).tap();
    await field(page).fill("acorn");
    await status(page, "2 results");
    const box = await panel(page).boundingBox();
    assert.deepEqual(box && [box.x, box.y, box.width, box.height], [0, 0, 390, 844]);
    assert.deepEqual(await findBarriers(page), []);
    for (const target of await panel(page).getByRole("button").all()) {
      const size = await target.boundingBox();
      assert.ok(size && size.width >= 40 && size.height >= 40, await target.innerText());
    }
    await hits(page).filter({ hasText: "acorn.pdf" }).getByRole("link").tap();
    await page.waitForURL(`${address}oak/`);
    await entry(page, "acorn.pdf").waitFor();

    await page.getByRole("button", { name: "Search" }).tap();
    await field(page).fill("old");
    await panel(page).getByRole("button", { name: "Open old" }).tap();
    await page.waitForURL(`${address}oak/old/`);
    await entry(page, "leaf 7.txt").waitFor();
  },
);
