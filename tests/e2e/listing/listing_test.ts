import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Sorting } from "../../../lib/shared/schemas/view.ts";
import { plantMany } from "../../support/disks/files.ts";
import {
  entry,
  isChosen,
  listingAwake,
  namesShown,
  rowOf,
  rows,
  typeAhead,
} from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({
  workerCounts: [2],
  prepare(root) {
    Deno.mkdirSync(join(root, "many"));
    plantMany(join(root, "many"), 10_000);
    Deno.mkdirSync(join(root, "numbers"));
    for (let index = 10_000; index < 12_000; index++) {
      Deno.writeTextFileSync(join(root, "numbers", `file-${index}.txt`), "");
    }
  },
});

/** Waits until an order is kept in the account. */
async function kept(page: Page, sorting: Sorting): Promise<void> {
  await page.waitForResponse((answer) => {
    const request = answer.request();
    const sent = request.method() === "PUT" ? request.postDataJSON() : null;
    return answer.ok() && JSON.stringify(sent?.sorting) === JSON.stringify(sorting);
  });
}

const LONG_NAME = `${"long ".repeat(40)}name`;

test(
  "the path of a folder is cut above it first, and its own name when it has no room alone",
  {
    tree: {
      "Quarter three": { "Drafts of the landing page": { Final: {} } },
      [LONG_NAME]: {},
    },
  },
  async ({ page, address }) => {
    const path = page.getByRole("navigation", { name: "Breadcrumbs" });
    const name = path.locator("[aria-current=page] .crumbs__name");
    const widths = () =>
      name.evaluate((element) => {
        const text = document.createRange();
        text.selectNodeContents(element);
        return {
          text: text.getBoundingClientRect().width,
          shown: element.getBoundingClientRect().width,
        };
      });
    for (const width of [780, 820, 900, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${address}Quarter three/Drafts of the landing page/Final/`);
      await name.waitFor();
      const { text, shown } = await widths();
      assert.ok(shown >= text - 0.01, `${shown} of ${text} px at ${width}`);
    }
    await page.goto(`${address}${LONG_NAME}/`);
    await name.waitFor();
    const { text, shown } = await widths();
    const room = await path.evaluate((element) => element.clientWidth);
    assert.ok(shown < text && shown <= room, `${shown} of ${text} px in ${room}`);
  },
);

test("a folder is made, opened, and left by the path above it", {}, async (fixture) => {
  const { page, folder, address } = fixture;
  await page.getByRole("button", { name: "New folder" }).first().click();
  const prompt = page.getByRole("dialog");
  await prompt.getByLabel("Name").fill("  letters ");
  await prompt.getByRole("button", { name: "Create" }).click();
  await isChosen(page, "letters");
  assert.ok((await Deno.stat(join(folder, "letters"))).isDirectory);

  await entry(page, "letters").dblclick();
  await page.waitForURL(`${address}letters/`);
  await page.getByText("It feels lonely here…").waitFor();
  assert.equal(await page.title(), "letters - Files");
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link").nth(1).click();
  await page.waitForURL(address);
  await entry(page, "letters").waitFor();
  await page.goBack();
  await page.waitForURL(`${address}letters/`);
});

test(
  "the columns order the entries, folders first, and the order stays",
  { tree: { "a10.txt": "333", "a9.txt": "1", "b.txt": "22", zoo: {} } },
  async ({ page }) => {
    const head = (name: string) => page.getByRole("columnheader", { name }).getByRole("button");
    const shows = async (...names: string[]) => {
      await entry(page, names[1] ?? "").waitFor();
      await page.waitForFunction(
        (wanted) => {
          const links = [...document.querySelectorAll("[role=gridcell] a")];
          const shown = links.map((link) => link.textContent?.replace(/, folder$/, ""));
          return shown.join() === wanted;
        },
        names.join(),
      );
    };

    await shows("zoo", "a9.txt", "a10.txt", "b.txt");
    await head("Name").click();
    await shows("zoo", "b.txt", "a10.txt", "a9.txt");
    await head("Size").click();
    await shows("zoo", "a9.txt", "b.txt", "a10.txt");
    const bySize = kept(page, { by: "size", asc: false });
    await head("Size").click();
    await bySize;
    await page.reload();
    await shows("zoo", "a10.txt", "b.txt", "a9.txt");

    const byName = kept(page, { by: "name", asc: true });
    await head("Name").click();
    await shows("zoo", "a9.txt", "a10.txt", "b.txt");
    await byName;
  },
);

test(
  "nothing is deleted before the question is answered",
  { tree: { "keep.txt": "k", "drop.txt": "d" } },
  async ({ page, folder, address }) => {
    const here = async () =>
      (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
    await listingAwake(page);
    await entry(page, "drop.txt").click();
    await page.getByRole("group", { name: "Actions for the selection" }).getByRole("button", {
      name: "Delete",
    }).click();
    const prompt = page.getByRole("dialog", { name: "Delete “drop.txt”?" });
    // The second press of two does nothing to what lies below the prompt.
    await prompt.getByRole("button", { name: "Cancel" }).dblclick();
    await prompt.waitFor({ state: "detached" });
    assert.deepEqual(await here(), ["drop.txt", "keep.txt"]);

    await page.keyboard.press("Delete");
    await prompt.waitFor();
    // A second press of Enter, as trembling hands give, does not open what is being deleted.
    await page.keyboard.down("Enter");
    await Promise.all([page.keyboard.press("Enter"), page.keyboard.press("Enter")]);
    await entry(page, "drop.txt").waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).pathname, address);
    assert.deepEqual(await here(), ["keep.txt"]);
    assert.deepEqual(await namesShown(page), ["keep.txt"]);
  },
);

test("of 10,000 entries only those in view are drawn", {}, async ({ page }) => {
  await page.goto("/files/many/");
  await listingAwake(page);
  const grid = page.getByRole("grid");
  await entry(page, "entry 00001.txt").waitFor();
  assert.equal(await grid.getAttribute("aria-rowcount"), "10001");
  await page.waitForFunction(() => document.querySelectorAll("[role=row]").length < 150);

  await entry(page, "entry 00001.txt").hover();
  await page.mouse.wheel(0, 150_000);
  await entry(page, "entry 00001.txt").waitFor({ state: "detached" });
  assert.ok((await rows(page).count()) < 150);

  await page.keyboard.press("End");
  await entry(page, "entry 10000.txt").waitFor();
  assert.ok(await entry(page, "entry 10000.txt").isVisible());
  await page.keyboard.press("Home");
  await entry(page, "entry 00001.txt").waitFor();
});

test("without scripts the first 50 entries are there", { signedIn: true }, async (fixture) => {
  const { page, server } = fixture;
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  assert.ok(context);
  try {
    await context.addCookies(await page.context().cookies());
    const plain = await context.newPage();
    await plain.goto(`${server.url}/files/many/`);
    assert.equal((await namesShown(plain)).length, 50);
    assert.equal((await namesShown(plain))[49], "entry 00050.txt");
  } finally {
    await context.close();
  }
});

test("going up puts the cursor on the folder that was left", {
  tree: { archive: {}, taxes: { deep: { "a.txt": "" } } },
}, async ({ page, address }) => {
  const focused = (name: string) => page.locator("*:focus", { hasText: name }).waitFor();
  await page.goto(`${address}taxes/deep/`);
  await listingAwake(page);
  await page.keyboard.press("Backspace");
  await page.waitForURL(`${address}taxes/`);
  await focused("deep");
  await page.getByRole("navigation", { name: "Breadcrumbs" }).getByRole("link").nth(1).click();
  await page.waitForURL(address);
  await focused("taxes");
  assert.equal(await rowOf(page, "taxes").getAttribute("aria-selected"), "true");
});

test(
  "the link of a file leads to its page, for another tab and to be passed on",
  { tree: { "notes.txt": "hello" } },
  async ({ page, address }) => {
    const href = await entry(page, "notes.txt").getAttribute("href");
    assert.equal(href, `${address}notes.txt`);
    await page.goto(href);
    await page.getByRole("textbox", { name: "Text of notes.txt" }).getByText("hello").waitFor();
  },
);

test("typing in a large folder selects the file, wherever it is, or none", {}, async ({ page }) => {
  await page.goto("/files/numbers/");
  await listingAwake(page);
  await page.keyboard.press("Home");
  await typeAhead(page, "file-11234");
  await page.locator("*:focus", { hasText: "file-11234.txt" }).waitFor();
  await page.getByText("1 selected").waitFor();
  // Typed whole: a pause before the last digit would begin a new name.
  await typeAhead(page, "file-112345");
  await page.getByText("1 selected").waitFor({ state: "detached" });
});
