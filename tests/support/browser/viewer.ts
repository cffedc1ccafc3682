/** The viewer of files, as a person looks at it. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { quarters } from "../data/pictures.ts";

/** A picture that is shown as it is. */
export const small = await quarters(400, 300).png().toBuffer();

/** The viewer itself. */
export const viewer = (page: Page) => page.getByRole("region", { name: /^Preview of/ });

/** The picture in it, once it is loaded. */
export const picture = (page: Page) => page.locator(".viewer__picture:not([data-loading])");

/** The picture on screen, once it is there: its box and where it comes from. */
export async function look(page: Page) {
  await picture(page).waitFor();
  const box = await picture(page).boundingBox();
  assert.ok(box);
  const source = await picture(page).evaluate((image: HTMLImageElement) => image.currentSrc);
  return { ...box, source };
}

/** Waits until the viewer shows a file. */
export async function shows(page: Page, name: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await page.waitForFunction((title) => document.title === title, `${name} - Files`);
}
