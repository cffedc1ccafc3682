/** The details at the side of the listing and of an open file. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, listingAwake, typeAhead } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

test(
  "the details follow the selection, measure folders by themselves, and stay open",
  {
    tree: {
      docs: { deep: { "b.txt": "12345" }, "c.txt": "1" },
      "a.txt": "a",
      "ice.txt": "22",
    },
  },
  async ({ page, folder }) => {
    await listingAwake(page);
    const details = page.getByRole("complementary", { name: "Details" });
    const title = (name: string) => details.getByRole("heading", { name, exact: true }).waitFor();
    await entry(page, "docs").click();
    await page.keyboard.press("i");
    await title("docs");
    await details.getByText("6 bytes").waitFor();
    await details.getByText("2 files, 1 folder").waitFor();

    await page.keyboard.press("ArrowDown");
    await title("a.txt");
    await page.keyboard.press("Shift+End");
    await title("2 items");
    await details.getByText("3 bytes").waitFor();
    await page.keyboard.press("Shift+Home");
    await title("2 items");
    await details.getByText("7 bytes").waitFor();
    assert.deepEqual(await findBarriers(page), []);

    // Names that begin with the letter are still found.
    await typeAhead(page, "ic");
    await title("ice.txt");
    // The page may not be told of the folder yet: only its next change is news then.
    await eventually(() => {
      Deno.writeTextFileSync(join(folder, "ice.txt"), "4444");
      const told = details.getByText("4 bytes").waitFor({ timeout: 3000 });
      return told.then(() => true, () => false);
    });

    await page.keyboard.press("F6");
    assert.ok(await details.evaluate((panel) => panel.contains(document.activeElement)));
    await page.keyboard.press("F6");
    await page.waitForFunction(() => document.activeElement?.textContent?.includes("ice.txt"));
    await page.reload();
    await title("ice.txt");
    await page.keyboard.press("F6");
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
    await page.reload();
    await listingAwake(page);
    await page.keyboard.press("Alt+Enter");
    await details.waitFor();
  },
);
