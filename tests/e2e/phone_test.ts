import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { temporaryFolder } from "../support/disks/files.ts";
import { entry, uploadsSettled } from "../support/browser/listing.ts";
import { setStage } from "../support/browser/stage.ts";
import { press, smallTargets } from "../support/browser/touch.ts";

const play = setStage({ workerCounts: [2] });
const phone = { device: "phone" } as const;

async function fitsTheScreen(page: Page): Promise<void> {
  const beyond = await page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth
  );
  assert.equal(beyond, 0, "the page is wider than the screen");
}

play(
  "a tap opens, a resting finger selects",
  { ...phone, tree: { docs: { "deep.txt": "" }, "a.txt": "a", "b.txt": "b" } },
  async ({ page, folder, address }) => {
    await entry(page, "docs").tap();
    await page.waitForURL(`${address}docs/`);
    await entry(page, "deep.txt").waitFor();
    await page.goBack();

    await press(page, entry(page, "a.txt"));
    await page.getByText("1 selected").waitFor();
    for (const count of [2, 1, 2]) {
      await entry(page, "b.txt").tap();
      await page.getByText(`${count} selected`).waitFor();
    }
    await fitsTheScreen(page);
    await page.getByRole("button", { name: "Delete" }).tap();
    const prompt = page.getByRole("dialog", { name: "Delete 2 items?" });
    await prompt.getByRole("button", { name: "Delete" }).tap();
    await entry(page, "a.txt").waitFor({ state: "detached" });
    assert.deepEqual((await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name), [
      "docs",
    ]);
  },
);

play("files are uploaded and one signs out by thumb", phone, async ({ page, folder }) => {
  await using outside = await temporaryFolder();
  await Deno.writeTextFile(join(outside.path, "pocket.txt"), "from a pocket");
  await page.getByRole("button", { name: "Upload", exact: true }).tap();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Upload files" }).tap();
  await (await chooser).setFiles(join(outside.path, "pocket.txt"));
  await entry(page, "pocket.txt").waitFor();
  await uploadsSettled(page);
  assert.equal(await Deno.readTextFile(join(folder, "pocket.txt")), "from a pocket");

  await page.getByRole("button", { name: "Open menu" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).tap();
  await page.waitForURL(/\/login/);
});

play(
  "everything is large enough for a thumb and fits the screen",
  {
    ...phone,
    tree: { [`${"a very long name ".repeat(12)}.txt`]: "", docs: {}, "sea.jpg": "" },
  },
  async ({ page, address }) => {
    assert.deepEqual(await smallTargets(page), []);
    await fitsTheScreen(page);
    await page.getByRole("button", { name: "Open menu" }).tap();
    await page.getByRole("dialog").waitFor();
    assert.deepEqual(await smallTargets(page), []);

    await page.goto(`${address}sea.jpg`);
    // What is empty is no picture, which takes a while to find out.
    await page.locator(".viewer .status").waitFor();
    assert.deepEqual(await smallTargets(page), []);
    await fitsTheScreen(page);
    await page.context().clearCookies();
    await page.goto("/login");
    await page.waitForURL(/\/login/);
    assert.deepEqual(await smallTargets(page), []);
    await fitsTheScreen(page);
  },
);
