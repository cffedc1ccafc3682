import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { plantMany } from "../../support/disks/files.ts";
import {
  entry,
  eventually,
  listingAwake,
  rowOf,
  rows,
  showAs,
} from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({
  alone: true,
  workerCounts: [1],
  prepare(root) {
    Deno.mkdirSync(join(root, "selected"));
    plantMany(join(root, "selected"), 500);
  },
});

const tree = Object.fromEntries([..."abcdefgh"].map((name) => [name, name]));

async function selectedNames(page: Page): Promise<string> {
  const selected = rows(page).and(page.locator("[aria-selected=true]"));
  return (await selected.getByRole("link").allTextContents()).join(" ");
}

/** Draws with the mouse from beside one entry to beside another, until the names are selected. */
async function draw(page: Page, from: string, to: string, names: string): Promise<void> {
  await listingAwake(page);
  const [start, end] = [await rowOf(page, from).boundingBox(), await rowOf(page, to).boundingBox()];
  assert.ok(start && end);
  const x = start.x + start.width / 2;
  await page.mouse.move(x, start.y + 5);
  await page.mouse.down();
  await page.mouse.move(x + 30, start.y + 12, { steps: 3 });
  await page.mouse.move(x + 60, end.y + end.height - 5, { steps: 5 });
  await page.locator(".band").waitFor();
  await eventually(async () => await selectedNames(page) === names);
}

/** Draws, and lets go. */
async function drawAll(page: Page, from: string, to: string, names: string): Promise<void> {
  await draw(page, from, to, names);
  await page.mouse.up();
  await page.locator(".band").waitFor({ state: "detached" });
}

test("a rectangle drawn with the mouse selects what it touches", { tree }, async ({ page }) => {
  await drawAll(page, "b", "d", "b c d");
  assert.equal(await selectedNames(page), "b c d");
  await page.keyboard.down("Control");
  await drawAll(page, "f", "g", "b c d f g");
  await page.keyboard.up("Control");
  assert.equal(await selectedNames(page), "b c d f g");
});

test("Esc gives a rectangle up", { tree }, async ({ page }) => {
  await listingAwake(page);
  await entry(page, "h").click();
  await draw(page, "b", "d", "b c d");
  await page.getByText("3 selected").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".band").waitFor({ state: "detached" });
  await page.mouse.up();
  assert.equal(await selectedNames(page), "h");
});

test("a rectangle scrolls at the edge of the view", {}, async ({ page, folder, address }) => {
  plantMany(folder, 40);
  await page.goto(address);
  await entry(page, "entry 00003.txt").waitFor();
  await listingAwake(page);
  const box = await rowOf(page, "entry 00003.txt").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 500, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + 520, box.y + 60, { steps: 3 });
  await page.mouse.move(box.x + 540, 795, { steps: 3 });
  await entry(page, "entry 00040.txt").waitFor();
  await page.getByText("38 selected").waitFor();
  await page.mouse.up();
  assert.equal(await rowOf(page, "entry 00040.txt").getAttribute("aria-selected"), "true");
});

test("in a mosaic a rectangle begins between the tiles", { tree }, async ({ page }) => {
  await showAs(page, "mosaic");
  const [a, g] = [await rowOf(page, "a").boundingBox(), await rowOf(page, "g").boundingBox()];
  assert.ok(a && g);
  await page.mouse.move(a.x + a.width + 4, a.y + a.height + 4);
  await page.mouse.down();
  await page.mouse.move(g.x + 20, g.y + 20, { steps: 5 });
  await page.mouse.move(g.x + 40, g.y + 30, { steps: 5 });
  await page.getByText("1 selected").waitFor();
  await page.mouse.up();
  assert.equal(await selectedNames(page), "g");
  await showAs(page, "list");
});

for (const mode of ["list", "mosaic", "mosaic gallery"] as const) {
  test(`clicks, keys and ticks select (${mode})`, { tree }, async ({ page }) => {
    await showAs(page, mode);
    await entry(page, "b").click();
    assert.equal(await selectedNames(page), "b");
    await entry(page, "e").click({ modifiers: ["Shift"] });
    assert.equal(await selectedNames(page), "b c d e");
    await entry(page, "c").click({ modifiers: ["ControlOrMeta"] });
    assert.equal(await selectedNames(page), "b d e");
    await rowOf(page, "g").hover();
    await rowOf(page, "g").getByRole("checkbox").click();
    assert.equal(await selectedNames(page), "b d e g");
    await page.keyboard.press("ControlOrMeta+a");
    assert.equal(await selectedNames(page), "a b c d e f g h");
    await page.keyboard.press("Escape");
    assert.equal(await selectedNames(page), "");
    await page.getByRole("checkbox", { name: "Select all" }).click();
    assert.equal(await selectedNames(page), "a b c d e f g h");
    await page.locator(".listing").click({ position: { x: 4, y: 300 } });
    assert.equal(await selectedNames(page), "", "a click on empty space selects nothing");
    await showAs(page, "list");
  });
}

test("while several are chosen, a click adds and takes away", { tree }, async ({ page }) => {
  await listingAwake(page);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Select items" }).click();
  await page.getByText("0 selected").waitFor();
  for (const name of ["b", "d", "e", "d"]) await entry(page, name).click();
  assert.equal(await selectedNames(page), "b e");
  await page.getByRole("button", { name: "Clear selection" }).click();
  await page.getByText("selected").waitFor({ state: "detached" });
  for (const name of ["b", "d"]) await entry(page, name).click();
  assert.equal(await selectedNames(page), "d");
});

test("going back finds the place, the selection and the keyboard again", {}, async (fixture) => {
  const { page } = fixture;
  const scrolled = () => page.locator(".listing").evaluate((list) => Math.round(list.scrollTop));
  await page.goto("/files/selected/");
  await entry(page, "entry 00001.txt").waitFor();
  await listingAwake(page);
  await page.locator(".listing").evaluate((list) => list.scrollTop = 6000);
  await entry(page, "entry 00160.txt").click();
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("2 selected").waitFor();
  const top = await scrolled();
  assert.ok(top > 5000);

  const isBack = async () => {
    await entry(page, "entry 00161.txt").waitFor();
    await page.getByText("2 selected").waitFor();
    await eventually(async () => await scrolled() === top);
    assert.equal(await selectedNames(page), "entry 00160.txt entry 00161.txt");
  };
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link").first().click();
  await entry(page, "selected").waitFor();
  await page.goBack();
  await isBack();
  await page.reload();
  await isBack();
  await page.keyboard.press("ArrowDown");
  await page.locator("*:focus", { hasText: "entry 00162.txt" }).waitFor();
});

/** Says in the account of the one who is signed in whether one click opens. */
async function openOnClick(page: Page, singleClick: boolean): Promise<void> {
  const status = await page.evaluate(async (singleClick) => {
    const answer = await fetch("/api/users/1", {
      method: "PUT",
      headers: { "x-auth": localStorage.getItem("jwt") ?? "" },
      body: JSON.stringify({ what: "user", which: ["singleClick"], data: { singleClick } }),
    });
    return answer.status;
  }, singleClick);
  assert.equal(status, 200);
  await page.reload();
  await listingAwake(page);
}

test(
  "where one click opens, ticks and keys select",
  { tree: { docs: { "deep.txt": "" }, "a.txt": "a", "b.txt": "b", "c.txt": "c" } },
  async ({ page, address }) => {
    await openOnClick(page, true);
    await entry(page, "a.txt").click({ modifiers: ["ControlOrMeta"] });
    await entry(page, "c.txt").click({ modifiers: ["Shift"] });
    assert.equal(await selectedNames(page), "a.txt b.txt c.txt");
    await rowOf(page, "b.txt").getByRole("checkbox").click();
    assert.equal(await selectedNames(page), "a.txt c.txt");
    await entry(page, "docs").click();
    await page.waitForURL(`${address}docs/`);
    await entry(page, "deep.txt").waitFor();
    await openOnClick(page, false);
  },
);
