/** How many clicks the jobs of every day need, typing not counted. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { hearNews } from "../../support/browser/news.ts";
import { entry, listingAwake } from "../../support/browser/listing.ts";
import { addUser, awake, enterAs, theirPassword } from "../../support/browser/settings.ts";
import { silence } from "../../support/data/media.ts";

const test = browserTests({ workerCounts: [1] });

/** Clicks one after the other. @returns their number */
async function clicks(...steps: Locator[]): Promise<number> {
  for (const step of steps) await step.click();
  return steps.length;
}

const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a user is made in four clicks", {}, async ({ page, server }) => {
  const news = await hearNews(page);
  let count = await clicks(
    link(page, "Settings"),
    link(page, "User Management"),
    link(page, "New"),
  );
  await page.getByRole("heading", { name: "New User" }).waitFor();
  await awake(page);
  await page.getByLabel("Username").fill("made in four clicks");
  await page.getByLabel("Password", { exact: true }).fill(theirPassword);
  await page.getByLabel("Current password").fill(server.password);
  count += await clicks(button(page, "Save"));
  await news("User created!");
  assert.equal(count, 4);
});

test("the own password is changed in three clicks", {}, async ({ page, server }) => {
  await addUser(server, "new password in three");
  await enterAs(page, "new password in three");
  await listingAwake(page);
  const news = await hearNews(page);
  let count = await clicks(
    page.getByRole("button", { name: /^Account:/ }),
    link(page, "Change password"),
  );
  await page.waitForURL(/settings\/profile#password$/);
  await awake(page);
  const card = page.getByRole("region", { name: "Change password" });
  const { y = -1 } = await card.boundingBox() ?? {};
  assert.ok(y >= 0 && y < 400, `the card is ${y} px from the top`);
  await card.getByLabel("Current password").fill(theirPassword);
  await card.getByLabel("New password", { exact: true }).fill("five herons at dusk");
  await card.getByLabel("Confirm new password").fill("five herons at dusk");
  count += await clicks(card.getByRole("button", { name: "Change password" }));
  await news("Password updated!");
  assert.equal(count, 3);
});

test("a folder is downloaded as a zip in two clicks", {
  tree: { docs: { "a.txt": "a", "b.txt": "b" } },
}, async ({ page }) => {
  await listingAwake(page);
  const file = page.waitForEvent("download");
  const count = await clicks(
    entry(page, "docs"),
    page.getByRole("group", { name: "Actions for the selection" })
      .getByRole("button", { name: "Download" }),
  );
  const saved = await file;
  assert.equal(saved.suggestedFilename(), "docs.zip");
  assert.equal(count, 2);
});

for (const device of ["desktop", "phone"] as const) {
  test(`an album is played by one click in the head of its folder (${device})`, {
    device,
    // A sound without a cover.
    expected: [501],
    tree: { album: { "1 one.wav": silence(30), "2 two.wav": silence(30), "a.txt": "" } },
  }, async ({ page, address }) => {
    await listingAwake(page);
    const play = button(page, "Play");
    assert.equal(await play.count(), 0, "no music, no button");
    await page.goto(`${address}album/`);
    await listingAwake(page);
    await play.click();
    const player = page.getByRole("region", { name: "Music player" });
    await player.getByRole("link", { name: "1 one", exact: true }).waitFor();
    await player.getByRole("button", { name: "Pause" }).waitFor();
    await player.getByRole("button", { name: "Next track" }).click();
    await player.getByRole("link", { name: "2 two", exact: true }).waitFor();
    await player.getByRole("button", { name: "Close player" }).click();
    await player.waitFor({ state: "detached" });
  });
}

test("details lead to the setting where no activity is recorded", {
  tree: { "a.txt": "a" },
}, async ({ page }) => {
  await listingAwake(page);
  await entry(page, "a.txt").click();
  await page.keyboard.press("i");
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByText("The activity log is off").waitFor();
  await details.getByRole("link", { name: "Open the setting" }).click();
  await page.waitForURL(/settings\/global#activity$/);
  await page.getByLabel("Activity log").waitFor();
});
