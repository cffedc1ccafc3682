/** Whether a page ever keeps its user waiting. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** What was seen of a page's tasks since {@linkcode watchTasks}. */
export interface Tasks {
  /** Asserts that no task took longer than 50 ms, measured by what the machine gave the page. */
  assertShort(): Promise<void>;
}

/** Longer than this a task is felt, in milliseconds. */
const felt = 50;

/**
 * Watches the tasks of a page. On a machine that others keep busy a task takes longer than its work:
 * a steady measure of work, done again and again meanwhile, tells how much longer.
 */
export async function watchTasks(page: Page): Promise<Tasks> {
  await page.evaluate(() => {
    const seen = { longest: 0, laps: [] as number[] };
    Reflect.set(globalThis, "seenTasks", seen);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: "longtask" });
    setInterval(() => {
      const start = performance.now();
      for (let sum = 0, step = 0; step < 2_000_000; step++) sum += step;
      seen.laps.push(performance.now() - start);
    }, 50);
  });
  return {
    async assertShort() {
      const { longest, laps } = await page.evaluate(() => Reflect.get(globalThis, "seenTasks"));
      const slowdown = Math.max(...laps) / Math.min(...laps);
      assert.ok(longest <= felt * slowdown, `${longest} ms, on a machine ${slowdown} times busy`);
    },
  };
}
