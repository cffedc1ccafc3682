/** What a person does with prompts, by roles and names. */
import type { Locator, Page } from "playwright-core";

/** The prompt on screen, by its title. */
export function prompt(page: Page, title: string | RegExp): Locator {
  return page.getByRole("dialog", { name: title });
}

/** Picks an action of the menu that a narrow screen has in its header. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  const more = page.getByRole("button", { name: "More actions" });
  if (await more.isVisible()) await more.click();
  else await page.locator("#more-menu").evaluate((menu: HTMLElement) => menu.showPopover());
  await page.getByRole("menuitem", { name, exact: true }).dispatchEvent("click");
}

/** A folder of the tree in a prompt. */
export function folder(page: Page, name: string): Locator {
  return page.getByRole("treeitem", { name, exact: true });
}
