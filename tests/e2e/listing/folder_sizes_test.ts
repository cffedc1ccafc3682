import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { eventually, listingAwake, namesShown, rowOf } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

const tree = {
  large: { deep: { "a.bin": "a".repeat(5_000) } },
  small: { "b.bin": "b".repeat(70) },
  middle: { "c.bin": "c".repeat(600) },
  "d.txt": "d",
};

test(
  "folders show the size of all that is in them, also after a change far below",
  { tree },
  async ({ page, folder, address }) => {
    await listingAwake(page);
    await rowOf(page, "large").getByText("5 kB").waitFor();
    await rowOf(page, "small").getByText("70 byte").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("ControlOrMeta+a");
    await page.getByText("4 selected · 5.67 kB").waitFor();
    const token = await page.evaluate(() => localStorage.getItem("jwt")) ?? "";
    const target = new URL(address, page.url());
    const path = `${target.pathname.replace(/^\/files/, "/api/resources")}large/deep/new.bin`;
    const answer = await fetch(new URL(path, target), {
      method: "POST",
      headers: { "x-auth": token },
      body: "n".repeat(3_000),
    });
    assert.equal(answer.status, 200);
    await answer.body?.cancel();
    await Deno.writeTextFile(join(folder, "e.txt"), "");
    await rowOf(page, "large").getByText("8 kB").waitFor();
  },
);

test(
  "folders are sorted by their sizes, once these are counted",
  { tree },
  async ({ page }) => {
    await listingAwake(page);
    const sort = page.getByRole("columnheader").getByRole("button", { name: "Size" });
    await rowOf(page, "large").locator(".cell--size").filter({ hasText: /\d/ }).waitFor();
    await sort.click();
    await eventually(async () => (await namesShown(page)).join() === "small,middle,large,d.txt");
    const kept = page.waitForResponse((answer) => answer.url().includes("/api/views/"));
    await sort.click();
    await eventually(async () => (await namesShown(page)).join() === "large,middle,small,d.txt");
    await kept;
    await page.reload();
    assert.equal((await namesShown(page)).join(), "large,middle,small,d.txt");
  },
);

test(
  "folders that were counted meanwhile are not waited for",
  { tree },
  async ({ page }) => {
    await listingAwake(page);
    await rowOf(page, "large").getByText("5 kB").waitFor();
    // As if the order had been asked for just before the last size came in.
    await page.route("**/api/resources/**sort=size**", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...await response.json(), uncounted: 1 } });
    }, { times: 1 });
    const wasMeasured = page.waitForResponse((answer) => answer.url().includes("/api/sizes/"));
    await page.getByRole("columnheader").getByRole("button", { name: "Size" }).click();
    await wasMeasured;
    await page.getByText("Counting").waitFor({ state: "detached" });
    assert.equal((await namesShown(page)).join(), "small,middle,large,d.txt");
  },
);

test(
  "a size that is not known is no number, and takes no room on a phone",
  { tree: { folder: { "a.txt": "12345" } }, device: "phone" },
  async ({ page }) => {
    const contentType = "application/x-ndjson";
    await page.route("**/api/sizes/**", (route) => route.fulfill({ contentType, body: "" }));
    await page.reload();
    await listingAwake(page);
    const size = rowOf(page, "folder").locator(".cell--size");
    assert.equal(await size.textContent(), "–");
    assert.equal(await size.isVisible(), false);
    await page.unroute("**/api/sizes/**");
    await page.reload();
    await rowOf(page, "folder").getByText("5 byte").waitFor();
  },
);
