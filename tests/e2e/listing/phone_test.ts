import assert from "node:assert/strict";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { temporaryFolder } from "../../support/disks/files.ts";
import {
  entry,
  eventually,
  listingAwake,
  namesShown,
  rowOf,
} from "../../support/browser/listing.ts";
import { uploadsSettled } from "../../support/browser/uploads.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { press, smallTargets } from "../../support/browser/touch.ts";

const test = browserTests({ workerCounts: [2] });
const phone = { device: "phone" } as const;

async function fitsTheScreen(page: Page): Promise<void> {
  const beyond = await page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth
  );
  assert.equal(beyond, 0, "the page is wider than the screen");
}

test(
  "a tap opens, a resting finger selects",
  { ...phone, tree: { docs: { "deep.txt": "" }, "a.txt": "a", "b.txt": "b" } },
  async ({ page, folder, address }) => {
    await listingAwake(page);
    await entry(page, "docs").tap();
    await page.waitForURL(`${address}docs/`);
    await entry(page, "deep.txt").waitFor();
    await page.goBack();

    await press(page, entry(page, "a.txt"));
    await page.getByText("1 selected").waitFor();
    for (const count of [2, 1, 2]) {
      await entry(page, "b.txt").tap();
      await page.getByText(`${count} selected`).waitFor();
    }
    await fitsTheScreen(page);
    await page.getByRole("button", { name: "Delete" }).tap();
    const prompt = page.getByRole("dialog", { name: "Delete 2 items?" });
    await prompt.getByRole("button", { name: "Move to trash" }).tap();
    await entry(page, "a.txt").waitFor({ state: "detached" });
    // The folder is told of the first of the two files before the second is gone.
    await entry(page, "b.txt").waitFor({ state: "detached" });
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["docs"]);
  },
);

// A call still under way when the session ends is refused, and rightly so.
const leaving = { ...phone, expected: [401] };

test("files are uploaded and one signs out by thumb", leaving, async ({ page, folder }) => {
  await using outside = await temporaryFolder();
  await Deno.writeTextFile(join(outside.path, "pocket.txt"), "from a pocket");
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload", exact: true }).tap();
  await (await chooser).setFiles(join(outside.path, "pocket.txt"));
  await entry(page, "pocket.txt").waitFor();
  await uploadsSettled(page);
  assert.equal(await Deno.readTextFile(join(folder, "pocket.txt")), "from a pocket");

  await page.getByRole("button", { name: "Open menu" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: /^Account:/ }).tap();
  await page.getByRole("button", { name: "Sign out" }).tap();
  await page.waitForURL(/\/login/);
});

test(
  "the first row is near the top, below the whole name of the folder and the way up",
  { ...phone, tree: { "Minutes of the residents": { "a.txt": "a", "bb.txt": "bb" } } },
  async ({ page, address }) => {
    await page.goto(`${address}Minutes%20of%20the%20residents/`);
    await listingAwake(page);
    const first = await rowOf(page, "a.txt").boundingBox();
    assert.ok(first && first.y <= 104, `${first?.y} px above the first row`);
    const title = page.getByRole("heading", { level: 1, name: "Minutes of the residents" });
    const isWhole = await title.locator(".crumbs__name").evaluate((name) =>
      name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight
    );
    assert.ok(isWhole, "the name is cut");

    const order = page.getByRole("button", { name: "View options Name" });
    await order.tap();
    const menu = page.getByRole("dialog", { name: "View options" });
    await menu.getByRole("radio", { name: "Size" }).check();
    await menu.getByRole("radio", { name: "Descending" }).check();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "View options Size" }).waitFor();
    await eventually(async () => (await namesShown(page)).join(" ") === "bb.txt a.txt");
    await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link").nth(-2).tap();
    await page.waitForURL(address);
  },
);

test(
  "the bar of the selection covers no row that is being selected",
  {
    ...phone,
    tree: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index + 10}.txt`, ""])),
  },
  async ({ page }) => {
    await listingAwake(page);
    const bar = page.locator(".chosen");
    const isAbove = (row: Locator) =>
      eventually(async () => {
        const [upper, lower] = [await row.boundingBox(), await bar.boundingBox()];
        return upper !== null && lower !== null && upper.y + upper.height <= lower.y;
      });
    const reach = await page.evaluate(() => {
      const rows = [...document.querySelectorAll("[data-index]")];
      return rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length;
    });
    await press(page, rowOf(page, `${reach + 9}.txt`));
    await page.getByText("1 selected").waitFor();
    await isAbove(rowOf(page, `${reach + 9}.txt`));
    for (let step = 0; step < 8; step++) await page.keyboard.press("ArrowDown");
    await page.locator("*:focus", { hasText: `${reach + 17}.txt` }).waitFor();
    await isAbove(rowOf(page, `${reach + 17}.txt`));
  },
);

test(
  "everything is large enough for a thumb and fits the screen",
  {
    ...phone,
    anyFont: true,
    tree: { [`${"a very long name ".repeat(12)}.txt`]: "", docs: {}, "sea.jpg": "" },
  },
  async ({ page, address }) => {
    await listingAwake(page);
    assert.deepEqual(await smallTargets(page), []);
    await fitsTheScreen(page);
    await page.getByRole("button", { name: "Open menu" }).tap();
    await page.getByRole("dialog").waitFor();
    assert.deepEqual(await smallTargets(page), []);

    await page.goto(`${address}sea.jpg`);
    // What is empty is no picture, which takes a while to find out.
    await page.locator(".viewer .viewer__note").waitFor();
    assert.deepEqual(await smallTargets(page), []);
    await fitsTheScreen(page);
    await page.context().clearCookies();
    await page.goto("/login");
    await page.waitForURL(/\/login/);
    assert.deepEqual(await smallTargets(page), []);
    await fitsTheScreen(page);
  },
);
