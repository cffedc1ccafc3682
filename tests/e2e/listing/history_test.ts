import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, isChosen, listingAwake } from "../../support/browser/listing.ts";
import { hearNews } from "../../support/browser/news.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

const exists = (path: string) => Deno.lstat(path).then(() => true, () => false);

test(
  "recent actions are undone by keys, in any order, as far as they can be",
  { tree: { "a.txt": "a", "b.txt": "b", "c.txt": "c" } },
  async ({ page, folder }) => {
    await listingAwake(page);
    const isTold = await hearNews(page);
    const history = page.getByRole("dialog", { name: "Recent actions" });
    const open = async () => {
      // Enter alone, at once after the one that closed a prompt, would be a second press of it.
      await page.keyboard.press("Tab");
      await page.getByRole("button", { name: "Recent actions" }).first().press("Enter");
      await history.waitFor();
    };
    await open();
    await history.getByText("Nothing to undo yet.").waitFor();
    await page.keyboard.press("Escape");
    await history.waitFor({ state: "detached" });

    await entry(page, "a.txt").click();
    await page.keyboard.press("Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).press("Enter");
    await isTold("1 item moved to trash");
    // The rows below move up after the message, which a click would miss.
    await entry(page, "a.txt").waitFor({ state: "detached" });
    await entry(page, "b.txt").click();
    await page.keyboard.press("F2");
    await page.getByRole("dialog").getByRole("textbox").fill("d.txt");
    await page.keyboard.press("Enter");
    await isTold("Renamed to “d.txt”");
    await isChosen(page, "d.txt");
    await entry(page, "c.txt").click();
    await page.keyboard.press("Shift+Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).press("Enter");
    await isTold("1 item deleted");
    await entry(page, "c.txt").waitFor({ state: "detached" });

    await open();
    await history.getByText("Deleted for good").waitFor();
    await history.getByText("Can’t be undone").waitFor();
    const renamed = history.getByRole("listitem").filter({ hasText: "b.txt" });
    await renamed.getByText("Renamed to “d.txt”").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await history.getByRole("button", { name: "Undo: a.txt" }).press("Enter");
    const undone = history.getByRole("listitem").filter({ hasText: "a.txt" });
    await undone.getByText("Undone").waitFor();
    assert.ok(await exists(join(folder, "a.txt")));
    await eventually(() => undone.evaluate((line) => line === document.activeElement));
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await history.waitFor({ state: "detached" });

    // What the list has not undone is still the last action of the keyboard.
    await page.keyboard.press("ControlOrMeta+z");
    await entry(page, "b.txt").waitFor();
    assert.deepEqual(
      [...Deno.readDirSync(folder)].map(({ name }) => name).sort(),
      ["a.txt", "b.txt"],
    );
  },
);
