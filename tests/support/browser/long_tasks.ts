/** Whether a page ever keeps its user waiting. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** What was seen of a page's tasks since {@linkcode watchTasks}. */
export interface Tasks {
  /** The longest, in milliseconds; 0 as long as none took more than 50. */
  longest(): Promise<number>;
  /** Asserts that no task took many times longer than what is felt. */
  assertShort(): Promise<void>;
}

/**
 * Longer than 50 ms a task is felt. On a machine that others keep busy it takes several times as
 * long; work that grows with the number of entries takes hundreds of times as long.
 */
const limitMs = 50 * 20;

/** Watches the tasks of a page. */
export async function watchTasks(page: Page): Promise<Tasks> {
  await page.evaluate(() => {
    const seen = { longest: 0 };
    Reflect.set(globalThis, "seenTasks", seen);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: "longtask" });
  });
  const longest = async () => {
    const seen = await page.evaluate(() => Reflect.get(globalThis, "seenTasks"));
    return seen.longest as number;
  };
  return {
    longest,
    async assertShort() {
      const took = await longest();
      assert.ok(took < limitMs, `a task of ${took} ms`);
    },
  };
}
