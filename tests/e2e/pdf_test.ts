import assert from "node:assert/strict";
import { findBarriers } from "../support/browser/axe.ts";
import { entry, eventually } from "../support/browser/listing.ts";
import { setStage } from "../support/browser/stage.ts";
import { paper } from "../support/data/media.ts";

const play = setStage({ workerCounts: [2], browser: "whole" });

play(
  "a PDF opens in the browser's viewer",
  { tree: { "z.pdf": paper("Hello") } },
  async (scene) => {
    const { page } = scene;
    await entry(page, "z.pdf").dblclick();
    await page.getByRole("region", { name: "Preview of z.pdf" }).waitFor();
    await eventually(() =>
      page.frames().some((frame) => frame.url().startsWith("chrome-extension://"))
    );
    assert.deepEqual(await findBarriers(page), []);
  },
);

play(
  "a browser without a PDF viewer is offered the file itself",
  { tree: { "z.pdf": paper("Hello") } },
  async ({ page, address }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, "pdfViewerEnabled", { value: false });
    });
    await page.goto(`${address}z.pdf`);
    const link = page.getByRole("main").getByRole("link", { name: "Open", exact: true });
    assert.match(await link.getAttribute("href") ?? "", /api\/raw\/.*z\.pdf/);
    assert.deepEqual(await findBarriers(page), []);
  },
);
