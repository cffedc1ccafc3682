import assert from "node:assert/strict";
import { join } from "node:path";
import { listingAwake } from "../../support/browser/listing.ts";
import { watchTasks } from "../../support/browser/long_tasks.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

const count = 100_000;

test(
  "a folder of 100,000 entries that goes on changing keeps the page at hand",
  {},
  async (fixture) => {
    const { page, folder, address } = fixture;
    Deno.mkdirSync(join(folder, "large"));
    for (let index = 0; index < count; index++) {
      Deno.writeTextFileSync(join(folder, "large", `file ${String(index).padStart(6, "0")}`), "");
    }
    await page.goto(`${address}large/`);
    await listingAwake(page);
    const grid = page.getByRole("grid");
    await grid.and(page.locator(`[aria-rowcount="${count + 1}"]`)).waitFor();
    await page.locator(".listing").evaluate((element) => element.scrollTop = 2_000_000);
    await page.getByText("file 050").first().waitFor();
    const tasks = await watchTasks(page);

    for (let index = 0; index < 400; index++) {
      await Deno.writeTextFile(join(folder, "large", `new ${index}`), "");
    }
    await grid.and(page.locator(`[aria-rowcount="${count + 401}"]`)).waitFor();
    assert.ok(await page.getByText("file 050").first().isVisible());
    assert.ok(await page.locator("*").count() < 1_000);
    await tasks.assertShort();
  },
);
