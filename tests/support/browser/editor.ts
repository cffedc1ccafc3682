/** What a person sees and does in the editor, by roles and names. */
import type { Locator, Page } from "playwright-core";

/** The text of a file, where one writes. */
export function textOf(page: Page, name: string): Locator {
  return page.getByRole("textbox", { name: `Text of ${name}` });
}

/** Opens a file by its address, and waits for its text. */
export async function openText(page: Page, address: string, name: string): Promise<Locator> {
  await page.goto(`${address}${encodeURIComponent(name)}`);
  const text = textOf(page, name);
  await text.waitFor();
  return text;
}

/** Puts the cursor at the end of the text and writes. */
export async function write(page: Page, text: Locator, words: string): Promise<void> {
  await text.focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(words);
}

/** Waits until the line below the text says how it stands to the file. */
export async function stateIs(
  page: Page,
  state: "Saved" | "Unsaved changes" | "Not saved" | "Read-only",
): Promise<void> {
  // Not the message at the edge of the screen, which may be of a former time.
  await page.locator(".editor__state", { hasText: new RegExp(`^${state}$`) }).waitFor();
}

/** Has the page edit texts alone, as with a server that has no rooms for them. */
export async function editAlone(page: Page): Promise<void> {
  await page.routeWebSocket(/\/coediting\//, (socket) => socket.close());
}
