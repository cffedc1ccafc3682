/** Public problem reports about books: see `reported_books.ts`. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { bookOf, books, packed, page, picture, type Seen } from "./reported_books.ts";

const test = browserTests({ workerCounts: [1] });

async function assertSeen(shown: Page, name: string, { chapters, shows }: Seen): Promise<void> {
  await shown.locator(".paper__sheet, .status").getByText(shows).first().waitFor().catch(
    async (error) => {
      throw new Error(`${name}: ${await shown.locator("main").innerText()}`, { cause: error });
    },
  );
  if (!chapters) return;
  await shown.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll("option")].map((one) => one.text).join("|") === wanted,
    chapters.join("|"),
  ).catch(async () => {
    assert.deepEqual(await shown.locator("option").allTextContents(), chapters, name);
  });
}

test(
  "books of the reports are read: R62 to R68, their titles and what can't be shown",
  { tree: Object.fromEntries(Object.entries(books).map(([name, [, , bytes]]) => [name, bytes])) },
  async ({ page, address }) => {
    for (const [name, [id, holds, , seen]] of Object.entries(books)) {
      await page.goto(`${address}${encodeURIComponent(name)}`);
      await assertSeen(page, `${id}, ${holds}`, seen);
    }
  },
);

test(
  "pictures of a book are found in another case, and a picture may be a chapter",
  {
    tree: {
      "a.epub": bookOf(
        packed({ hrefs: ["a.xhtml", "cover.PNG"] }).replace(
          'href="cover.PNG" media-type="application/xhtml+xml"',
          'href="cover.PNG" media-type="image/png"',
        ),
        {
          "a.xhtml": page('<img src="Images/P%20ä.PNG"/>'),
          "images/p a\u0308.png": picture,
          "cover.png": picture,
        },
      ),
    },
  },
  async ({ page, address }) => {
    const isShown = () =>
      page.waitForFunction(() =>
        document.querySelector<HTMLImageElement>(".paper__sheet img")?.naturalWidth === 40
      );
    await page.goto(`${address}a.epub`);
    await isShown();
    await page.getByRole("button", { name: "Next chapter" }).click();
    await page.getByText("2 of 2").waitFor();
    await isShown();
  },
);
