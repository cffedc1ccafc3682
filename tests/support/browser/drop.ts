import type { Locator, Page } from "playwright-core";
import { islandsAwake } from "./awake.ts";
import { eventually } from "./listing.ts";

type Step = "dragEnter" | "dragOver" | "drop" | "dragCancel";

/** A hand that holds files of the disk over a page: the events are trusted, folders can be entered. */
export interface Hand {
  /** Moves them over an element. */
  over(target: Locator): Promise<void>;
  /** Keeps them where they are: a browser tells of that again and again. */
  rest(): Promise<void>;
  /** Lets go of them where they are. */
  drop(): Promise<void>;
  /** Takes them away again, until the page has seen it. */
  leave(): Promise<void>;
}

/** Takes files and folders of the disk into the hand, outside the browser. */
export async function holdFiles(page: Page, files: string[]): Promise<Hand> {
  await islandsAwake(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  let place: { x: number; y: number } | null = null;
  const send = async (type: Step) => {
    await session.send("Input.dispatchDragEvent", { type, ...place ?? { x: 0, y: 0 }, data });
  };
  return {
    async over(target) {
      const box = await target.boundingBox();
      if (!box) throw new Error("Cannot hold files there: the target is not visible");
      const isEntering = place === null;
      place = { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 300) };
      if (isEntering) await send("dragEnter");
      await send("dragOver");
    },
    rest: () => send("dragOver"),
    async drop() {
      await send("drop");
      await session.detach();
    },
    async leave() {
      await send("dragCancel");
      await session.detach();
      // The page is told nothing of that; it sees the mouse come back without them.
      let x = 0;
      await eventually(async () => {
        await page.mouse.move(++x, 1);
        return await page.locator(".drop").count() === 0;
      });
    },
  };
}

/** Drags files and folders of the disk from outside the browser and drops them on an element. */
export async function dropFiles(page: Page, target: Locator, files: string[]): Promise<void> {
  const hand = await holdFiles(page, files);
  await hand.over(target);
  await hand.drop();
}

/** Holds a file over an element while something is done, then takes it away again. */
export async function hoverWithFiles(
  page: Page,
  target: Locator,
  act: () => Promise<void>,
): Promise<void> {
  const hand = await holdFiles(page, [import.meta.filename ?? ""]);
  await hand.over(target);
  await act();
  await hand.leave();
}
