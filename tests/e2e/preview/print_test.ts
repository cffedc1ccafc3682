/** What comes out of the printer: whole documents, without the site around them. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { entry, eventually, listingAwake } from "../../support/browser/listing.ts";
import { docxOf, epubOf, workbookOf } from "../../support/data/documents.ts";
import { quarters } from "../../support/data/pictures.ts";

const test = browserTests({ workerCounts: [1] });
const picture = new Uint8Array(await quarters(1600, 1200).png().toBuffer());
const paragraph = "All work and no play makes a long paragraph of many words.";

/** Words of the page itself, which no paper shows. */
const SITE = /New folder|Search|Download|Rename|Save|Sign out/;

/** Prints as the browser's own menu does. @returns the pages, and the text on them */
async function print(page: Page): Promise<{ pages: number; text: string }> {
  await page.evaluate(() => {
    const taken = globalThis as { printedText?: string };
    matchMedia("print").addEventListener("change", ({ matches }) => {
      if (!matches) return;
      taken.printedText = document.body.innerText;
      const { clientWidth } = document.documentElement;
      const isCut = (element: Element) => element.getBoundingClientRect().right > clientWidth + 1;
      const cut = [...document.querySelectorAll("body, body *")].find((element) => {
        return element.checkVisibility() && isCut(element);
      });
      if (cut) taken.printedText += ` cut: ${cut.tagName} ${cut.className} ${clientWidth}`;
    }, { once: true });
  });
  const bytes = new TextDecoder("latin1").decode(await page.pdf({ format: "A4" }));
  const pages = bytes.match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
  const text = await page.evaluate(() => (globalThis as { printedText?: string }).printedText);
  assert.ok(text !== undefined, "nothing was laid out for print");
  assert.ok(!text.includes(" cut: "), text.slice(text.indexOf(" cut: ")));
  assert.equal(SITE.exec(text)?.[0], undefined);
  return { pages, text };
}

const rows = Array.from({ length: 400 }, (_, index) => {
  return `Person ${index + 1};${"Street of a long name ".repeat(3)}${index};${index * 7}`;
});

test(
  "a table and a text are printed with all their lines, whatever is in view",
  {
    tree: {
      "people.csv": `Name;Address;Amount\n${rows.join("\n")}\n`,
      "code.ts": Array.from({ length: 900 }, (_, index) => `const a${index} = ${index};`).join(
        "\n",
      ),
    },
  },
  async ({ page, address }) => {
    await page.goto(`${address}people.csv`);
    await page.locator(".cells td").first().waitFor();
    await page.getByRole("button", { name: "Edit" }).waitFor();
    const table = await print(page);
    assert.ok(table.pages >= 8, `${table.pages} pages`);
    for (const name of ["Amount", "Person 1\t", "Person 200\t", "Person 400\t"]) {
      assert.ok(table.text.includes(name), name);
    }
    await page.goto(`${address}code.ts`);
    await page.locator(".cm-line").first().waitFor();
    const code = await print(page);
    assert.ok(code.pages >= 10, `${code.pages} pages`);
    assert.match(code.text, /const a0 = 0;[^]*const a899 = 899;/);
    assert.equal(await page.locator(".printed").count(), 0, "it stays on the page");
  },
);

const section = (number: number) =>
  `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Section ${number}</w:t></w:r></w:p>` +
  `<w:p><w:r><w:t>${paragraph}</w:t></w:r></w:p>`.repeat(30);

test(
  "documents, workbooks and books are printed from their beginning to their end",
  {
    tree: {
      "letter.docx": docxOf([1, 2, 3, 4, 5, 6].map(section).join("")),
      "notes.md": `# Begin\n\n${`${paragraph}\n\n`.repeat(150)}## End of notes`,
      "sea.epub": epubOf(
        [1, 2, 3].map((number) => `<h1>Part ${number}</h1>${`<p>${paragraph}</p>`.repeat(80)}`),
      ),
      "hours.xlsx": workbookOf({
        sheets: { May: [["Day"], ["Mon of May"]], June: [["Day"], ["Tue of June"]] },
      }),
    },
  },
  async ({ page, address }) => {
    const cases = [
      { name: "letter.docx", first: "Section 1", last: "Section 6", least: 4 },
      { name: "notes.md", first: "Begin", last: "End of notes", least: 4 },
      { name: "sea.epub", first: "Part 1", last: "Part 3", least: 6 },
      { name: "hours.xlsx", first: "Mon of May", last: "Tue of June", least: 1 },
    ];
    for (const { name, first, last, least } of cases) {
      await page.goto(`${address}${name}`);
      await page.locator(".viewer:not(.first-look)").getByText(first).filter({ visible: true })
        .first().waitFor();
      await page.getByRole("button", { name: "More actions" }).waitFor();
      const { pages, text } = await print(page);
      assert.ok(pages >= least, `${pages} pages of ${name}`);
      assert.ok(text.includes(first) && text.includes(last), name);
    }
  },
);

test(
  "a folder is printed with all its entries, also those that were not read yet",
  {
    tree: {
      ...Object.fromEntries(
        Array.from(
          { length: 340 },
          (_, index) => [`file ${String(index).padStart(3, "0")}.txt`, ""],
        ),
      ),
      "four.png": picture,
    },
  },
  async ({ page, address }) => {
    await listingAwake(page);
    await entry(page, "file 000.txt").waitFor();
    // The code that reads the rest is loaded once the page has come to rest.
    await page.locator("link[href*='late.css']").waitFor({ state: "attached" });
    await eventually(async () => (await print(page)).text.includes("file 339.txt"));
    const { pages, text } = await print(page);
    assert.ok(pages >= 6, `${pages} pages`);
    assert.match(text, /file 000\.txt[^]*file 339\.txt/);
    for (const index of [0, 49, 50, 120, 339]) {
      assert.ok(text.includes(`file ${String(index).padStart(3, "0")}.txt`), `${index}`);
    }
    await page.goto(`${address}four.png`);
    await page.locator(".viewer__picture:not([data-loading])").waitFor();
    assert.equal((await print(page)).pages, 1);
  },
);

test(
  "the menu of a file and the keys print it once all of it is here",
  { tree: { "people.csv": `Name;Address\n${rows.join("\n")}\n` } },
  async ({ page, address }) => {
    await page.goto(`${address}people.csv`);
    await page.evaluate(() => {
      globalThis.print = () => void (document.documentElement.dataset.printed = "yes");
    });
    const printed = async () => {
      await page.locator("html[data-printed]").waitFor();
      await page.evaluate(() => delete document.documentElement.dataset.printed);
    };
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Print" }).click();
    await printed();
    await page.keyboard.press("ControlOrMeta+p");
    await printed();
  },
);
