import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../support/axe.ts";
import { setStage } from "../support/stage.ts";

const play = setStage({ workerCounts: [2] });
const tree = { album: { "sea.txt": "The sea", deep: { "sky.txt": "The sky" } } };

/** Opens the prompt for the one entry of the folder, by the menu. */
async function openPrompt(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Actions for album" }).click();
  await page.getByRole("menuitem", { name: "Share" }).click();
  await page.getByRole("dialog", { name: "Share “album”" }).waitFor();
}

async function linkIn(page: Page): Promise<string> {
  return await page.getByRole("textbox", { name: "Copy the link" }).first().inputValue();
}

play("a link is made, opened by a visitor, and deleted", {
  tree,
  device: "phone",
  expected: [404],
}, async ({ page }) => {
  await openPrompt(page);
  const duration = page.getByLabel("Duration");
  await duration.fill("soon");
  assert.ok(await page.getByRole("button", { name: "Share", exact: true }).isDisabled());
  await duration.fill("2");
  await page.getByLabel("Unit").selectOption("days");
  assert.deepEqual(await findBarriers(page), []);
  await page.keyboard.press("Enter");
  await page.getByText(/Ends in 2 days|Ends tomorrow|Ends in 1 day/).waitFor();
  const link = await linkIn(page);
  assert.deepEqual(await findBarriers(page), []);

  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
  assert.ok(context);
  const visitor = await context.newPage();
  await visitor.goto(link);
  await visitor.getByRole("heading", { name: "album" }).waitFor();
  await visitor.getByRole("link", { name: "deep" }).click();
  await visitor.getByRole("link", { name: "sky.txt" }).click();
  await visitor.getByText("The sky").waitFor();
  const download = visitor.waitForEvent("download");
  await visitor.getByRole("link", { name: "Download" }).click();
  assert.equal((await download).suggestedFilename(), "sky.txt");

  await page.getByRole("button", { name: "Delete this share" }).click();
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByLabel("Duration").waitFor();
  await visitor.goto(link);
  await visitor.getByText("can’t be reached").waitFor();
  await context.close();
});

play("a visitor opens a share with its password, ticks and downloads", {
  tree,
  device: "phone",
  expected: [401],
}, async ({ page }) => {
  await openPrompt(page);
  await page.getByLabel("Password (optional)").fill("open sesame");
  await page.keyboard.press("Enter");
  await page.getByText("With a password").first().waitFor();
  await page.goto(await linkIn(page));
  assert.deepEqual(await findBarriers(page), []);
  await page.getByLabel("Password").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("Wrong credentials").waitFor();
  await page.getByLabel("Password").fill("open sesame");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "album" }).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("checkbox", { name: "Select sea.txt" }).check();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download selected" }).click();
  assert.equal((await download).suggestedFilename(), "sea.txt");
  await page.getByRole("checkbox", { name: "Select deep" }).check();
  const archive = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download selected" }).click();
  assert.equal((await archive).suggestedFilename(), "album.zip");
  assert.equal(await page.locator("script").count(), 0);
});
