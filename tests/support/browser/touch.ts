/** Fingers on the screen, and whether what they press is large enough for them. */
import assert from "node:assert/strict";
import type { CDPSession, Locator, Page } from "playwright-core";

type Points = { x: number; y: number }[];

/**
 * Moves fingers over the screen, from one place to the next, and lifts them.
 *
 * @param before done while they are still there
 */
export async function fingers(
  session: CDPSession,
  places: Points[],
  before = () => Promise.resolve(),
): Promise<void> {
  for (const [index, place] of places.entries()) {
    const touchPoints = place.map((point, id) => ({ ...point, id }));
    const type = index === 0 ? "touchStart" : "touchMove";
    await session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
  await before();
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

/** Longer than a press has to be for a page to take it as a long one, in milliseconds. */
const longPressMs = 800;

/** Rests a finger on an element, for as long from when the page has felt it. */
export async function press(page: Page, target: Locator): Promise<void> {
  // Once it has come to rest itself.
  await target.click({ trial: true });
  const box = await target.boundingBox();
  assert.ok(box);
  const session = await page.context().newCDPSession(page);
  await page.evaluate((longPressMs) => {
    const long = new Promise<void>((resolve) => {
      const wait = () => setTimeout(resolve, longPressMs);
      addEventListener("pointerdown", wait, { capture: true, once: true });
    });
    Reflect.set(globalThis, "longPress", long);
  }, longPressMs);
  const long = () => page.evaluate(() => Reflect.get(globalThis, "longPress") as Promise<void>);
  await fingers(session, [[{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]], long);
  await session.detach();
}

/** What a finger can press on the screen but is too small for it, with its size. */
export async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const targets = document.querySelectorAll("a[href], button, input, select, [role=menuitem]");
    return [...targets].flatMap((target) => {
      // A link in a row is pressed anywhere on the row, and a box to tick anywhere on its line.
      const area = target.closest(target.matches(".row__name, .tick") ? "[role=row]" : "label") ??
        target;
      const { width, height, top, left } = area.getBoundingClientRect();
      const met = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!met || !area.contains(met) || (width >= 40 && height >= 40)) return [];
      const name = target.getAttribute("aria-label") ?? target.textContent;
      return [`${target.tagName} "${name}": ${width} x ${height}`];
    });
  });
}
