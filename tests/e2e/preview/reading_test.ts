import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, listingAwake } from "../../support/browser/listing.ts";
import { hearNews } from "../../support/browser/news.ts";
import { share } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { smallTargets } from "../../support/browser/touch.ts";
import { docxOf, epubOf, workbookOf, xlsxOf } from "../../support/data/documents.ts";
import { zipOf } from "../../support/data/hostile_archives.ts";
import { quarters } from "../../support/data/pictures.ts";

const test = browserTests({ workerCounts: [1] });
const picture = new Uint8Array(await quarters(40, 30).png().toBuffer());
const ran = "document.documentElement.dataset.ran='yes'";
const elsewhere = "https://evil.example/";

const zip = zipOf([
  { name: "photos/sea.png", content: picture },
  { name: "photos/more/x.txt", content: "x" },
  { name: "notes.txt", content: `<b onclick="${ran}">notes</b>` },
  { name: "secret.txt", content: "xxxx", flags: 0x801 },
]);

test(
  "an archive is read like a folder, and chosen entries come out of it",
  { tree: { "trip.zip": zip, "evil.zip": zipOf([{ name: "../evil.txt" }, { name: "a" }]) } },
  async ({ page, address, folder }) => {
    const heard = await hearNews(page);
    await page.goto(`${address}trip.zip`);
    const archive = page.getByRole("region", { name: "Contents of trip.zip" });
    await archive.getByRole("button", { name: "photos", exact: true }).waitFor();
    assert.equal(await archive.getByText("trip.zip").count(), 0, "the head has its name");
    assert.deepEqual(await findBarriers(page), []);
    assert.ok(await archive.getByRole("button", { name: "secret.txt" }).isDisabled());
    await archive.getByRole("button", { name: "notes.txt", exact: true }).click();
    await archive.getByText(`<b onclick="${ran}">notes</b>`).waitFor();
    await page.keyboard.press("Backspace");
    const photos = archive.getByRole("button", { name: "photos", exact: true });
    await photos.press("Enter");
    await archive.getByRole("button", { name: "sea.png", exact: true }).click();
    const shown = archive.getByRole("img", { name: "sea.png" });
    await shown.waitFor();
    await page.waitForFunction(() =>
      document.querySelector<HTMLImageElement>(".archive__picture")?.naturalWidth === 40
    );
    await archive.getByRole("button", { name: "Up one level" }).click();
    await archive.getByRole("checkbox", { name: "Select more" }).check();
    await archive.getByRole("button", { name: "Extract selected" }).click();
    await heard("Extracted to “trip”");
    assert.equal(await Deno.readTextFile(join(folder, "trip", "x.txt")), "x");
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ran), undefined);
    await archive.getByRole("checkbox", { name: "Select more" }).press("Escape");
    await page.waitForURL(address);
    await page.goto(`${address}evil.zip`);
    await page.getByText("Not shown, as their names are unsafe: 1").waitFor();
    await page.getByRole("button", { name: "Extract here" }).click();
    await page.getByText("The archive holds something unsafe").waitFor();
  },
);

const evilPage = `<h1>Shown</h1><script>${ran}</script><img src="x" onerror="${ran}" alt="one"/>
<img src="${elsewhere}pixel.png" alt="tracked"/><a href="javascript:${ran}">two</a>
<iframe src="${elsewhere}"></iframe><form action="/api/logout"><button>out</button></form>
<link rel="stylesheet" href="${elsewhere}a.css"/><svg><image xlink:href="../p.png"/></svg>
<object data="${elsewhere}"></object><p style="background:url(${elsewhere}b.png)">five</p>
<a href="c2.xhtml">On</a>`;
const run = (text: string, id?: string) => {
  const inner = `<w:r><w:t>${text}</w:t></w:r>`;
  return `<w:p>${id ? `<w:hyperlink r:id="${id}">${inner}</w:hyperlink>` : inner}</w:p>`;
};

test(
  "books and office documents are read, run nothing and load nothing from elsewhere",
  {
    // The picture that is in no book.
    expected: [404],
    tree: {
      "sea.epub": epubOf([evilPage, "<h1>Second</h1>"], { "OEBPS/p.png": picture }),
      "broken.epub": zipOf([{ name: "a", content: "b" }]),
      "letter.docx": docxOf(run("Dear &lt;b&gt;friend") + run("link", "evil"), {
        evil: `javascript:${ran}`,
      }),
      "broken.docx": "no zip",
      "people.xlsx": xlsxOf([["name", "age"], [`<img src=x onerror="${ran}">`, 7]]),
    },
  },
  async ({ page, address }) => {
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${address}sea.epub`);
    const sheet = page.locator(".paper__sheet");
    await sheet.getByRole("heading", { name: "Shown" }).waitFor();
    await page.waitForFunction(() =>
      [...document.images].some(({ naturalWidth }) => naturalWidth === 40)
    );
    const left = "script, iframe, form, button, link, object, svg, [style], [onerror], " +
      "[href^='javascript']";
    assert.equal(await sheet.locator(left).count(), 0);
    await sheet.getByText("two").click();
    assert.deepEqual(await findBarriers(page), []);
    await sheet.getByRole("link", { name: "On" }).click();
    await sheet.getByRole("heading", { name: "Second" }).waitFor();
    await page.getByRole("button", { name: "Previous chapter" }).click();
    await sheet.getByRole("heading", { name: "Shown" }).waitFor();
    await page.goto(`${address}broken.epub`);
    await page.getByText("This book can’t be shown").waitFor();
    await page.goto(`${address}letter.docx`);
    await sheet.getByText("Dear <b>friend").waitFor();
    await sheet.getByText("link").click();
    assert.equal(await sheet.locator(left).count(), 0);
    await page.goto(`${address}broken.docx`);
    await page.getByText("This document can’t be shown").waitFor();
    await page.goto(`${address}people.xlsx`);
    await page.getByRole("cell", { name: `<img src=x onerror="${ran}">` }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ran), undefined);
    assert.deepEqual(asked.filter((url) => url.startsWith(elsewhere)), []);
  },
);

test(
  "the README of a folder is below its rows, and a table is sorted by its columns",
  {
    tree: {
      "ReadMe.md": "# Welcome\n\n[to the table](a.csv) ![four](pictures/four.png)",
      "a.csv": 'name;amount\n"Zoë; 1";10\nAda;9\n',
      pictures: { "four.png": picture },
    },
  },
  async ({ page }) => {
    await listingAwake(page);
    const readme = page.getByRole("region", { name: "Text of ReadMe.md" });
    await readme.getByRole("heading", { name: "Welcome" }).waitFor();
    await page.waitForFunction(() =>
      document.querySelector<HTMLImageElement>(".readme img")?.naturalWidth === 40
    );
    assert.deepEqual(await findBarriers(page), []);
    await entry(page, "a.csv").waitFor();
    await readme.getByRole("link", { name: "to the table" }).click();
    const cells = page.locator(".cells td");
    await cells.first().waitFor();
    assert.deepEqual(await cells.allTextContents(), ["Zoë; 1", "10", "Ada", "9"]);
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "amount" }).click();
    await page.locator("th[aria-sort=ascending]").waitFor();
    assert.deepEqual(await cells.allTextContents(), ["Ada", "9", "Zoë; 1", "10"]);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.locator(".cm-content").waitFor();
    await page.getByRole("button", { name: "Preview" }).click();
    await cells.first().waitFor();
  },
);

const der = Uint8Array.from({ length: 206 }, (_, index) => index === 0 ? 0x30 : index);

test(
  "a text with NUL shows it, and a binary file with the name of a text is downloaded",
  {
    tree: {
      "nul.log": `first line\n${"\0".repeat(40)}\nlast line\n`,
      "wrong.txt": Uint8Array.from([...new TextEncoder().encode("Zo\u00eb na\u00efve "), 0xff]),
      "cert.crt": der,
      "movie.sub": new Uint8Array(3_000),
      "bank.csv": "Bank export 2026\nDate;Text;Amount\n01.02.2026;Rent;1.200,50 \u20ac\n" +
        "03.02.2026;Pay;80,00 \u20ac\n",
      "letter.docm": docxOf(run("Dear friend")),
      "hours.xlsm": workbookOf({
        sheets: { Hours: [["Day", "In"], ["Mon", { value: 0.3541666666666667, format: "hh:mm" }]] },
      }),
    },
  },
  async ({ page, address }) => {
    await page.goto(`${address}nul.log`);
    await page.locator(".cm-specialChar").first().waitFor();
    await page.getByText("last line").waitFor();
    await page.getByRole("note").waitFor();
    await page.goto(`${address}wrong.txt`);
    await page.getByText("Zo\u00eb na\u00efve").waitFor();
    await page.getByRole("note").waitFor();
    for (const name of ["cert.crt", "movie.sub"]) {
      await page.goto(`${address}${name}`);
      await page.getByText("No preview available for this type of file.").waitFor();
      // Before the scripts are there, the head has a link of that name as well.
      const shown = page.locator(".viewer:not(.first-look)");
      await shown.getByRole("link", { name: "Download" }).waitFor();
    }
    assert.deepEqual(await findBarriers(page), []);
    await page.goto(`${address}bank.csv`);
    await page.locator(".cells__notes").getByText("Bank export 2026").waitFor();
    await page.getByRole("button", { name: "Amount" }).click();
    await page.locator("th[aria-sort=ascending]").waitFor();
    const amounts = page.locator(".cells td:nth-child(3)");
    assert.deepEqual(await amounts.allTextContents(), ["80,00 \u20ac", "1.200,50 \u20ac"]);
    assert.deepEqual(await findBarriers(page), []);
    await page.goto(`${address}letter.docm`);
    await page.locator(".paper__sheet").getByText("Dear friend").waitFor();
    await page.goto(`${address}hours.xlsm`);
    await page.getByRole("cell", { name: "08:30" }).waitFor();
  },
);

const months = Array.from({ length: 40 }, (_, index) => `Month ${index + 1}`);
const year = {
  "one.xlsx": workbookOf({ sheets: { Only: [["Day"], ["Mon"]] } }),
  "year.xlsx": workbookOf({
    sheets: Object.fromEntries(months.map((month) => [month, [["Day"], [`Day of ${month}`]]])),
  }),
};

for (const [device, language] of [["desktop", "en"], ["phone", "ar"]] as const) {
  test(
    `the sheets of a workbook are tabs at its foot, which keys go through (${device}, ${language})`,
    { tree: year, device, language },
    async ({ page, address }) => {
      await page.goto(`${address}year.xlsx`);
      const tab = (name: string) => page.getByRole("tab", { name, exact: true });
      const shows = async (month: string) => {
        await page.getByRole("tabpanel", { name: month, exact: true })
          .getByRole("cell", { name: `Day of ${month}`, exact: true }).waitFor();
        await page.locator("[role=tab][aria-selected=true]").and(tab(month)).waitFor();
        assert.equal(await page.locator("[role=tab][tabindex='0']").count(), 1);
        await page.waitForFunction((name) => {
          const chosen = document.querySelector("[role=tab][aria-selected=true]");
          const { left = -1, right = Infinity } = chosen?.getBoundingClientRect() ?? {};
          return chosen?.textContent === name && left >= 0 && right <= innerWidth;
        }, month);
      };
      await shows("Month 1");
      assert.deepEqual(await findBarriers(page), []);
      if (device === "phone") assert.deepEqual(await smallTargets(page), []);
      await tab("Month 2").click();
      await shows("Month 2");
      const [onwards, back] = language === "ar"
        ? ["ArrowLeft", "ArrowRight"]
        : ["ArrowRight", "ArrowLeft"];
      for (
        const [key, month] of [
          ...[[onwards, "Month 3"], ["End", "Month 40"], [onwards, "Month 1"]],
          ...[[back, "Month 40"], ["Home", "Month 1"]],
        ] as const
      ) {
        await page.keyboard.press(key ?? "");
        await shows(month ?? "");
        await page.locator("[role=tab]:focus").and(tab(month ?? "")).waitFor();
      }
      await tab("Month 1").press("Escape");
      await page.waitForURL(address);
      await page.goto(`${address}one.xlsx`);
      await page.getByRole("cell", { name: "Mon" }).waitFor();
      assert.equal(await page.getByRole("tablist").count(), 0);
    },
  );
}

const line = "something happened in the house, and again\n";

test(
  "a log of any size is followed as it is written",
  { tree: { "big.log": line.repeat(280_000) } },
  async ({ page, address, folder }) => {
    await page.goto(`${address}big.log`);
    await page.getByRole("button", { name: "Follow" }).click();
    await page.getByText("New lines appear as they are written.").waitFor();
    await Deno.writeTextFile(join(folder, "big.log"), "the very last line\n", { append: true });
    const end = page.getByText("the very last line");
    await end.waitFor();
    await page.waitForFunction(() => {
      const box = document.querySelector(".viewer__lines");
      return box !== null && box.scrollTop + box.clientHeight + 8 >= box.scrollHeight;
    });
  },
);

const styled = (style: string, text: string) =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

test(
  "the title, quotes and code of a Word document look like what they are",
  {
    tree: {
      "report.docx": docxOf(
        styled("T", "The report") + styled("S", "Of a year") + styled("Q", "A word") +
          styled("C", "one") + styled("C", "two"),
        {},
        { T: "Title", S: "Subtitle", Q: "Quotations", C: "Preformatted Text" },
      ),
    },
  },
  async ({ page, address }) => {
    await page.goto(`${address}report.docx`);
    const sheet = page.getByRole("document");
    await sheet.getByRole("heading", { level: 1, name: "The report" }).waitFor();
    assert.equal(await sheet.locator("p > em").innerText(), "Of a year");
    assert.equal(await sheet.locator("blockquote").innerText(), "A word");
    assert.equal(await sheet.locator("pre").innerText(), "one\ntwo");
  },
);

const nothing = ["a.png", "b.svg", "c.mp4", "d.mp3", "e.pdf", "f.zip", "g.epub", "h.docx", "i.bin"];

test(
  "a file without content is called empty, whatever its kind, to visitors, too",
  { tree: Object.fromEntries(nothing.map((name) => [name, ""])) },
  async ({ page, address, server }) => {
    const note = page.locator(".viewer:not(.first-look)").getByText("This file is empty");
    for (const name of nothing) {
      await page.goto(`${address}${name}`);
      await note.waitFor();
      await page.getByRole("link", { name: "Download" }).first().waitFor();
      assert.equal(await page.getByRole("button", { name: "Zoom in" }).count(), 0, name);
    }
    const { hash } = await share(server, address.slice("/files".length));
    for (const name of nothing) {
      await page.goto(`/share/${hash}/${name}`);
      await note.waitFor();
    }
  },
);

test(
  "a name that turns its letters around shows that it does, to visitors, too",
  {
    tree: {
      "a\u202egpj.txt": "no picture",
      "b.zip": zipOf([{ name: "c\u202efdp.exe", flags: 0x800 }]),
    },
  },
  async ({ page, address, server }) => {
    await page.goto(address);
    await page.getByText("a\ufffdgpj.txt", { exact: true }).first().waitFor();
    await page.goto(`${address}a%E2%80%AEgpj.txt`);
    await page.getByRole("heading", { level: 1, name: "a\ufffdgpj.txt" }).waitFor();
    await page.goto(`${address}b.zip`);
    await page.getByText("c\ufffdfdp.exe", { exact: true }).first().waitFor();
    const { hash } = await share(server, address.slice("/files".length));
    await page.goto(`/share/${hash}/`);
    await page.getByText("a\ufffdgpj.txt", { exact: true }).first().waitFor();
  },
);
