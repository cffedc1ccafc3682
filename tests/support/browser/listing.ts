/** What a person sees and does in a listing, by roles and names. */
import type { Locator, Page } from "playwright-core";
import type { ViewMode } from "../../../lib/shared/api_types.ts";

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

/** Presses the upload button, picks "Upload files", and chooses. */
export async function chooseFiles(page: Page, files: string[]): Promise<void> {
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Upload files" }).click();
  await (await chooser).setFiles(files);
}

/** Waits until something holds, such as what lies on the disk. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!await holds()) {
    if (Date.now() > deadline) throw new Error(`It never came to be: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until no upload is under way, and fails when one did not arrive. */
export async function uploadsSettled(page: Page): Promise<void> {
  const panel = page.getByRole("region", { name: "All uploads" });
  await panel.getByRole("progressbar").first().waitFor({ state: "hidden", timeout: 120_000 });
  const shown = await panel.isVisible() ? await panel.innerText() : "";
  if (/failed|cancelled/i.test(shown)) throw new Error(`An upload did not arrive:\n${shown}`);
}

/** Waits until the page has woken: the keyboard then moves between the entries. */
export async function listingAwake(page: Page): Promise<void> {
  await page.locator('.row__name[tabindex="0"]').waitFor();
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
  const button = page.getByRole("group", { name: "View" }).getByRole("button", { name });
  if (await button.isVisible()) await button.click();
  else {
    await openViewMenu(page);
    await page.getByRole("dialog", { name: "View" }).getByRole("radio", { name }).check();
    await page.keyboard.press("Escape");
  }
  await shown.waitFor();
}

/** Opens the menu of the view: from its own button, or on phones from the other menu. */
export async function openViewMenu(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "View options" });
  if (await button.isVisible()) await button.click();
  else {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "View" }).click();
  }
  await page.getByRole("dialog", { name: "View" }).waitFor();
}
