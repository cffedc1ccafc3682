import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, rowOf } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { fingers, smallTargets } from "../../support/browser/touch.ts";
import { look, picture, shows, small } from "../../support/browser/viewer.ts";
import { quarters } from "../../support/data/pictures.ts";

const test = browserTests({ workerCounts: [1] });

/** A photograph too large to be shown as it is. */
const large = await sharp({
  create: {
    width: 1600,
    height: 1200,
    channels: 3,
    background: "#888",
    noise: { type: "gaussian", mean: 128, sigma: 50 },
  },
}).jpeg().toBuffer();

const percent = (page: Page, text: string) =>
  page.getByRole("button", { name: `${text}: zoom to fit` }).waitFor();

/** Double clicks until that has zoomed: what a busy page takes late counts as two clicks. */
async function doubleClick(page: Page, x: number, y: number): Promise<void> {
  await eventually(async () => {
    await page.mouse.dblclick(x, y);
    return await page.getByRole("button", { name: "200%: zoom to fit" }).isVisible();
  });
}

async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const many = Object.fromEntries(
  Array.from({ length: 1500 }, (_, index) => [`${String(index).padStart(4, "0")}.gif`, "GIF89a"]),
);

const album = {
  "a.png": new Uint8Array(small),
  "b.png": new Uint8Array(small),
  "c.png": new Uint8Array(small),
  "notes.txt": "text",
};

test(
  "a WebP is shown upright as its EXIF data says, and stays so when it comes closer",
  {
    tree: {
      "plain.webp": new Uint8Array(await quarters(160, 120).webp().toBuffer()),
      "upright.webp": new Uint8Array(
        await quarters(160, 120).webp().withMetadata({ orientation: 1 }).toBuffer(),
      ),
      "turned.webp": new Uint8Array(
        await quarters(160, 120).webp().withMetadata({ orientation: 6 }).toBuffer(),
      ),
    },
  },
  async ({ page, address }) => {
    const sized = (width: number, height: number, part: string) =>
      page.waitForFunction(
        ([width, height, part]) => {
          const shown = document.querySelector<HTMLImageElement>(".viewer__picture");
          return shown?.naturalWidth === width && shown.naturalHeight === height &&
            shown.currentSrc.includes(part as string);
        },
        [width, height, part] as const,
      );
    for (const name of ["plain", "upright"]) {
      await page.goto(`${address}${name}.webp`);
      await sized(160, 120, "/api/raw/");
    }
    await page.goto(`${address}turned.webp`);
    await sized(120, 160, "/api/preview/big/");
    const { x, y } = await middleOf(picture(page));
    await doubleClick(page, x, y);
    await sized(120, 160, "/api/preview/big/");
  },
);

const scanned = await quarters(60, 40).png().toBuffer();

test(
  "a scan of several pages tells that its first one is shown",
  {
    tree: {
      "scan.tif": new Uint8Array(
        await sharp([scanned, scanned], { join: { animated: true } }).tiff().toBuffer(),
      ),
    },
  },
  async ({ page, address }) => {
    await page.goto(`${address}scan.tif`);
    await page.getByText("Page 1 of 2", { exact: true }).waitFor();
  },
);

test(
  "a picture fits the window, and comes closer by double click, wheel, drag, keys and buttons",
  { tree: { "sea.jpg": new Uint8Array(large) } },
  async ({ page }) => {
    const reduced = page.waitForRequest(/\/api\/preview\/big\/.*sea\.jpg/);
    await entry(page, "sea.jpg").dblclick();
    await shows(page, "sea.jpg");
    await reduced;
    // Alone in its folder, it gets the room of the filmstrip once the folder is read.
    await page.getByRole("navigation", { name: "Filmstrip" }).waitFor({ state: "detached" });
    const stage = page.locator(".viewer__stage");
    await eventually(async () => {
      const { height } = await stage.boundingBox() ?? { height: NaN };
      return Math.abs((await look(page)).height - height) < 1.5;
    });
    const whole = await look(page);
    assert.ok(whole.height > 600 && whole.y + whole.height <= 801, JSON.stringify(whole));

    const { x, y } = await middleOf(picture(page));
    await doubleClick(page, x, y);
    await page.waitForFunction(() =>
      document.querySelector<HTMLImageElement>(".viewer__picture")?.currentSrc.includes("/api/raw/")
    );
    const twice = await look(page);
    assert.ok(Math.abs(twice.width - whole.width * 2) < 2, `${twice.width}`);

    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 20, { steps: 3 });
    await page.mouse.move(x + 4000, y, { steps: 3 });
    await page.mouse.up();
    const frame = await stage.boundingBox();
    const moved = await look(page);
    assert.ok(Math.abs(moved.x - (frame?.x ?? NaN)) < 1.5, "an edge came off the frame");

    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -120);
    await percent(page, "225%");
    await page.mouse.wheel(0, 120);
    await percent(page, "200%");
    await page.keyboard.press("0");
    await percent(page, "100%");
    await page.keyboard.press("+");
    await percent(page, "125%");
    await page.getByRole("button", { name: "Zoom out" }).click();
    await page.getByRole("button", { name: "Zoom out" }).click();
    await percent(page, "75%");
    assert.deepEqual(await findBarriers(page), []);
  },
);

test(
  "a link to a file far down a long folder knows its neighbours, and leads to its place there",
  { tree: { ...many, "1200.gif": new Uint8Array(small) }, expected: [501] },
  async ({ page, address }) => {
    await page.goto(`${address}1200.gif`);
    await shows(page, "1200.gif");
    await page.getByRole("button", { name: "Previous" }).waitFor();
    await page.getByRole("button", { name: "Back to folder" }).click();
    await page.waitForURL(address);
    await entry(page, "1200.gif").waitFor();
    await rowOf(page, "1200.gif").and(page.locator('[aria-selected="true"]')).waitFor();
    await eventually(async () => {
      const box = await rowOf(page, "1200.gif").boundingBox();
      return box !== null && box.y > 0 && box.y < 800;
    });
  },
);

test(
  "the next picture is loaded ahead, and once; arrows hide without a sign of life, and come again",
  { tree: { "a.png": new Uint8Array(small), "b.png": new Uint8Array(small) } },
  async ({ page }) => {
    const loaded: string[] = [];
    page.on("requestfinished", (request) => {
      const [, name] = /\/api\/(?:raw|preview\/big)\/.*\/(.\.png)/.exec(request.url()) ?? [];
      if (name) loaded.push(name);
    });
    await entry(page, "a.png").dblclick();
    const next = page.getByRole("button", { name: "Next" });
    await next.waitFor();
    // The next one may be there before the first.
    await eventually(() => loaded.includes("a.png") && loaded.includes("b.png"));
    await next.click();
    await page.getByRole("img", { name: "b.png" }).and(page.locator(":not([data-loading])"))
      .waitFor();
    assert.deepEqual(loaded.toSorted(), ["a.png", "b.png"]);
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByRole("img", { name: "a.png" }).and(page.locator(":not([data-loading])"))
      .waitFor();
    const opacity = () => next.evaluate((arrow) => getComputedStyle(arrow).opacity);
    await eventually(async () => await opacity() === "0");
    // They do not stay for long, so that a slow look misses them.
    let x = 300;
    await eventually(async () => {
      await page.mouse.move(++x, 300);
      return await opacity() === "1";
    });
    await eventually(async () => await opacity() === "0");
    await next.focus();
    await eventually(async () => await opacity() === "1");
  },
);

test(
  "pictures are counted, lie in a strip, are turned, and follow one another by themselves",
  { tree: album },
  async ({ page, address }) => {
    await page.clock.install();
    // Longer than it takes to choose another time.
    await page.addInitScript(() => localStorage.setItem("slideshow", "30 once"));
    await page.goto(`${address}b.png`);
    await page.getByText(/^2 of 3/).waitFor();
    const strip = page.getByRole("navigation", { name: "Filmstrip" });
    await strip.getByRole("button", { name: "c.png" }).waitFor();
    assert.equal(await strip.getByRole("button").count(), 3);
    assert.deepEqual(await findBarriers(page), []);
    const flat = await look(page);
    await page.keyboard.press("r");
    await eventually(async () => {
      const { width, height } = await look(page);
      return Math.abs(width / height - flat.height / flat.width) < 0.02;
    });
    await doubleClick(page, 640, 380);
    await strip.getByRole("button", { name: "c.png" }).click();
    await shows(page, "c.png");
    await page.getByText(/^3 of 3/).waitFor();
    await page.keyboard.press("ArrowLeft");
    await shows(page, "b.png");
    await picture(page).and(page.locator('[style*="rotate(90deg)"]')).waitFor();

    await page.keyboard.press("i");
    const details = page.getByRole("complementary", { name: "Details" });
    await details.waitFor();
    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await details.waitFor({ state: "hidden" });
    await page.getByRole("combobox", { name: "Time per picture" }).selectOption("3");
    await page.waitForFunction(() =>
      document.querySelector(".viewer__picture:not([data-loading])")
    );
    await page.clock.fastForward(3100);
    await shows(page, "c.png");
    await picture(page).waitFor();
    await page.clock.fastForward(3100);
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await shows(page, "c.png");
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Slideshow" }).waitFor();
    await details.getByRole("button", { name: "Close details" }).click();
    await details.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Hide filmstrip" }).click();
    await strip.waitFor({ state: "detached" });
    await page.reload();
    await page.getByText(/^3 of 3/).waitFor();
    assert.equal(await strip.count(), 0, "the choice is remembered");
  },
);

test(
  "on a phone a finger that goes down closes a picture; what has no room is in a menu",
  { tree: album, device: "phone", anyFont: true },
  async ({ page, address }) => {
    await entry(page, "b.png").tap();
    await picture(page).waitFor();
    await page.getByText(/^2 of 3/).waitFor();
    assert.equal(await page.getByRole("navigation", { name: "Filmstrip" }).count(), 0);
    assert.deepEqual(await smallTargets(page), []);
    await page.getByRole("button", { name: "More actions" }).tap();
    for (const name of ["Move", "Copy", "Rename", "Details", "Show filmstrip", "Delete"]) {
      await page.getByRole("menuitem", { name }).waitFor();
    }
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "hidden" });
    const session = await page.context().newCDPSession(page);
    await fingers(session, [[{ x: 200, y: 300 }], [{ x: 200, y: 400 }], [{ x: 200, y: 520 }]]);
    await page.waitForURL(address);
  },
);
