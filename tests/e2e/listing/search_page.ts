/** The search of the files page, as a browser sees it. */
import type { Page } from "playwright-core";
import type { Tree } from "../../support/disks/files.ts";
import { eventually } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

export const test = browserTests({ workerCounts: [1] });
export const field = (page: Page) => page.getByRole("combobox", { name: "Search" });
export const panel = (page: Page) => page.getByRole("dialog", { name: "Search" });
export const grid = (page: Page) => page.getByRole("grid", { name: "Results" });
export const hits = (page: Page) => grid(page).locator("[role=row][data-index]");
export const heading = (page: Page, text: string) =>
  grid(page).getByRole("rowheader", { name: text });
export const current = (page: Page) => grid(page).locator("[data-current]");
export const menuItem = (page: Page, name: string) => panel(page).getByRole("menuitem", { name });

export const status = (page: Page, text: string) =>
  panel(page).getByText(text, { exact: true }).first().waitFor();

/** Presses Ctrl+F, once the page is awake. */
export async function openByKey(page: Page): Promise<void> {
  await eventually(async () => {
    await page.keyboard.press("ControlOrMeta+f");
    return await field(page).isVisible();
  });
}

/** The same, and looks in the folder of the test alone: those of other tests are elsewhere. */
export async function openHere(page: Page): Promise<void> {
  await openByKey(page);
  await panel(page).getByRole("button", { name: "This folder only", exact: true }).click();
  await field(page).focus();
}

/** `count` files in one folder, besides others that no search below is for. */
export function forest(count: number): Tree {
  const leaves: Tree = {};
  for (let index = 0; index < count; index++) leaves[`leaf ${index}.txt`] = "";
  return { oak: { "acorn.pdf": "", old: leaves }, "acorn.jpg": "", "stone.txt": "" };
}
