/** When a page takes what a person does. */
import type { Page } from "playwright-core";

/**
 * Waits until the scripts of a loaded page have begun: the islands are awake, and hear keys, drops
 * and clicks. Before that a link is followed as by a browser without scripts, and a key is lost.
 */
export async function islandsAwake(page: Page): Promise<void> {
  try {
    await scriptsBegun(page);
  } catch (error) {
    // The page goes on to another one by itself.
    if (!/context was destroyed/.test(String(error))) throw error;
    await page.waitForLoadState();
    await islandsAwake(page);
  }
}

async function scriptsBegun(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Each island wakes in such a task, in turn.
    const { scheduler } = globalThis as { scheduler?: { postTask(task: () => void): unknown } };
    await scheduler?.postTask(() => {});
    // Effects run after the next picture, or soon when there is none; those of effects once more.
    for (let round = 0; round < 2; round++) {
      await new Promise<void>((resolve) => {
        setTimeout(resolve, 100);
        requestAnimationFrame(() => setTimeout(resolve));
      });
    }
  });
}
