/** The frame around every open file, and what is seen of the file before any script has come. */
import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { entry, listingAwake } from "../../support/browser/listing.ts";
import { SCRIPTS, withholdCode } from "../../support/browser/scripts.ts";
import { small, viewer } from "../../support/browser/viewer.ts";
import { docxOf, epubOf, workbookOf } from "../../support/data/documents.ts";
import { zipOf } from "../../support/data/hostile_archives.ts";
import { silence } from "../../support/data/media.ts";

const test = browserTests({ workerCounts: [1] });
const words = '<w:p><w:r><w:t xml:space="preserve">Dear friend</w:t></w:r></w:p>';
const files = {
  "a.md": `# Bread\n\n${"A paragraph of words.\n\n".repeat(80)}`,
  "b.csv": "Name;Amount\nAda;7\nZoë;8\n",
  "c.txt": "text\n",
  "d.ts": "export const a = 1;\n",
  "e.docx": docxOf(words),
  "f.xlsx": workbookOf({ sheets: { May: [["Day"], ["Mon"]] } }),
  "g.epub": epubOf(["<h1>One</h1>"]),
  "h.zip": zipOf([{ name: "a.txt", content: "a" }]),
  "i.png": new Uint8Array(small),
  "j.wav": silence(),
  "k.bin": Uint8Array.of(0, 1, 2),
};
const ACTIONS = ["Share", "Download", "Move", "Rename", "Delete", "Details"];

test(
  "every file has the same head: the same actions in the same order, and those to edit first",
  { tree: files, expected: [404, 501] },
  async ({ page, address }) => {
    for (const name of Object.keys(files)) {
      await page.goto(`${address}${name}`);
      await viewer(page).getByRole("heading", { level: 1, name, exact: true }).waitFor();
      await page.getByRole("button", { name: "More actions" }).waitFor();
      const head = page.locator(".viewer__head");
      const buttons = await head.getByRole("button").evaluateAll((all) =>
        all.map((button) => button.getAttribute("aria-label") ?? button.textContent)
      );
      const first = /md$|csv$/.test(name) ? ["Edit"] : [];
      const known = ["Back to folder", ...first, ...ACTIONS];
      assert.deepEqual(buttons.slice(0, known.length), known, name);
      assert.equal(buttons.at(-1), "More actions", name);
      assert.equal(await page.getByRole("heading", { name, exact: true, level: 1 }).count(), 1);
    }
    assert.deepEqual(await findBarriers(page), []);
    await page.locator(".viewer__size").getByRole("link").click();
    await page.waitForURL(address);
    await entry(page, "a.md").waitFor();
  },
);

test(
  "on a phone the actions without room are in the menu, which is a sheet",
  { device: "phone", tree: files },
  async ({ page, address }) => {
    await page.goto(`${address}a.md`);
    await page.getByRole("button", { name: "More actions" }).click();
    for (const word of ["Move", "Rename", "Details", "Next", "Print", "Delete"]) {
      await page.getByRole("menuitem", { name: word, exact: true }).waitFor();
    }
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit" }).tap();
    await page.locator(".cm-content").waitFor();
    for (const button of await page.locator(".viewer__head .button:visible").all()) {
      const box = await button.boundingBox();
      assert.ok(box && box.width >= 40 && box.height >= 40, await button.innerHTML());
    }
    await page.getByRole("button", { name: "Preview" }).tap();
    await page.getByRole("heading", { name: "Bread" }).waitFor();
  },
);

test(
  "with the details beside an open text, its actions lose their words before it loses its name",
  { tree: { "Household.md": "# Bread\n" } },
  async ({ page, address }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${address}Household.md`);
    const word = viewer(page).locator("[data-command=rename] .button__word");
    const widthOf = async () => (await word.boundingBox())?.width ?? 0;
    await viewer(page).getByRole("button", { name: "More actions" }).waitFor();
    assert.ok(await widthOf() > 20);
    await viewer(page).getByRole("button", { name: "Details" }).click();
    await page.getByRole("complementary", { name: "Details" }).waitFor();
    assert.equal(await widthOf(), 1);
    const name = page.getByRole("heading", { level: 1, name: "Household.md" });
    const isCut = await name.evaluate((line) => line.scrollWidth > line.clientWidth);
    assert.equal(isCut, false);
  },
);

test(
  "a text goes to the trash by its head, and its folder is shown",
  { tree: { "c.txt": "text\n", "i.png": new Uint8Array(small) }, expected: [404] },
  async ({ page, address }) => {
    await listingAwake(page);
    await entry(page, "c.txt").dblclick();
    await page.locator(".cm-content").waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).click();
    await page.waitForURL(address);
    await entry(page, "i.png").waitFor();
    assert.equal(await entry(page, "c.txt").count(), 0);
  },
);

test(
  "a page shows its document without scripts, and keeps it until they are there",
  { tree: files, expected: [503] },
  async ({ page, address }) => {
    await intercept(page, SCRIPTS, (route) => route.fulfill({ status: 503 }));
    await page.goto(`${address}a.md`);
    await page.getByRole("heading", { name: "Bread" }).waitFor();
    assert.equal(await page.getByText("No preview available").count(), 0);
    assert.deepEqual(await findBarriers(page), []);
    await page.goto(`${address}b.csv`);
    await page.getByRole("cell", { name: "Zoë" }).waitFor();
    await page.goto(`${address}e.docx`);
    await page.locator(".file-bones").waitFor();
    assert.equal(await page.getByText("Modified", { exact: true }).count(), 0);
    await page.goto(`${address}i.png`);
    await page.waitForFunction(() =>
      document.querySelector<HTMLImageElement>(".first-look img")?.naturalWidth === 400
    );
    await page.unroute(SCRIPTS);
    await page.goto(`${address}a.md`);
    await page.locator(".viewer:not(.first-look) .markdown:focus").waitFor();
    const ring = () =>
      page.locator(".markdown").evaluate((sheet) => getComputedStyle(sheet).outlineStyle);
    assert.equal(await ring(), "none");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    assert.notEqual(await ring(), "none");
  },
);

test(
  "a click on a button of an open file before its code is there is not lost",
  { tree: files },
  async ({ page, address }) => {
    for (const name of ["i.png", "c.txt"]) {
      const allow = await withholdCode(page);
      await page.goto(`${address}${name}`, { waitUntil: "commit" });
      await page.locator(".first-look").getByRole("button", { name: "Rename" }).click();
      allow();
      const field = page.getByRole("dialog").getByRole("textbox");
      await field.waitFor();
      assert.equal(await field.inputValue(), name);
      await page.unroute(SCRIPTS);
    }
  },
);

test(
  "a click on the head of a column before the code of the table is there is not lost",
  { tree: files },
  async ({ page, address }) => {
    const allow = await withholdCode(page);
    await page.goto(`${address}b.csv`, { waitUntil: "commit" });
    await page.locator(".first-look").getByRole("button", { name: "Amount" }).click();
    allow();
    await page.locator(".viewer:not(.first-look) th[aria-sort=ascending]").waitFor();
  },
);
