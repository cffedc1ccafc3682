/** The activity log on the pages: switched on, filtered, saved, and told in the details. */
import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, listingAwake } from "../../support/browser/listing.ts";
import { hearNews } from "../../support/browser/news.ts";
import { awake, openSettings, tokenFor } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ alone: true, workerCounts: [1] });

test("what is done is told on a page, by filters, as files and in the details", {
  tree: { "a.txt": "one", "b.txt": "two" },
  // Saving first asks for the password.
  expected: [403],
}, async ({ page, server, address }) => {
  const { SHOTS } = Deno.env.toObject();
  const news = await hearNews(page);
  await openSettings(page, "activity");
  await page.getByText("The activity log is off").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("link", { name: "Global Settings" }).last().click();
  await page.waitForURL(/\/settings\/global/);
  await awake(page);
  const fields = page.getByRole("region", { name: "Activity", exact: true });
  await fields.getByLabel("Activity log").selectOption("reads");
  await fields.getByLabel("Keep records for (days)").fill("30");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByLabel("Current password").fill(server.password);
  await page.keyboard.press("Enter");
  await news("Settings updated!");

  await page.goto(address);
  await listingAwake(page);
  const token = await tokenFor(server, server.username, server.password);
  const folder = address.replace("/files", "/api/resources");
  const to = encodeURIComponent(`${address.replace("/files", "")}c.txt`);
  const moved = await fetch(`${server.url}${folder}a.txt?action=rename&destination=${to}`, {
    method: "PATCH",
    headers: { "x-auth": token },
  });
  await moved.body?.cancel();
  assert.equal(moved.status, 200);
  await entry(page, "c.txt").click();
  await page.keyboard.press("i");
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByText("Moved or renamed").waitFor();
  await details.getByText(/admin · from .*a\.txt/).waitFor();
  assert.deepEqual(await findBarriers(page), []);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/details.png` });

  await openSettings(page, "activity");
  const table = page.getByRole("region", { name: "Activity", exact: true });
  await table.getByText("Settings changed").waitFor();
  await table.getByText("Moved or renamed").waitFor();
  assert.deepEqual(await findBarriers(page), []);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/activity.png`, fullPage: true });
  await page.getByLabel("File or folder").fill("C.TXT");
  await page.keyboard.press("Enter");
  await page.waitForURL(/[?&]path=C\.TXT/);
  assert.equal(await table.getByText("Settings changed").count(), 0);
  assert.equal(await table.getByRole("row").count(), 2);
  assert.equal(await page.getByLabel("File or folder").inputValue(), "C.TXT");

  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export as CSV" }).click();
  const saved = await file;
  assert.match(saved.suggestedFilename(), /^activity-\d{4}-\d\d-\d\d\.csv$/);
  const lines = Deno.readTextFileSync(await saved.path()).trimEnd().split("\n");
  assert.equal(lines.length, 2);

  await page.getByLabel("Action").selectOption("signin_failed");
  await page.getByRole("button", { name: "Apply" }).click();
  await table.getByText("Nothing found").waitFor();
});

test("a long log is read on, in parts, on a phone", {
  device: "phone",
  scheme: "dark",
}, async ({ page, server, address }) => {
  const { SHOTS } = Deno.env.toObject();
  const token = await tokenFor(server, server.username, server.password);
  const folder = address.replace("/files", "/api/resources");
  for (let at = 0; at < 120; at++) {
    const init = { method: "POST", headers: { "x-auth": token } };
    const made = await fetch(`${server.url}${folder}f${at}/`, init);
    await made.body?.cancel();
    assert.equal(made.status, 200);
  }
  await openSettings(page, `activity?path=${encodeURIComponent(address.replace("/files", ""))}`);
  const rows = page.getByRole("region", { name: "Activity", exact: true }).locator("tbody tr");
  assert.equal(await rows.count(), 100);
  assert.deepEqual(await findBarriers(page), []);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/phone.png` });
  const seen = async () => await rows.allInnerTexts();
  const latest = await seen();
  const [newer, older] = ["Newer", "Older"].map((name) =>
    page.getByRole("button", { name, exact: true })
  );
  assert.ok(newer && older && await newer.isDisabled());
  await older.scrollIntoViewIfNeeded();
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/phone_pages.png` });
  await older.tap();
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 20);
  assert.ok(await older.isDisabled());
  assert.ok((await seen()).every((row) => !latest.includes(row)), "no row is told twice");
  await page.getByRole("heading", { name: "Activity", exact: true }).last().waitFor();
  await newer.focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 100);
  assert.ok(await newer.isDisabled());
});
