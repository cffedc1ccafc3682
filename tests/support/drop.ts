import type { CDPSession, Locator, Page } from "playwright-core";

type Step = "dragEnter" | "dragOver" | "drop" | "dragCancel";

/** A hand that holds files of the disk over an element: the events are trusted. */
async function handOver(
  page: Page,
  target: Locator,
  files: string[],
): Promise<{ session: CDPSession; send: (type: Step) => Promise<void> }> {
  const box = await target.boundingBox();
  if (!box) throw new Error("Cannot drop files: the target is not visible");
  const place = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 300) };
  const data = { items: [], files, dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  const send = async (type: Step) => {
    await session.send("Input.dispatchDragEvent", { type, ...place, data });
  };
  return { session, send };
}

/**
 * Drags files and folders of the disk from outside the browser and drops them on an element, as a
 * hand would: the events are trusted, and folders can be entered.
 */
export async function dropFiles(page: Page, target: Locator, files: string[]): Promise<void> {
  const { session, send } = await handOver(page, target, files);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) await send(type);
  await session.detach();
}

/** Holds a file over an element while something is done, then takes it away again. */
export async function hoverWithFiles(
  page: Page,
  target: Locator,
  act: () => Promise<void>,
): Promise<void> {
  const { session, send } = await handOver(page, target, [import.meta.filename ?? ""]);
  await send("dragEnter");
  await send("dragOver");
  await act();
  await send("dragCancel");
  await session.detach();
}
