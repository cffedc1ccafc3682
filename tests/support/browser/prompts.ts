/** What a person does with prompts, by roles and names. */
import type { Locator, Page } from "playwright-core";

/** The prompt on screen, by its title. */
export function prompt(page: Page, title: string | RegExp): Locator {
  return page.getByRole("dialog", { name: title });
}

/** Picks an action from the menu of what is selected; the row with the keyboard has the focus. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.locator("[aria-selected=true] a:focus").waitFor();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name, exact: true }).click();
}

/** Picks an action from the menu of the folder on screen. */
export async function chooseHere(page: Page, name: string): Promise<void> {
  const more = page.getByRole("button", { name: "More actions" });
  if (await more.isVisible()) await more.click();
  else await page.mouse.click(1200, 760, { button: "right" });
  await page.getByRole("menuitem", { name, exact: true }).click();
}

/** A folder of the tree in a prompt. */
export function folder(page: Page, name: string): Locator {
  return page.getByRole("treeitem", { name, exact: true });
}

/** Chooses a folder of the tree in a prompt, once no folder above can come in and move it. */
export async function pickFolder(page: Page, name: string): Promise<void> {
  const row = folder(page, name);
  await row.waitFor();
  const loading = page.getByRole("dialog").locator("[role=treeitem][aria-busy]");
  await loading.first().waitFor({ state: "detached" });
  await row.click();
  await row.and(page.locator("[aria-selected=true]")).waitFor();
}
