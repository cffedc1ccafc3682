/** What a person sees and does in a listing, by roles and names. */
import type { Locator, Page } from "playwright-core";
import type { ViewMode } from "../../../lib/shared/schemas/choices/choices.ts";
import { islandsAwake } from "./awake.ts";

/** The link of an entry, which carries its name; for a folder, "name, folder". */
export function entry(page: Page, name: string): Locator {
  const literally = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return rows(page).getByRole("link", { name: new RegExp(`^${literally}( ?, folder)?$`) });
}

/** The names on the screen, from the top. */
export async function namesShown(page: Page): Promise<string[]> {
  const links = await rows(page).getByRole("link").allTextContents();
  return links.map((text) => text.replace(/, folder$/, ""));
}

/** The rows of entries: all but the one with the column heads. */
export function rows(page: Page): Locator {
  return page.getByRole("grid").getByRole("row").filter({ has: page.getByRole("gridcell") });
}

/**
 * Waits until something holds, such as what lies on the disk; a file that is read for that may not
 * be there yet, or not while it is replaced.
 */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!await isSo(holds)) {
    if (Date.now() > deadline) throw new Error(`It never came to be: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function isSo(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  try {
    return await holds();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Waits until the page has woken: the keyboard then moves between the entries. */
export async function listingAwake(page: Page): Promise<void> {
  await page.locator('.row__name[tabindex="0"]').waitFor();
  await islandsAwake(page);
}

/**
 * Waits until an entry is selected. What the page has made or renamed it selects last: its row may
 * be there before, as the server tells of it.
 */
export async function isChosen(page: Page, name: string): Promise<void> {
  await rowOf(page, name).and(page.locator("[aria-selected=true]")).waitFor();
}

/** Types the beginning of a name so fast that no pause can end it. */
export async function typeAhead(page: Page, letters: string): Promise<void> {
  await Promise.all([...letters].map((letter) => page.keyboard.press(letter)));
}

/** The whole row, or tile, of an entry. */
export function rowOf(page: Page, name: string): Locator {
  return rows(page).filter({ has: page.getByRole("link", { name }) });
}

/** How the views are called. */
const VIEWS = { list: "List", mosaic: "Grid", "mosaic gallery": "Photos" } as const;

/** Has the open folder shown in this view. */
export async function showAs(page: Page, wanted: ViewMode): Promise<void> {
  await listingAwake(page);
  const name = VIEWS[wanted];
  const shown = page.locator(`.listing[data-view="${wanted}"]`);
  if (await shown.count() > 0) return;
  await openViewMenu(page);
  await page.getByRole("dialog", { name: "View options" }).getByRole("radio", { name }).check();
  await page.keyboard.press("Escape");
  await shown.waitFor();
}

/** Opens the menu of the view. */
export async function openViewMenu(page: Page): Promise<void> {
  await page.getByRole("button", { name: "View options" }).click();
  await page.getByRole("dialog", { name: "View options" }).waitFor();
}

/** Scrolls the listing smoothly for a while, then by leaps; answers with the most elements in its rows. */
export async function scrollAbout(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    const list = document.querySelector(".listing");
    if (!list) throw new Error("Cannot scroll: there is no listing");
    let most = 0;
    const frame = async () => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      most = Math.max(most, document.querySelectorAll(".rows *").length);
    };
    for (let step = 0; step < 60; step++) {
      list.scrollTop += 90;
      await frame();
    }
    for (let leap = 1; leap <= 12; leap++) {
      list.scrollTop = list.scrollHeight * ((leap * 7) % 12) / 12;
      for (let rest = 0; rest < 6; rest++) await frame();
    }
    await new Promise((resolve) => setTimeout(resolve));
    return most;
  });
}
