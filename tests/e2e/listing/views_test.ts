import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { eventually, rowOf, rows, showAs } from "../../support/browser/listing.ts";
import { blackPng } from "../../support/data/pictures.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({
  workerCounts: [1],
  async prepare(root) {
    await Deno.mkdir(join(root, "photos"));
    const picture = blackPng(900, 700);
    for (let index = 100; index < 220; index++) {
      await Deno.writeFile(join(root, "photos", `photo ${index}.png`), picture);
    }
  },
});

const tree = Object.fromEntries(["a", "b", "c", "d", "e", "f", "g"].map((name) => [name, name]));

test("a button goes through the views, and the choice stays", { tree }, async ({ page }) => {
  const places = () =>
    page.evaluate(() => {
      const [a, b] = [...document.querySelectorAll("[data-index]")];
      const apart = (b?.getBoundingClientRect().top ?? 0) - (a?.getBoundingClientRect().top ?? 0);
      return apart < 1 ? "side by side" : "below each other";
    });
  assert.equal(await places(), "below each other");
  for (const mode of ["mosaic", "mosaic gallery"] as const) {
    const kept = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await showAs(page, mode);
    assert.equal(await places(), "side by side");
    assert.equal((await kept).status(), 200);
    await page.reload();
    assert.equal(await places(), "side by side");
    assert.equal(await page.locator(`.listing[data-view="${mode}"]`).count(), 1);
  }
  await showAs(page, "list");
  assert.equal(await places(), "below each other");
});

test(
  "a name of many lines takes one, and lies over no other",
  { tree: { [`a${"\n".repeat(40)}a.txt`]: "", "b.txt": "" } },
  async ({ page }) => {
    for (const mode of ["mosaic", "mosaic gallery", "list"] as const) {
      await showAs(page, mode);
      const heights = await page.locator(".row__name").evaluateAll((names) =>
        names.map((name) => name.getBoundingClientRect().height)
      );
      assert.equal(heights.length, 2);
      assert.equal(heights[0], heights[1], mode);
    }
  },
);

test("the keys go both ways in a mosaic", { tree }, async ({ page }) => {
  await showAs(page, "mosaic");
  const goes = async (key: string, to: string) => {
    await page.keyboard.press(key);
    await page.locator("*:focus", { hasText: to }).waitFor();
  };
  await goes("Home", "a");
  await goes("ArrowDown", "f");
  await goes("ArrowRight", "g");
  await goes("ArrowUp", "b");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("6 selected").waitFor();
  await goes("End", "g");
});

for (const [device, wanted] of [["phone", 2], ["desktop", 5]] as const) {
  test(
    `the grid has square pictures, ${wanted} in a line (${device})`,
    { tree, device },
    async ({ page }) => {
      await showAs(page, "mosaic");
      const pictures = await page.locator("[data-index] .cell--name > :first-child")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
      const [first] = pictures;
      assert.equal(pictures.filter(({ top }) => Math.abs(top - first.top) < 1).length, wanted);
      for (const { width, height } of pictures) assert.ok(Math.abs(width - height) < 1);
      await showAs(page, "list");
    },
  );
}

test("a mosaic is ordered as a list is", { tree: { ...tree, zoo: {} } }, async ({ page }) => {
  await showAs(page, "mosaic");
  const head = page.getByRole("columnheader", { name: "Name" });
  await head.getByRole("button").click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[role=gridcell] a")].map((link) => link.textContent).join("") ===
      "zoogfedcba"
  );
  assert.equal(await head.getAttribute("aria-sort"), "descending");
  // The other tests see the same user's folders: they wait until the order is stored.
  const kept = page.waitForResponse((answer) =>
    /"asc":true/.test(answer.request().postData() ?? "")
  );
  await head.getByRole("button").click();
  await page.waitForFunction(() => document.querySelector("[aria-sort=ascending]") !== null);
  assert.equal((await kept).status(), 200);
});

test("a gallery loads the pictures in view, and no others", {}, async ({ page }) => {
  const asked = new Set<string>();
  page.on("request", (request) => {
    if (request.url().includes("/api/preview/thumb/")) asked.add(request.url());
  });
  await page.goto("/files/photos/");
  // A folder full of pictures is shown as photos by itself.
  await page.locator(".listing[data-view='mosaic gallery']").waitFor();
  const picture = (name: string) => rowOf(page, name).locator("img:not([data-blur])");
  await picture("photo 100.png").waitFor();
  await picture("photo 105.png").waitFor();
  assert.ok(asked.size < 40, `${asked.size} of 120 pictures were loaded`);

  await page.keyboard.press("End");
  await picture("photo 219.png").waitFor();
  const blownUp = await picture("photo 219.png").evaluate((image: HTMLImageElement) =>
    image.decode().then(() => image.clientWidth * devicePixelRatio / image.naturalWidth)
  );
  assert.ok(blownUp < 1.15, `it is ${blownUp} times as large as it is sharp`);
  assert.ok(asked.size < 80, `${asked.size} of 120 pictures were loaded`);
  assert.ok(![...asked].some((url) => url.includes("photo%20160.png")));
});

test(
  "the tile of a text shows its beginning, and reads no other part of it",
  {
    tree: {
      "notes.md": `# Packing list\n\n- tent\n${"- rope\n".repeat(20_000)}`,
      "empty.txt": "",
      "bytes.log": `\0\x01${"\x02".repeat(90)}`,
    },
  },
  async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const answered = page.waitForResponse((answer) => answer.status() === 204);
    await showAs(page, "mosaic");
    await answered;
    const tile = rowOf(page, "notes.md").locator(".text-tile");
    await tile.waitFor();
    assert.match(await tile.getAttribute("data-text") ?? "", /^# Packing list\n\n- tent\n- rope/);
    assert.equal(await page.locator(".text-tile").count(), 1);
    assert.equal(await rowOf(page, "notes.md").getByText("Packing").count(), 0);
    assert.deepEqual(asked.filter((path) => path.includes("/raw/")), []);
    assert.equal(asked.filter((path) => path.includes("empty.txt")).length, 0);
    assert.deepEqual(await findBarriers(page), []);
    await showAs(page, "list");
    assert.equal(await page.locator(".text-tile").count(), 0);
  },
);

test(
  "what has no picture shows its icon in the gallery",
  { tree: { docs: {}, "broken.png": "no picture", "a.txt": "" } },
  async ({ page }) => {
    const refused = page.waitForResponse((answer) => answer.status() === 204);
    await showAs(page, "mosaic gallery");
    await refused;
    await eventually(async () => await rows(page).locator("img").count() === 0);
    await eventually(async () => await rows(page).locator("svg").count() === 3);
  },
);

/** Each way in which a drawing may try to run something, to call the server, or to load a file. */
const spy = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  width="90" height="60" onload="top.document.title='ran'; fetch('/api/spied?onload')">
  <script>parent.document.title = "ran"; fetch("/api/spied?script")</script>
  <script href="/api/spied?loaded"/>
  <style>@import "/api/spied?style"; rect { fill: url(/api/spied?paint#a) }</style>
  <image href="/api/spied?image" xlink:href="/api/spied?link" width="9" height="9"/>
  <use href="/api/spied?use#a"/><animate onbegin="top.document.title='ran'" dur="1s"/>
  <foreignObject width="90" height="60"><body xmlns="http://www.w3.org/1999/xhtml">
    <iframe src="/api/spied?frame"/><img src="/api/spied?img" onerror="top.document.title='ran'"/>
  </body></foreignObject><rect width="90" height="60"/></svg>`;

test(
  "a drawing is its own tile in the gallery, where it runs and loads nothing",
  { tree: { "spy.svg": spy, "broken.svg": "no drawing", "huge.svg": spy.padEnd(2 ** 20 + 1) } },
  async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
    const broken = page.waitForResponse((answer) => answer.url().includes("broken.svg"));
    await showAs(page, "mosaic gallery");
    const tile = rowOf(page, "spy.svg").locator("img");
    await tile.waitFor();
    const width = await tile.evaluate((image: HTMLImageElement) =>
      image.decode().then(() => image.naturalWidth)
    );
    assert.equal(width, 90);
    await broken;
    await rowOf(page, "broken.svg").locator("svg").waitFor();
    await eventually(async () => await rows(page).locator("img").count() === 1);
    assert.equal(await rowOf(page, "huge.svg").locator("svg").count(), 1);
    await page.waitForTimeout(500);
    assert.doesNotMatch(await page.title(), /ran/);
    assert.deepEqual(asked.filter((path) => /spied|preview|huge/.test(path)), []);
  },
);

for (const scheme of ["light", "dark"] as const) {
  for (const device of ["desktop", "phone"] as const) {
    test(
      `no barrier stands in the mosaics (${scheme}, ${device})`,
      { scheme, device, tree: { docs: {}, "a.txt": "a", ".hidden": "", "movie.mp4": "" } },
      async ({ page }) => {
        for (const mode of ["mosaic", "mosaic gallery"] as const) {
          await showAs(page, mode);
          assert.deepEqual(await findBarriers(page), [], mode);
          await page.keyboard.press("ControlOrMeta+a");
          await page.getByText("4 selected").waitFor();
          assert.deepEqual(await findBarriers(page), [], `${mode}, selected`);
          await page.keyboard.press("Escape");
        }
        await showAs(page, "list");
      },
    );
  }
}
