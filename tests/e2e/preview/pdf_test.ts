import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { lockedPaper, paper, papers } from "../../support/data/media.ts";

const test = browserTests({ workerCounts: [2], browser: "whole" });

test(
  "a PDF opens in the browser's viewer",
  { tree: { "z.pdf": paper("Hello") } },
  async (fixture) => {
    const { page } = fixture;
    await entry(page, "z.pdf").dblclick();
    await page.getByRole("region", { name: "Preview of z.pdf" }).waitFor();
    await eventually(() =>
      page.frames().some((frame) => frame.url().startsWith("chrome-extension://"))
    );
    assert.deepEqual(await findBarriers(page), []);
  },
);

/** A browser without a reader of its own, such as that of Android. */
async function openWithout(page: Page, address: string): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "pdfViewerEnabled", { value: false });
  });
  await page.goto(address);
}

const drawn = (page: Page, number: number) =>
  page.locator(`.pdfViewer [data-page-number="${number}"][data-loaded]`);

test(
  "a browser without a PDF viewer shows and finds the pages, and keeps few of them",
  {
    tree: {
      "z.pdf": papers(
        Array.from({ length: 300 }, (_, index) => `Page ${index + 1} of many`),
        ["https://example.org/there", "javascript:document.title='ran'", "file:///etc/passwd"],
      ),
    },
  },
  async ({ page, address }) => {
    await openWithout(page, `${address}z.pdf`);
    await drawn(page, 1).waitFor();
    await page.getByText("/ 300").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    const links = page.locator('[data-page-number="1"] .annotationLayer a[href]');
    await links.first().waitFor();
    assert.deepEqual(
      await links.evaluateAll((all: Element[]) =>
        all.map((link) => [link.getAttribute("href"), link.getAttribute("rel")].join(" "))
      ),
      ["https://example.org/there noopener noreferrer nofollow"],
    );
    const number = page.getByRole("textbox", { name: "Page" });
    await number.fill("250");
    await number.press("Enter");
    await drawn(page, 250).waitFor();
    await page.locator('[data-page-number="250"] .textLayer').getByText("Page 250 of many")
      .waitFor();
    for (const goal of ["120", "20", "200"]) {
      await number.fill(goal);
      await number.press("Enter");
      await drawn(page, Number(goal)).waitFor();
    }
    const kept = await page.locator(".pdfViewer canvas").count();
    assert.ok(kept <= 40, `${kept} pages are kept`);

    const percent = await page.locator(".pdf__percent").innerText();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await eventually(async () => await page.locator(".pdf__percent").innerText() !== percent);
    await page.getByRole("button", { name: "Fit width" }).click();

    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("searchbox", { name: "Find" }).fill("page 77 of");
    await page.getByRole("search").getByText("1 of 1").waitFor();
    await eventually(async () => await number.inputValue() === "77");
    await page.getByRole("searchbox", { name: "Find" }).press("Escape");
    await page.getByRole("search").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.waitForURL(address);
  },
);

test(
  "a browser without a PDF viewer asks for the password of a PDF, prints it, and tells of a damaged one",
  { tree: { "broken.pdf": "%PDF-1.7\nnothing", "locked.pdf": lockedPaper } },
  async ({ page, address }) => {
    await openWithout(page, `${address}locked.pdf`);
    const password = page.getByLabel("Password");
    await password.fill("wrong");
    await password.press("Enter");
    await page.getByText("This password doesn’t open the file.").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await password.fill("secret");
    await password.press("Enter");
    await page.locator(".textLayer").getByText("Opened").waitFor();

    await page.evaluate(() => {
      globalThis.print = () => {
        dispatchEvent(new Event("beforeprint"));
        const sheets = document.querySelectorAll<HTMLImageElement>(".printed > img");
        document.title = `printed: ${[...sheets].map(({ src }) => src.slice(0, 5))}`;
        dispatchEvent(new Event("afterprint"));
      };
    });
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Print" }).click();
    await eventually(async () => await page.title() === "printed: blob:");

    await page.goto(`${address}broken.pdf`);
    await page.getByText("This PDF can’t be shown: it is damaged.").waitFor();
    const link = page.locator(".status").getByRole("link", { name: "Download" });
    assert.match(await link.getAttribute("href") ?? "", /api\/raw\/.*broken\.pdf/);
  },
);
