import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import {
  entry,
  eventually,
  listingAwake,
  openViewMenu,
  rowOf,
} from "../../support/browser/listing.ts";
import { blackPng } from "../../support/data/pictures.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { fingers, press } from "../../support/browser/touch.ts";
import { share } from "../../support/browser/settings.ts";

const test = browserTests({ workerCounts: [1] });
const picture = blackPng(60, 40);
const tree = { docs: {}, "a report of the year.txt": "a", "b.txt": "b" };

/** Sets the font size in the settings of the browser, in pixels; 16 is usual. */
async function setFontSize(page: Page, standard: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // Chromium now and then forgets it while the page is still being laid out.
  await eventually(async () => {
    const now = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    if (now === `${standard}px`) return true;
    await session.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });
    return false;
  });
}

/** The buttons and links that the window does not show in their whole width. */
async function cutOff(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll("button, a[href], [role=columnheader]")].flatMap((control) => {
      const { left, right } = control.getBoundingClientRect();
      if (!control.checkVisibility() || left >= 0 && right <= innerWidth) return [];
      // They scroll by themselves.
      if (control.closest("nav.scrolls, .search__filters")) return [];
      return [`${control.getAttribute("aria-label") ?? control.textContent}: ${left} to ${right}`];
    })
  );
}

async function namesAreWide(page: Page, least: number): Promise<void> {
  await isWide(entry(page, "a report of the year.txt"), least);
}

async function isWide(words: Locator, least: number): Promise<void> {
  const box = await words.boundingBox();
  assert.ok(box && box.width >= least, `${box?.width} pixels wide`);
}

for (const size of [24, 32]) {
  test(
    `with a font of ${size} pixels names and buttons are in sight`,
    { tree },
    async (fixture) => {
      const { page } = fixture;
      await listingAwake(page);
      await setFontSize(page, size);
      await namesAreWide(page, 200);
      assert.deepEqual(await cutOff(page), []);
      // Nothing comes between the mouse and the name.
      await entry(page, "b.txt").hover();
      await entry(page, "b.txt").click();
      await page.getByText("1 selected").waitFor();
      assert.deepEqual(await cutOff(page), []);
    },
  );

  test(
    `with a font of ${size} pixels a phone shows names and buttons`,
    { tree, device: "phone", anyFont: true },
    async ({ page }) => {
      await listingAwake(page);
      await setFontSize(page, size);
      await namesAreWide(page, 100);
      assert.deepEqual(await cutOff(page), []);
      await page.getByRole("button", { name: "Actions for b.txt" }).tap();
      await page.getByRole("menuitem", { name: "Rename" }).waitFor();
      assert.deepEqual(await cutOff(page), []);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await press(page, rowOf(page, "b.txt"));
      await page.getByText("1 selected").waitFor();
      assert.deepEqual(await cutOff(page), []);
    },
  );
}

/** The buttons and links of the page that are cut off, and how far it scrolls sideways, state by state. */
async function faultsOf(page: Page, states: [string, () => Promise<unknown>][]): Promise<string[]> {
  const faults: string[] = [];
  for (const [state, enter] of states) {
    await enter();
    for (const fault of await cutOff(page)) faults.push(`${state}: ${fault}`);
    const aside = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    if (aside > 0) faults.push(`${state}: ${aside} px aside`);
  }
  return faults;
}

// 1280 pixels at 400 %, and text of twice its size.
for (
  const [what, viewport, size] of [
    ["at 400 % zoom", { width: 320, height: 400 }, 16],
    ["with a font of 32 pixels", { width: 1280, height: 800 }, 32],
  ] as const
) {
  test(
    `${what} nothing of the files page, its panels and its other pages is out of reach`,
    { tree: { ...tree, "sea.png": picture, "sky.png": picture }, anyFont: true },
    async ({ page, address }) => {
      await page.setViewportSize(viewport);
      await listingAwake(page);
      await setFontSize(page, size);
      const shown = (text: string | RegExp) => page.getByText(text).first().waitFor();
      const close = () => page.keyboard.press("Escape");
      const faults = await faultsOf(page, [
        ["listing", () => entry(page, "b.txt").waitFor()],
        ["view menu", () => openViewMenu(page)],
        ["selection", async () => {
          await close();
          await entry(page, "sea.png").focus();
          await page.keyboard.press("Space");
          await shown(/1 selected/);
          // WCAG 2.4.11: the bar that comes does not cover the row.
          await page.waitForFunction(() => {
            const row = document.activeElement?.closest("[role=row]")?.getBoundingClientRect();
            const bar = document.querySelector(".chosen")?.getBoundingClientRect();
            return row && bar && (row.bottom <= bar.top || bar.bottom <= row.top);
          });
        }],
        ["details", async () => {
          await page.keyboard.press("i");
          await shown("60 × 40");
        }],
        ["viewer", async () => {
          await page.goto(`${address}sea.png`);
          await page.getByRole("img", { name: "sea.png" }).first().waitFor();
        }],
        ["text", async () => {
          const noted = page.waitForResponse(/\/api\/recent\/.*b\.txt$/);
          await page.goto(`${address}b.txt`);
          await page.getByRole("toolbar").waitFor();
          await noted;
        }],
        ["recent files", async () => {
          await page.goto("/recent");
          await page.getByRole("link", { name: "b.txt" }).first().waitFor();
        }],
        ["shares", async () => {
          await page.goto("/shared");
          await page.getByRole("heading", { level: 1, name: "Shared by me" }).waitFor();
        }],
        ["trash", async () => {
          await page.goto("/trash");
          await shown("The trash is empty");
        }],
        ["settings", async () => {
          await page.goto("/settings/global");
          await page.getByRole("button", { name: "Save" }).first().waitFor();
        }],
      ]);
      assert.deepEqual(faults, []);
    },
  );
}

test(
  "with a font of 32 pixels a phone shows messages, the trash, and the pages of shares",
  {
    tree: { ...tree, "plans of the house": {} },
    device: "phone",
    expected: [404],
    anyFont: true,
  },
  async ({ page, server, address }) => {
    const folder = address.replace("/files", "");
    const { hash } = await share(server, folder);
    await listingAwake(page);
    await setFontSize(page, 32);
    const named = "a report of the year.txt";
    const faults = await faultsOf(page, [
      ["message", async () => {
        await page.getByRole("button", { name: `Actions for ${named}` }).tap();
        await page.getByRole("menuitem", { name: "Delete" }).tap();
        await page.getByRole("button", { name: "Move to trash" }).tap();
        const said = page.getByText("1 item moved to trash");
        // It stays for as long as it is pointed at.
        await said.hover();
        await isWide(said, 150);
      }],
      ["trash", async () => {
        await page.goto("/trash");
        await isWide(page.getByText(named), 150);
      }],
      ["folders", async () => {
        await page.goto(address);
        await page.getByRole("button", { name: "Actions for b.txt" }).tap();
        await page.getByRole("menuitem", { name: "Move to…" }).tap();
        const plans = page.getByRole("treeitem", { name: "plans of the house" });
        await isWide(plans.getByText("plans of the house"), 100);
      }],
      ["share", async () => {
        await page.goto(`/share/${hash}`);
        await page.getByRole("checkbox", { name: "Select b.txt" }).tap();
        await isWide(page.getByRole("link", { name: "b.txt" }), 150);
        await page.getByRole("button", { name: "Download", exact: true }).waitFor();
      }],
      ["search", async () => {
        await page.goto(`${address}?search=b.txt`);
        // Those of this folder come before those of the other tests, which are elsewhere.
        const results = page.getByRole("grid", { name: "Results" });
        await press(page, results.locator("[data-index]").first());
        await page.getByRole("button", { name: "Delete" }).waitFor();
      }],
      ["missing folder", async () => {
        await page.goto(`${address}gone/deep/`);
        const last = page.getByRole("main").getByRole("link").last();
        await last.waitFor();
        const finger = await page.context().newCDPSession(page);
        await fingers(
          finger,
          Array.from({ length: 25 }, (_, at) => [{ x: 200, y: 700 - at * 20 }]),
        );
        // The page scrolls a moment after the fingers.
        await eventually(async () => {
          const box = await last.boundingBox();
          return box !== null && box.y + box.height <= 844;
        });
      }],
      ["dead link", async () => {
        await page.goto("/share/nothing");
        await page.getByText("This link no longer works").waitFor();
      }],
    ]);
    assert.deepEqual(faults, []);
  },
);
