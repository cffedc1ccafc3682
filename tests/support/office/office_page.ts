/** The page of a document, around an editor of the tests' office server. */
import type { FrameLocator, Page } from "playwright-core";
import { eventually } from "../browser/listing.ts";

/** The frame of the editor. */
export const frameOf = (page: Page): FrameLocator => page.frameLocator(".office__frame");

/** The text in the editor. */
export const textOf = (page: Page) => frameOf(page).getByLabel("Document");

/** What the page shows once everything is saved, and before. */
export const saved = (page: Page) =>
  page.locator(".viewer__size").getByText("Saved", { exact: true });
export const unsaved = (page: Page) => page.locator(".viewer__size").getByText("Unsaved changes");

/** Waits until the editor of a page is there. */
export async function editorOpened(page: Page): Promise<void> {
  await textOf(page).waitFor();
  await page.getByRole("status").filter({ hasText: "The document is open." }).waitFor({
    state: "attached",
  });
}

/** What the page of the editor has for tests. */
export interface Editor {
  heard: { MessageId: string; Values: Record<string, unknown> }[];
  views: unknown;
  say: (MessageId: string, Values?: unknown) => void;
}

/** Runs in the page of the editor. */
export const inEditor = (page: Page, act: (editor: Editor) => unknown) =>
  textOf(page).evaluate((_, source) => new Function(`return (${source})(globalThis)`)(), `${act}`);

/** Waits until the editor has heard a message. */
export const heard = (page: Page, name: string) =>
  eventually(async () => JSON.stringify(await inEditor(page, ({ heard }) => heard)).includes(name));
