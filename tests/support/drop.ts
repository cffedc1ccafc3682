import type { Locator, Page } from "playwright-core";

/**
 * Drags files and folders of the disk from outside the browser and drops them on an element, as a
 * hand would: the events are trusted, and folders can be entered.
 */
export async function dropFiles(page: Page, target: Locator, files: string[]): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error("Cannot drop files: the target is not visible");
  const place = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 300) };
  const data = { items: [], files, dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await session.send("Input.dispatchDragEvent", { type, ...place, data });
  }
  await session.detach();
}
