import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { paper } from "../../support/data/media.ts";

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

test(
  "a browser without a PDF viewer is offered the file itself",
  { tree: { "z.pdf": paper("Hello") } },
  async ({ page, address }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, "pdfViewerEnabled", { value: false });
    });
    await page.goto(`${address}z.pdf`);
    await page.getByText("This browser can’t show PDF files here.").waitFor();
    const link = page.getByRole("main").getByRole("link", { name: "Open", exact: true });
    assert.match(await link.getAttribute("href") ?? "", /api\/raw\/.*z\.pdf/);
    assert.deepEqual(await findBarriers(page), []);
  },
);
