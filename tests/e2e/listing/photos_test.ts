import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { eventually, rowOf, showAs } from "../../support/browser/listing.ts";
import { islandsAwake } from "../../support/browser/awake.ts";
import { share } from "../../support/browser/settings.ts";
import { quarters } from "../../support/data/pictures.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const shapes = [[300, 200], [200, 300], [320, 240], [360, 203], [440, 200], [200, 200]] as const;
const pictures = await Promise.all(
  shapes.map(async ([width, height]) => await quarters(width, height).jpeg().toBuffer()),
);

const test = browserTests({
  workerCounts: [1],
  async prepare(root) {
    await Deno.mkdir(join(root, "dated"));
    for (const year of [2023, 2024]) {
      for (let month = 1; month <= 12; month++) {
        const taken = `${year}:${String(month).padStart(2, "0")}:15 12:00:00`;
        const picture = await quarters(300, 200).jpeg().withExif({
          IFD2: { DateTimeOriginal: taken },
        }).toBuffer();
        for (let at = 0; at < 8; at++) {
          await Deno.writeFile(join(root, "dated", `${year} ${month} ${at}.jpg`), picture);
        }
      }
    }
    for (const [folder, count] of [["shapes", 60], ["fresh", 60], ["loads", 400]] as const) {
      await Deno.mkdir(join(root, folder));
      for (let at = 0; at < count; at++) {
        const picture = pictures[at * 7 % pictures.length];
        if (!picture) continue;
        await Deno.writeFile(join(root, folder, `p${String(at).padStart(3, "0")}.jpg`), picture);
      }
    }
  },
});

interface Tile {
  name: string;
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The pictures that are drawn, in the order of the listing. */
const tiles = (page: Page): Promise<Tile[]> =>
  page.locator("[data-index]").evaluateAll((rows) =>
    rows.map((row) => {
      const { left, top, width, height } = row.getBoundingClientRect();
      const name = row.querySelector(".row__name")?.textContent ?? "";
      return { name, left, top, width, height };
    })
  );

const placed = (page: Page) => page.locator(".rows[data-placed]").waitFor();

/** Waits until the server has read all pictures of a folder, and the page has laid them out. */
async function openRead(page: Page, folder: string): Promise<void> {
  await page.goto(`/files/${folder}/`);
  await eventually(async () => {
    const answer = await page.request.get(`/api/ratios/${folder}?read=true`);
    return (await answer.json()).unread === 0;
  });
  await page.reload();
  await islandsAwake(page);
  await placed(page);
}

const ratioOf = (name: string) => {
  const [width, height] = shapes[Number(name.slice(1, 4)) * 7 % shapes.length] ?? [1, 1];
  return width / height;
};

test("pictures keep their shapes, in full lines with narrow gaps", {}, async ({ page }) => {
  await openRead(page, "shapes");
  const drawn = await tiles(page);
  assert.ok(drawn.length >= 12, `${drawn.length} pictures`);
  const lines = Map.groupBy(drawn, ({ top }) => Math.round(top));
  for (const { name, width, height } of drawn) {
    assert.ok(Math.abs(width / height / ratioOf(name) - 1) < 0.04, `${name}: ${width}x${height}`);
  }
  const room = await page.locator(".rows").evaluate((rows) => rows.clientWidth);
  for (const line of [...lines.values()].slice(0, -1)) {
    const [first, last] = [line[0], line.at(-1)];
    assert.ok(first && last);
    assert.ok(Math.abs(last.left + last.width - first.left - room) <= 1, "the line is full");
    for (const [at, tile] of line.entries()) {
      const next = line[at + 1];
      const gap = next ? next.left - tile.left - tile.width : 4;
      assert.ok(gap >= 2 && gap <= 4.5, `a gap of ${gap}`);
    }
  }
});

test("names are seen under the mouse, with the focus and when selected", {}, async ({ page }) => {
  await openRead(page, "shapes");
  const opacity = (name: string) =>
    rowOf(page, name).locator(".row__name").evaluate((link) =>
      Number(getComputedStyle(link).opacity)
    );
  assert.equal(await opacity("p001.jpg"), 0);
  await rowOf(page, "p001.jpg").hover();
  await eventually(async () => await opacity("p001.jpg") === 1);
  await rowOf(page, "p003.jpg").click();
  await page.mouse.move(5, 5);
  await eventually(async () => await opacity("p003.jpg") === 1);
  await eventually(async () => await opacity("p001.jpg") === 0);
});

test("the name over a narrow picture is cut in the middle, and its beginning stays", {
  tree: { "Holiday in Lisbon 2001.jpg": await quarters(100, 400).jpeg().toBuffer() },
}, async ({ page, address }) => {
  await showAs(page, "mosaic gallery");
  await openRead(page, address.slice("/files/".length, -1));
  const cut = rowOf(page, "Holiday in Lisbon 2001.jpg").locator(".long__cut");
  const [start, room, letter] = await cut.evaluate((name) => [
    Number.parseFloat(getComputedStyle(name, "::before").inlineSize),
    name.getBoundingClientRect().width,
    Number.parseFloat(getComputedStyle(name).fontSize),
  ]);
  assert.ok(room && start && letter);
  assert.ok(room < 5 * letter, `the picture is narrow, not ${room} pixels wide`);
  assert.ok(start >= 2 * letter, `the beginning has ${start} pixels of ${room}`);
});

test(
  "the keys go to the nearest picture of the next line, to both ends, and select",
  {},
  async ({ page }) => {
    await openRead(page, "shapes");
    const focused = () =>
      page.evaluate(() =>
        document.activeElement?.closest<HTMLElement>("[data-index]")?.dataset.index
      );
    const goes = async (key: string, wanted: (index: number) => boolean) => {
      await page.keyboard.press(key);
      await eventually(async () => wanted(Number(await focused() ?? -1)));
      return Number(await focused());
    };
    await goes("Home", (index) => index === 0);
    const before = await tiles(page);
    const lower = await goes("ArrowDown", (index) => index > 0);
    const [at, below] = [before[0], before[lower]];
    assert.ok(at && below && below.top > at.top);
    const middle = ({ left, width }: Tile) => left + width / 2;
    const line = before.filter(({ top }) => top === below.top);
    const nearest =
      line.toSorted((a, b) =>
        Math.abs(middle(a) - middle(at)) - Math.abs(middle(b) - middle(at))
      )[0];
    assert.equal(below.name, nearest?.name);
    await goes("ArrowUp", (index) => before[index]?.top === at.top);
    await goes("Home", (index) => index === 0);
    await page.keyboard.press("Shift+ArrowDown");
    await page.getByText(`${lower + 1} selected`).waitFor();
    await goes("End", (index) => index === 59);
    await rowOf(page, "p059.jpg").waitFor();
  },
);

test(
  "without script the lines are the same, so that nothing moves at the start",
  {},
  async ({ page, server }) => {
    await openRead(page, "shapes");
    const withScript = await tiles(page);
    const state = await page.context().storageState();
    const browser = page.context().browser();
    assert.ok(browser);
    const context = await browser.newContext({
      ...{ baseURL: server.url, storageState: state, javaScriptEnabled: false },
      viewport: page.viewportSize(),
    });
    try {
      const plain = await context.newPage();
      await plain.goto("/files/shapes/");
      const rows = plain.locator("[data-index]");
      for (const tile of withScript.slice(0, 20)) {
        const box = await rows.filter({ hasText: tile.name }).boundingBox();
        assert.ok(box);
        for (
          const [now, then] of [[box.x, tile.left], [box.y, tile.top], [box.width, tile.width]]
        ) {
          assert.ok(Math.abs((now ?? 0) - (then ?? 0)) <= 3, `${tile.name}: ${now} for ${then}`);
        }
      }
    } finally {
      await context.close();
    }
  },
);

test(
  "one call tells the shapes of all pictures, and none is asked for each",
  {},
  async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname));
    await openRead(page, "fresh");
    asked.length = 0;
    await page.goto("/files/");
    await islandsAwake(page);
    await page.getByRole("link", { name: "fresh" }).first().dblclick();
    await placed(page);
    await eventually(async () => (await tiles(page)).length > 10);
    assert.equal(asked.filter((path) => path.startsWith("/api/ratios")).length, 1);
    assert.equal(asked.filter((path) => path.startsWith("/api/media/")).length, 0);
  },
);

/**
 * Has the shapes of a folder's pictures come in three answers: those of every other picture are
 * missing in the first two. The third waits until it is released.
 */
async function lateShapes(page: Page): Promise<{ release(): void; done: Promise<void> }> {
  const [released, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let answers = 0;
  await page.route(/\/api\/ratios\/loads/, async (route) => {
    const { ratios } = await (await route.fetch()).json();
    const isLast = ++answers >= 3;
    if (isLast) await released.promise;
    const known = ratios.map((ratio: number, at: number) => !isLast && at % 2 ? 0 : ratio || 150);
    await route.fulfill({ json: { ratios: known, unread: isLast ? 0 : 200 } });
    if (isLast) done.resolve();
  });
  return { release: released.resolve, done: done.promise };
}

const drawn = (page: Page) =>
  page.evaluate(
    "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
  );

test("the end stays in view when the shapes of other pictures come", {}, async ({ page }) => {
  const shapes = await lateShapes(page);
  await page.goto("/files/");
  await islandsAwake(page);
  await page.getByRole("link", { name: "loads" }).first().dblclick();
  await placed(page);
  await page.keyboard.press("End");
  await rowOf(page, "p399.jpg").waitFor();
  /** How far the last picture ends above the end of the view. */
  const room = async () => {
    const [row, list] = await Promise.all(
      [rowOf(page, "p399.jpg"), page.locator(".listing")].map((each) => each.boundingBox()),
    );
    return row && list ? list.y + list.height - row.y - row.height : NaN;
  };
  const height = () => page.locator(".rows").evaluate((rows) => rows.clientHeight);
  const [before, former] = [await room(), await height()];
  assert.ok(Math.abs(before) < 20, `${before}`);
  shapes.release();
  await shapes.done;
  await eventually(async () => await height() !== former);
  await drawn(page);
  assert.ok(Math.abs(await room() - before) <= 2, `${before}, then ${await room()}`);
});

test("what is in view stays there when the shapes of other pictures come", {}, async ({ page }) => {
  // The folder is new to the server: the first answers know little.
  const shapes = await lateShapes(page);
  await page.goto("/files/");
  await islandsAwake(page);
  await page.getByRole("link", { name: "loads" }).first().dblclick();
  await placed(page);
  await page.locator(".listing").evaluate((list) => list.scrollTop = 3_000);
  const topmost = () =>
    page.evaluate(() => {
      const list = document.querySelector(".listing")?.getBoundingClientRect();
      const seen = [...document.querySelectorAll<HTMLElement>("[data-index]")]
        .find((row) => row.getBoundingClientRect().bottom > (list?.top ?? 0) + 60);
      return Number(seen?.dataset.index);
    });
  await eventually(async () => await topmost() >= 0);
  const before = await topmost();
  shapes.release();
  await shapes.done;
  await drawn(page);
  const after = await topmost();
  assert.ok(Math.abs(after - before) <= 6, `${before}, then ${after}`);
});

/** Sorts the open folder by the date of taking, in months, and waits until it is shown so. */
async function inMonths(page: Page): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("session of the test") ?? "");
  const kept = await page.request.put("/api/views/dated", {
    headers: { "x-auth": token },
    data: {
      ...{ viewMode: "mosaic gallery", groupBy: "month", sorting: { by: "taken", asc: false } },
    },
  });
  assert.equal(kept.status(), 200);
  await openRead(page, "dated");
  await page.locator(".group").first().waitFor();
}

test("months of taking have headings, of which that of the view stays", {}, async ({ page }) => {
  await inMonths(page);
  const headings = page.locator(".group__name");
  await page.getByRole("rowheader", { name: "December 2024" }).waitFor();
  const head = await page.locator(".listing__head").boundingBox();
  await page.locator(".listing").evaluate((list) => list.scrollTop = 150);
  await eventually(async () => {
    const box = await headings.first().boundingBox();
    const [top, bottom] = [box?.y ?? 0, (head?.y ?? 0) + (head?.height ?? 0)];
    return top >= bottom && top < bottom + 40;
  });
  assert.match(await headings.first().textContent() ?? "", /^December 2024/);
  assert.deepEqual(await findBarriers(page), []);
});

test(
  "the dates at the side scroll by keys and by the mouse, and tell where they are",
  {},
  async ({ page }) => {
    await inMonths(page);
    const slider = page.getByRole("slider", { name: "Taken" });
    await slider.focus();
    const says = (month: string) =>
      eventually(async () => await slider.getAttribute("aria-valuetext") === month);
    await says("December 2024");
    await page.keyboard.press("ArrowDown");
    await says("November 2024");
    await page.keyboard.press("PageDown");
    await says("December 2023");
    await page.keyboard.press("ArrowUp");
    await says("January 2024");
    await page.keyboard.press("Home");
    await says("December 2024");
    assert.equal(await page.getByText(/selected$/).count(), 0, "the list takes no key of it");
    const box = await slider.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + 10, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 10, box.y + box.height - 1, { steps: 4 });
    await page.mouse.up();
    await eventually(async () => /2023$/.test(await slider.getAttribute("aria-valuetext") ?? ""));
  },
);

test("on a phone the handle of the dates is whole at both ends", {
  device: "phone",
}, async ({ page }) => {
  await inMonths(page);
  const handle = page.locator(".scrubber__now");
  await handle.waitFor();
  for (const to of [0, 1e6]) {
    await page.locator(".listing").evaluate((list, top) => list.scrollTop = top, to);
    await eventually(async () => {
      const box = await handle.boundingBox();
      const rail = await page.getByRole("slider", { name: "Taken" }).boundingBox();
      if (!box || !rail) return false;
      const [above, below] = [box.y - rail.y, rail.y + rail.height - box.y - box.height];
      return above > -1 && below > -1 && (to === 0 ? above : below) < 1;
    });
  }
});

test("Arabic begins at the right", { language: "ar" }, async ({ page }) => {
  await openRead(page, "shapes");
  const [first, second] = await tiles(page);
  assert.ok(first && second && first.left > second.left && first.top === second.top);
});

test(
  "what is no picture is a square with its name",
  { tree: { inside: {}, "a.txt": "a" } },
  async ({ page, folder, server, address }) => {
    await Deno.writeFile(join(folder, "b.jpg"), pictures[0] ?? new Uint8Array());
    await share(server, `${address.replace("/files", "")}inside`);
    await page.reload();
    await islandsAwake(page);
    await showAs(page, "mosaic gallery");
    await placed(page);
    for (const name of ["inside", "a.txt"]) {
      const box = await rowOf(page, name).boundingBox();
      assert.ok(box && Math.abs(box.width - box.height) <= 1, name);
      const link = rowOf(page, name).locator(".row__name");
      assert.equal(await link.evaluate((link) => getComputedStyle(link).opacity), "1");
    }
    const sign = await rowOf(page, "inside").getByRole("img", { name: "Shared" }).boundingBox();
    const words = await rowOf(page, "inside").locator(".row__name").boundingBox();
    assert.ok(sign && words && sign.y + sign.height <= words.y, "the sign is over the name");
    await showAs(page, "list");
  },
);
