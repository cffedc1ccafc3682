import assert from "node:assert/strict";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, rowOf, rows, showAs } from "../../support/browser/listing.ts";
import { chooseFiles } from "../../support/browser/uploads.ts";
import { silence } from "../../support/data/media.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { fingers, press, smallTargets } from "../../support/browser/touch.ts";

const test = browserTests({ workerCounts: [1] });
const tree = { docs: { "deep.txt": "" }, "a.txt": "a", "b.txt": "b", "c.txt": "c" };
const sounds = { "a.wav": silence(), "b.wav": silence() };
const tablet = { device: "tablet", tree } as const;
const phone = { device: "phone", tree } as const;

const more = (page: Page, name: string) =>
  page.getByRole("button", { name: `Actions for ${name}`, exact: true });
const selected = (page: Page) => rows(page).and(page.locator("[aria-selected=true]")).count();
const onItsSide = (page: Page) => page.setViewportSize({ width: 844, height: 390 });

/** Asks the page to close what is open, as Android's way back does: no key goes before. */
async function back(page: Page): Promise<void> {
  await page.evaluate(() => {
    const silence = (event: Event) => event.stopImmediatePropagation();
    addEventListener("keydown", silence, { capture: true, once: true });
  });
  await page.keyboard.press("Escape");
}

async function liesAbove(upper: Locator, lower: Locator): Promise<void> {
  const [above, below] = [await upper.boundingBox(), await lower.boundingBox()];
  assert.ok(above && below && above.y + above.height <= below.y, `${upper} lies on ${lower}`);
}

async function isInWindow(page: Page, selector: string): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  const size = page.viewportSize();
  assert.ok(box && size);
  assert.ok(box.x >= 0 && box.x + box.width <= size.width, JSON.stringify(box));
  assert.ok(box.y >= 0 && box.y + box.height <= size.height, JSON.stringify(box));
}

test(
  "on a tablet every entry has a menu, in every view",
  { ...tablet, anyFont: true },
  async ({ page }) => {
    for (const mode of ["mosaic gallery", "mosaic", "list"] as const) {
      await showAs(page, mode);
      assert.deepEqual(await smallTargets(page), [], mode);
      await more(page, "b.txt").tap();
      await page.getByRole("menuitem", { name: "Rename" }).waitFor();
      await isInWindow(page, ".menu:popover-open");
      assert.equal(await rowOf(page, "b.txt").getAttribute("aria-selected"), "true", mode);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await eventually(async () => await selected(page) === 0);
    }
    assert.deepEqual(await findBarriers(page), []);
  },
);

for (const [device, options] of Object.entries({ tablet, phone })) {
  test(
    `on a ${device} a tap beside a menu closes it, and opens nothing`,
    options,
    async (fixture) => {
      const { page, address } = fixture;
      const closed = () => page.locator(".menu:popover-open").waitFor({ state: "detached" });
      const openers = [
        more(page, "a.txt"),
        page.getByRole("button", { name: "More actions" }),
        page.getByRole("button", { name: "New", exact: true }),
        page.getByRole("button", { name: device === "tablet" ? /^Account/ : "Notifications" }),
      ];
      for (const opener of openers) {
        await opener.tap();
        await page.locator(".menu:popover-open").waitFor();
        const row = await rowOf(page, "docs").boundingBox();
        assert.ok(row);
        await page.touchscreen.tap(row.x + 100, row.y + row.height / 2);
        await closed();
      }
      await openers[2]?.tap();
      await page.locator(".menu:popover-open").waitFor();
      await openers[2]?.tap();
      await closed();
      await more(page, "c.txt").tap();
      await page.getByRole("menuitem", { name: "Rename" }).waitFor();
      await page.keyboard.press("Escape");
      await closed();
      assert.equal(new URL(page.url()).pathname, address);
      await entry(page, "docs").tap();
      await page.waitForURL(`${address}docs/`);
    },
  );
}

test("a finger drags a bottom sheet down; a little is not enough", phone, async ({ page }) => {
  await page.getByRole("button", { name: "More actions" }).tap();
  const menu = page.locator(".menu:popover-open");
  const grip = menu.locator(".menu__grip");
  await page.getByRole("menuitem", { name: "New folder" }).and(page.locator(":focus")).waitFor();
  const top = async () => (await menu.boundingBox())?.y ?? 0;
  const bottom = async () => {
    const box = await menu.boundingBox();
    return box && box.y + box.height;
  };
  await eventually(async () => await bottom() === 844);
  const before = await top();
  const box = await grip.boundingBox();
  assert.ok(box);
  const session = await page.context().newCDPSession(page);
  const drag = (by: number) =>
    fingers(session, [0, by / 2, by].map((dy) => [{ x: 195, y: box.y + 12 + dy }]));
  await eventually(async () => {
    await drag(60);
    return await top() === before;
  });
  assert.equal(await menu.count(), 1);
  await eventually(async () => {
    if (await menu.count() > 0) await drag(400);
    return await menu.count() === 0;
  });
  await entry(page, "a.txt").waitFor();
  const account = page.getByRole("button", { name: /^Account/ });
  // After so swift a drag Chromium may take the first tap as the end of a fling: no click comes.
  await eventually(async () => {
    await page.getByRole("button", { name: "Open menu" }).tap();
    return await account.waitFor({ timeout: 3000 }).then(() => true, () => false);
  });
  await account.tap();
  await menu.getByRole("button", { name: "Sign out" }).waitFor();
  await eventually(async () => await bottom() === 844);
  await eventually(async () => {
    const head = await grip.boundingBox({ timeout: 1000 }).catch(() => null);
    if (head) await fingers(session, [0, 150, 300].map((dy) => [{ x: 195, y: head.y + 12 + dy }]));
    return await menu.count() === 0;
  });
});

test(
  "on a tablet a resting finger selects, and moves no column",
  { ...tablet, anyFont: true },
  async ({ page }) => {
    const size = rowOf(page, "a.txt").locator(".cell--size");
    const before = await size.boundingBox();
    await more(page, "a.txt").waitFor();
    await press(page, entry(page, "a.txt"));
    await page.getByText("1 selected").waitFor();
    assert.equal(await more(page, "a.txt").count(), 0);
    const after = await size.boundingBox();
    assert.deepEqual([after?.x, after?.width], [before?.x, before?.width]);
    assert.deepEqual(await smallTargets(page), []);
    await page.getByRole("button", { name: "More", exact: true }).tap();
    await page.getByRole("menuitem", { name: "Delete" }).waitFor();
  },
);

test(
  "on a tablet all of what finds in a text is in sight",
  { ...tablet, anyFont: true },
  async ({ page }) => {
    await entry(page, "a.txt").tap();
    await page.locator(".cm-content").waitFor();
    await page.getByRole("button", { name: /^Find/ }).tap();
    await page.getByRole("button", { name: "Replace all" }).waitFor();
    await isInWindow(page, ".cm-search [name=close]");
    assert.deepEqual(await smallTargets(page), []);
  },
);

test("the way back ends a selection, then leaves the folder", phone, async ({ page, address }) => {
  await entry(page, "docs").tap();
  await page.waitForURL(`${address}docs/`);
  await press(page, entry(page, "deep.txt"));
  await page.getByText("1 selected").waitFor();
  await eventually(async () => {
    await back(page);
    return !await page.getByText("1 selected").isVisible();
  });
  assert.equal(await selected(page), 0);
  assert.equal(await page.locator("[data-selecting]").count(), 0);

  await more(page, "deep.txt").tap();
  await page.getByRole("menu").waitFor();
  await page.goBack();
  await entry(page, "a.txt").waitFor();
  await page.getByRole("menu").waitFor({ state: "detached" });
  await page.goForward();
  await entry(page, "deep.txt").waitFor();
  await page.getByRole("button", { name: /^Search/ }).first().tap();
  await page.getByRole("dialog", { name: "Search" }).waitFor();
  await page.goBack();
  await page.getByRole("dialog", { name: "Search" }).waitFor({ state: "detached" });
});

test("a phone on its side shows all of a menu and a prompt", phone, async ({ page, folder }) => {
  await onItsSide(page);
  await page.getByRole("button", { name: "More actions" }).tap();
  await isInWindow(page, ".menu:popover-open");
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).tap();
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await isInWindow(page, ".prompt");
  await page.keyboard.press("Escape");
  await more(page, "a.txt").tap();
  await page.getByRole("menuitem", { name: "Move to…" }).tap();
  await liesAbove(page.getByRole("tree"), page.locator(".prompt__acts"));
  await page.keyboard.press("Escape");
  await chooseFiles(page, ["a.txt", "b.txt", "c.txt"].map((name) => join(folder, name)));
  const forAll = page.getByLabel("Apply to all");
  await liesAbove(page.getByRole("heading", { name: "3 items already exist" }), forAll);
  await liesAbove(forAll, page.locator(".conflict").nth(1));
  await liesAbove(page.locator(".conflicts"), page.locator(".prompt__acts"));
});

test("nothing to press lies under a notch", { ...phone, tree: sounds }, async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  const insets = { top: 0, bottom: 21, left: 47, right: 47 };
  // Newer than the list of commands.
  const command = "Emulation.setSafeAreaInsetsOverride" as "Emulation.clearIdleOverride";
  await session.send(command, { insets } as unknown as undefined);
  await onItsSide(page);
  const covered = () =>
    page.evaluate(
      ({ left, right, bottom }) =>
        [...document.querySelectorAll("a[href], button, input")].flatMap((target) => {
          const box = target.getBoundingClientRect();
          const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
          const isFree = box.left >= left && box.right <= innerWidth - right &&
            box.bottom <= innerHeight - bottom;
          return isFree || !met || !target.contains(met) ? [] : [target.outerHTML];
        }),
      insets,
    );
  assert.deepEqual(await covered(), []);
  await entry(page, "a.wav").tap();
  await page.getByRole("button", { name: "Back to folder" }).waitFor();
  await page.getByRole("button", { name: "Next" }).waitFor();
  assert.deepEqual(await covered(), []);
});
