import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry } from "../../support/browser/listing.ts";
import { silence } from "../../support/data/media.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { look, picture, shows, small, viewer } from "../../support/browser/viewer.ts";

const test = browserTests({ workerCounts: [1] });

/** A log of almost 12 MB, whose lines are numbered. */
const log = Array.from({ length: 240_000 }, (_, index) => {
  return `${String(index).padStart(6, "0")} the quick brown fox jumps over the dog é\n`;
}).join("");

test(
  "one goes from medium to medium without a trail, and returns to the one seen last",
  {
    tree: {
      "a.png": new Uint8Array(small),
      "b.zip": "PK",
      "c.wav": silence(),
      "d.txt": "text",
      "e.png": new Uint8Array(small),
    },
  },
  async ({ page, address }) => {
    await entry(page, "a.png").dblclick();
    await shows(page, "a.png");
    const length = await page.evaluate(() => history.length);
    await page.getByRole("button", { name: "Next" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Previous" }).count(), 0);
    await page.keyboard.press("ArrowRight");
    await shows(page, "c.wav");
    await page.keyboard.press("Enter");
    await shows(page, "e.png");
    await page.getByRole("button", { name: "Next" }).waitFor({ state: "detached" });
    await page.keyboard.press("ArrowLeft");
    await shows(page, "c.wav");
    await page.getByRole("button", { name: "Next" }).click();
    await shows(page, "e.png");
    assert.equal(await page.evaluate(() => history.length), length);
    assert.equal(new URL(page.url()).pathname, `${address}e.png`);

    await page.keyboard.press("Escape");
    await page.waitForURL(address);
    await page.locator('[aria-selected="true"]', { hasText: "e.png" }).waitFor();
    await page.locator("*:focus", { hasText: "e.png" }).waitFor();
    await page.goForward();
    await shows(page, "e.png");
    await page.goBack();
    await page.locator('[aria-selected="true"]', { hasText: "e.png" }).waitFor();
  },
);

test(
  "what is looked at is renamed, told about and deleted, and the next one follows",
  {
    expected: [404, 501],
    tree: { "a.png": new Uint8Array(small), "b.png": new Uint8Array(small), "c.wav": silence() },
  },
  async ({ page, folder, address }) => {
    await entry(page, "b.png").dblclick();
    await shows(page, "b.png");
    await page.getByRole("button", { name: "Details" }).click();
    const details = page.getByRole("complementary", { name: "Details" });
    await details.getByText("b.png").first().waitFor();
    await details.getByRole("button", { name: "Close details" }).click();
    await details.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("bee.png");
    await page.keyboard.press("Enter");
    await shows(page, "bee.png");
    assert.ok((await Deno.stat(join(folder, "bee.png"))).isFile);

    await page.getByRole("button", { name: "Next" }).waitFor();
    await page.keyboard.press("Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
    await shows(page, "c.wav");
    await page.getByRole("button", { name: "Previous" }).click();
    await shows(page, "a.png");
    const deleting = async () => {
      await page.getByRole("button", { name: "Delete" }).first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
    };
    await page.getByRole("button", { name: "Next" }).waitFor();
    await deleting();
    await shows(page, "c.wav");
    await page.getByRole("button", { name: "Previous" }).waitFor({ state: "detached" });
    await deleting();
    await page.waitForURL(address);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  },
);

test(
  "what can't be shown says why, and offers what helps",
  {
    expected: [404, 501],
    tree: { "a.bin": "\0\0", "broken.png": "no picture", "gone.wav": silence() },
  },
  async ({ page, folder }) => {
    await entry(page, "a.bin").dblclick();
    await page.getByText("No preview available for this type of file.").waitFor();
    assert.equal(await viewer(page).getByRole("link", { name: "Open", exact: true }).count(), 1);
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Next" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByText("The browser can’t read this file.").waitFor();
    const saved = page.waitForEvent("download");
    await viewer(page).getByRole("link", { name: "Download" }).click();
    assert.equal((await saved).suggestedFilename(), "broken.png");
    assert.deepEqual(await findBarriers(page), []);
    // Whoever is told soon enough that a file is gone is not led to it any more.
    const gone = /\/api\/raw\/.*gone\.wav/;
    await intercept(page, gone, (route) => route.fulfill({ status: 404 }));
    await page.keyboard.press("ArrowRight");
    await page.getByRole("heading", { name: "This location can’t be reached." }).waitFor();
    // The page sees by itself that the file is there again; the button is used below.
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.unroute(gone);
    await Deno.writeFile(join(folder, "gone.wav"), silence(2));
    await page.waitForFunction(() => document.querySelector("audio")?.duration === 2);
  },
);

test(
  "where the cookie has gone a ticket opens what is looked at",
  { expected: [401, 501], tree: { "a.png": new Uint8Array(small), "c.wav": silence() } },
  async ({ page }) => {
    await page.context().clearCookies();
    await entry(page, "a.png").dblclick();
    assert.match((await look(page)).source, /auth=/);
    await page.getByRole("button", { name: "Next" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => document.querySelector("audio")?.duration === 1);
  },
);

test(
  "a preview that does not load says so, and is tried again",
  { expected: [503], tree: { "a.png": new Uint8Array(small) } },
  async ({ page }) => {
    const failing = /_fresh\/js\//;
    await intercept(page, failing, (route) => route.fulfill({ status: 503 }));
    await entry(page, "a.png").dblclick();
    await page.getByRole("heading", { name: "This view couldn’t be loaded." }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.unroute(failing);
    await page.getByRole("button", { name: "Try again" }).click();
    await picture(page).waitFor();
  },
);

test(
  "a text too large for the editor is read in parts, from both ends",
  { tree: { "server.log": log, "disk.img": new Uint8Array(11 * 2 ** 20) } },
  async ({ page, address }) => {
    await page.goto(`${address}server.log`);
    const text = page.getByRole("region", { name: "server.log", exact: true });
    await text.getByText("000000 the quick").waitFor();
    await page.getByText("Too large for the editor, so you can only read it.").waitFor();
    await page.getByText("The first 1.05 MB of 11.").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Load more" }).click();
    await page.getByText("The first 2.1 MB of 11.").waitFor();
    assert.ok(log.startsWith(await text.textContent() ?? " "), "the parts do not fit together");
    await page.getByRole("button", { name: "Go to the end" }).click();
    await text.getByText("239999 the quick").waitFor();
    await page.getByText("The last 1.05 MB of 11.").waitFor();
    assert.match(await text.textContent() ?? "", /^\d{6} the/);
    await page.getByRole("button", { name: "Go to the beginning" }).press("Enter");
    await text.getByText("000000 the quick").waitFor();

    await page.goto(`${address}disk.img`);
    await page.getByText("No preview available for this type of file.").waitFor();
  },
);
