import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually } from "../../support/browser/listing.ts";
import { silence } from "../../support/data/media.ts";
import { quarters } from "../../support/data/pictures.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { fingers } from "../../support/browser/touch.ts";

const test = browserTests({ workerCounts: [1] });
const wide = new Uint8Array(await quarters(1200, 900).png().toBuffer());
const tree = { "a.png": wide, "b.png": wide, "c.wav": silence() };

const shows = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const percent = (page: Page) => page.locator(".viewer__percent").innerText();
const widthOf = async (page: Page) =>
  (await page.locator(".viewer__picture:not([data-loading])").boundingBox())?.width ?? 0;

test(
  "a finger turns from medium to medium, and the picture follows it",
  { device: "phone", tree },
  async ({ page }) => {
    await entry(page, "a.png").tap();
    await shows(page, "a.png");
    await page.getByRole("button", { name: "Next" }).waitFor();
    const session = await page.context().newCDPSession(page);
    const along = (...xs: number[]) => xs.map((x) => [{ x, y: 300 }]);
    const slidTo = (wanted: string) =>
      eventually(async () =>
        await page.locator(".viewer__content")
          .evaluate((content) => getComputedStyle(content).translate) === wanted
      );

    await fingers(session, along(300, 280, 200, 290), () => slidTo("-10px"));
    await slidTo("none");
    await shows(page, "a.png");
    const arrow = await page.getByRole("button", { name: "Next" }).boundingBox();
    const fromArrow = [360, 340, 260, 180].map((x) => [{ x, y: (arrow?.y ?? 0) + 20 }]);
    await fingers(session, fromArrow, () => slidTo("-180px"));
    await shows(page, "b.png");
    await page.getByRole("button", { name: "Next" }).waitFor();
    await fingers(session, along(300, 280, 200, 120));
    await shows(page, "c.wav");
    await page.getByRole("button", { name: "Next" }).waitFor({ state: "detached" });
    await fingers(session, along(300, 280, 200, 120), () => slidTo("-45px"));
    await fingers(session, along(60, 80, 160, 240));
    await shows(page, "b.png");
  },
);

test(
  "a tap on an arrow that has hidden brings it back, and the next one turns",
  { device: "phone", tree },
  async ({ page }) => {
    await entry(page, "a.png").tap();
    await shows(page, "a.png");
    const next = page.getByRole("button", { name: "Next" });
    await next.waitFor();
    const { x, y } = await next.boundingBox() ?? { x: 0, y: 0 };
    const idle = page.locator(".viewer[data-idle]");
    const second = page.getByRole("heading", { level: 1, name: "b.png", exact: true });
    await eventually(async () => {
      await idle.waitFor();
      await page.touchscreen.tap(x + 20, y + 20);
      await idle.waitFor({ state: "detached" });
      assert.equal(await second.count(), 0, "the first tap shows the arrow alone");
      await page.touchscreen.tap(x + 20, y + 20);
      // On a busy machine it may have hidden again before.
      await second.or(idle).first().waitFor();
      return await second.isVisible();
    });
  },
);

test(
  "two fingers pinch, one moves what is close, two taps come closer",
  { device: "phone", tree },
  async ({ page }) => {
    await entry(page, "a.png").tap();
    await shows(page, "a.png");
    const whole = await widthOf(page);
    const session = await page.context().newCDPSession(page);
    const pair = (apart: number) => [{ x: 195 - apart, y: 450 }, { x: 195 + apart, y: 450 }];
    await fingers(session, [pair(40), pair(50), pair(80), pair(120)]);
    await eventually(async () => Math.abs(await widthOf(page) - whole * 3) < whole * 0.1);

    const before = await page.locator(".viewer__picture").boundingBox();
    await fingers(session, [200, 215, 260].map((x) => [{ x, y: 450 }]));
    await eventually(async () => {
      const now = await page.locator(".viewer__picture").boundingBox();
      return Math.abs((now?.x ?? 0) - (before?.x ?? 0) - 60) < 2;
    });
    await shows(page, "a.png");

    const wholeAgain = page.getByRole("button", { name: /zoom to fit/ });
    await eventually(async () => {
      if (await percent(page) === "100%") return true;
      // On a busy machine a tap may last so long that Chromium takes it for a long press.
      await wholeAgain.tap();
      return false;
    });
    // Sent together: what lies longer apart is no double tap.
    await Promise.all([page.touchscreen.tap(150, 450), page.touchscreen.tap(150, 450)]);
    await eventually(async () => await percent(page) === "200%");
  },
);

test(
  "on a phone nothing stands in the way, and every target is as large as a finger",
  { device: "phone", scheme: "dark", tree },
  async ({ page }) => {
    await entry(page, "b.png").tap();
    await shows(page, "b.png");
    await page.getByRole("button", { name: "Next" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    const tight = await page.locator(".viewer").locator("button:visible, a:visible").evaluateAll((
      all,
    ) =>
      all.flatMap((target) => {
        const { width, height, right } = target.getBoundingClientRect();
        const fits = width >= 40 && height >= 40 && right <= innerWidth;
        return fits ? [] : [`${target.getAttribute("aria-label")}: ${width} x ${height}`];
      })
    );
    assert.deepEqual(tight, []);
  },
);

test(
  "a preview is worked by keys alone, and the focus is never lost",
  { tree },
  async ({ page, address }) => {
    const hasFocus = (selector: string) =>
      page.waitForFunction(
        (wanted) => document.activeElement?.matches(wanted) ?? false,
        selector,
      );
    await entry(page, "a.png").focus();
    await page.keyboard.press("Enter");
    await shows(page, "a.png");
    await hasFocus(".viewer");
    await page.keyboard.press("Tab");
    await hasFocus("[aria-label='Back to folder']");
    const hidden = await page.locator(".sidebar, .header, .subhead").evaluateAll((parts) =>
      parts.every((part) => getComputedStyle(part).visibility === "hidden")
    );
    assert.ok(hidden, "what lies under the preview can be reached");

    const next = page.getByRole("button", { name: "Next" });
    await next.focus();
    await page.keyboard.press("Enter");
    await shows(page, "b.png");
    await page.keyboard.press("Enter");
    await shows(page, "c.wav");
    await next.waitFor({ state: "detached" });
    await hasFocus(".viewer");
    await page.keyboard.press("F2");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await shows(page, "c.wav");
    await page.keyboard.press("Escape");
    await page.waitForURL(address);
    await page.locator("*:focus", { hasText: "c.wav" }).waitFor();
  },
);
