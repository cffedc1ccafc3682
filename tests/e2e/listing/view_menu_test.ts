/** How a folder is shown: the menu of the view, what is remembered, groups, names and thumbnails. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import {
  entry,
  eventually,
  listingAwake,
  namesShown,
  openViewMenu,
  rowOf,
  showAs,
} from "../../support/browser/listing.ts";
import { hearNews } from "../../support/browser/news.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { blackPng } from "../../support/data/pictures.ts";

const long = "Thesis, final version with the corrections of everybody who has read it so far, " +
  "and with the appendix that nobody has (2).docx";

const test = browserTests({
  workerCounts: [1],
  async prepare(root) {
    const folder = join(root, "mixed");
    await Deno.mkdir(folder);
    for (const extension of ["jpg", "txt"]) {
      const names = `seq -f 'file %04.0f.${extension}' 1500 | xargs -d '\\n' touch`;
      await new Deno.Command("sh", { args: ["-c", names], cwd: folder }).output();
    }
  },
});

test(
  "a view is chosen by keyboard, kept for its folder alone, and used for all",
  { tree: { sub: { "x.txt": "" }, "a.txt": "1", "b.txt": "22" } },
  async ({ page, address }) => {
    await listingAwake(page);
    const isTold = await hearNews(page);
    const list = page.locator(".listing");
    const isShown = (view: string) => page.locator(`.listing[data-view="${view}"]`).waitFor();
    await openViewMenu(page);
    const menu = page.getByRole("dialog", { name: "View" });
    await menu.getByRole("radio", { name: "List" }).and(page.locator(":focus")).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("ArrowRight");
    await isShown("mosaic");
    await menu.getByRole("radio", { name: "Large" }).check();
    await menu.getByRole("radio", { name: "Size" }).check();
    // Changes are saved one after the other: that of the order is the last.
    const kept = page.waitForResponse((answer) =>
      answer.url().includes("/api/views/") &&
      answer.request().postData()?.includes('"asc":false') === true
    );
    await menu.getByRole("radio", { name: "Descending" }).check();
    assert.equal((await kept).status(), 200);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    await page.reload();
    await isShown("mosaic");
    assert.equal(await list.getAttribute("data-tiles"), "large");
    await eventually(async () => (await namesShown(page)).join(" ") === "sub b.txt a.txt");

    await page.goto(`${address}sub/`);
    await isShown("list");
    await page.goBack();
    await isShown("mosaic");
    await openViewMenu(page);
    await menu.getByRole("button", { name: "Apply to all folders" }).click();
    await isTold("Now used for all folders");
    await page.keyboard.press("Escape");
    await page.goto(`${address}sub/`);
    await isShown("mosaic");
    assert.equal(await list.getAttribute("data-tiles"), "large");

    // Back to what the other tests begin with.
    await openViewMenu(page);
    await menu.getByRole("radio", { name: "Medium" }).check();
    await menu.getByRole("radio", { name: "List" }).check();
    await menu.getByRole("radio", { name: "Name" }).check();
    await menu.getByRole("radio", { name: "Ascending" }).check();
    // The word of the former time may still be shown.
    const saved = page.waitForResponse((answer) =>
      answer.request().method() === "DELETE" && answer.url().includes("/api/views")
    );
    await menu.getByRole("button", { name: "Apply to all folders" }).click();
    await saved;
  },
);

test("groups have headings between 3,000 rows, and the keys go over them", {}, async ({ page }) => {
  await page.goto("/files/mixed/");
  await listingAwake(page);
  await openViewMenu(page);
  await page.getByRole("radio", { name: "Type" }).check();
  await page.getByRole("rowheader", { name: "Images" }).waitFor();
  await page.keyboard.press("Escape");
  const apart = async (upper: string, lower: string) => {
    const [above, below] = [
      await rowOf(page, upper).boundingBox(),
      await rowOf(page, lower).boundingBox(),
    ];
    return (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0);
  };
  assert.equal(await apart("file 0001.jpg", "file 0002.jpg"), 0);
  await entry(page, "file 0001.jpg").click();
  await page.keyboard.press("End");
  await entry(page, "file 1500.txt").waitFor();
  const end = await page.locator(".listing").evaluate(({ scrollTop, clientHeight, scrollHeight }) =>
    scrollHeight - clientHeight - scrollTop
  );
  assert.ok(end < 40, `${end} px are left below the last row`);
  // To the border of the two groups, by the place that both heights give.
  await page.locator(".listing").evaluate((list) => list.scrollTop = list.scrollHeight / 2 - 300);
  await page.getByRole("rowheader", { name: "Text" }).waitFor();
  await entry(page, "file 0001.txt").waitFor();
  assert.equal(await apart("file 1500.jpg", "file 0001.txt"), 40);
  await entry(page, "file 1500.jpg").click();
  await page.keyboard.press("ArrowDown");
  await page.locator(".row__name:focus", { hasText: "file 0001.txt" }).waitFor();
});

test(
  "a long name is cut in its middle, found as a whole, and one that fits is not",
  { tree: { [long]: "", "a name that has room in a list of this width.txt": "" } },
  async ({ page }) => {
    await listingAwake(page);
    const cutOf = (name: string) =>
      entry(page, name).evaluate((link) => {
        const frame = link.getBoundingClientRect();
        const cut = link.querySelector(".long__cut")?.getBoundingClientRect();
        const isCut = cut !== undefined && Math.abs(cut.top - frame.top) < 2;
        return {
          isCut,
          isOneLine: frame.height < 30,
          isWithin: (cut?.right ?? 0) <= frame.right + 1,
        };
      });
    assert.deepEqual(await cutOf(long), { isCut: true, isOneLine: true, isWithin: true });
    const fitting = await cutOf("a name that has room in a list of this width.txt");
    assert.equal(fitting.isCut, false);
    const isFound = await page.evaluate(
      (text) => (Reflect.get(globalThis, "find") as (text: string) => boolean)(text),
      long,
    );
    assert.ok(isFound);
    assert.equal(await entry(page, long).getAttribute("title"), long);
  },
);

/** Names of 12 to 32 letters, of usual and of wide ones. */
const sized = ["Inventory of a household w", "W", "表"].flatMap((letters) =>
  [8, 11, 14, 17, 20, 23, 26].map((count) =>
    `${letters.repeat(count).slice(0, count)} ${count}.xlsx`
  )
);

test(
  "no name loses its end, at any width and in any view",
  { tree: Object.fromEntries(sized.map((name) => [name, ""])) },
  async ({ page }) => {
    const endless = () =>
      page.locator(".row__name").evaluateAll((links) =>
        links.flatMap((link) => {
          const cut = link.querySelector(".long__cut");
          const frame = link.getBoundingClientRect();
          const box = cut?.getBoundingClientRect();
          const isCut = box !== undefined && Math.abs(box.top - frame.top) < 2;
          const ends = isCut ? box.right <= frame.right + 1 : link.scrollWidth <= link.clientWidth;
          return ends ? [] : [link.textContent];
        })
      );
    for (const view of ["mosaic", "list"] as const) {
      await showAs(page, view);
      for (const width of [1920, 1280, 820, 740, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await eventually(async () => (await endless()).length === 0);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  },
);

test(
  "pictures stand in place of icons in every view",
  { tree: { "empty.png": "", "b.txt": "" } },
  async ({ page, folder }) => {
    await Deno.writeFile(join(folder, "sea.png"), blackPng(300, 200));
    await page.reload();
    await listingAwake(page);
    const picture = rowOf(page, "sea.png").locator(".thumb img");
    for (const view of ["list", "mosaic", "mosaic gallery"] as const) {
      await showAs(page, view);
      await picture.waitFor();
      await eventually(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0));
      assert.equal(await rowOf(page, "b.txt").locator("img").count(), 0, view);
      // An empty file can't be a picture: nothing is asked for.
      assert.equal(await rowOf(page, "empty.png").locator("img").count(), 0, view);
    }
  },
);
