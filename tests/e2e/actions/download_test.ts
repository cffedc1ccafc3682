import assert from "node:assert/strict";
import { join } from "node:path";
import { entry, listingAwake } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { namesInZip } from "../../support/disks/unpack.ts";

const test = browserTests({ workerCounts: [2] });

const names = Array.from({ length: 400 }, (_, index) => `a comma, and é ${index + 1000}.txt`);
const tree = Object.fromEntries(names.map((name) => [name, name]));

test(
  "a selection too long for an address is downloaded, and a refusal of it says why",
  { tree, expected: [404] },
  async ({ page, folder, address }) => {
    await listingAwake(page);
    const [left = "", ...others] = names;
    await page.keyboard.press("ControlOrMeta+a");
    await entry(page, left).click({ modifiers: ["ControlOrMeta"] });
    await page.getByText("399 selected").waitFor();
    const ask = async () => {
      await page.getByRole("group", { name: "Actions for the selection" })
        .getByRole("button", { name: "Download" }).click();
    };

    const started = page.waitForEvent("download");
    await ask();
    const file = await started;
    assert.match(file.suggestedFilename(), /\.zip$/);
    assert.deepEqual(await namesInZip(await Deno.readFile(await file.path())), others);
    assert.equal(new URL(page.url()).pathname, address);
    assert.equal(await page.getByText("The download failed").count(), 0);

    await intercept(page, "**/api/raw/**", async (route) => {
      await Deno.remove(join(folder, others[7] ?? ""));
      await route.continue();
    });
    await ask();
    await page.getByText("The download failed. This location can’t be reached.").waitFor();
  },
);
