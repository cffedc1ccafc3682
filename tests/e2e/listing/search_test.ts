import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry } from "../../support/browser/listing.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { press } from "../../support/browser/touch.ts";
import {
  current,
  field,
  forest,
  grid,
  heading,
  hits,
  menuItem,
  openByKey,
  openHere,
  panel,
  status,
  test,
} from "./search_page.ts";

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
