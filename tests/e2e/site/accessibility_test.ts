import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { hoverWithFiles } from "../../support/browser/drop.ts";
import { entry, listingAwake, rowOf } from "../../support/browser/listing.ts";
import { chooseAction, chooseHere } from "../../support/browser/prompts.ts";
import { submits } from "../../support/browser/settings.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [2] });

const tree = { docs: {}, "a.txt": "a", "sea.jpg": "not really", ".hidden": "" };

async function assertNoBarriers(page: Page, where: string): Promise<void> {
  assert.deepEqual(await findBarriers(page), [], where);
}

for (const scheme of ["light", "dark"] as const) {
  for (const device of ["desktop", "phone"] as const) {
    const look = { scheme, device };

    test(
      `no barrier stands before the sign-in (${scheme}, ${device})`,
      { ...look, signedIn: false, expected: [403] },
      async ({ page }) => {
        await page.goto("/login");
        await assertNoBarriers(page, "sign-in");
        await page.getByLabel("Username").fill("nobody");
        await page.getByRole("textbox", { name: "Password" }).fill("not the one");
        await page.getByRole("button", { name: "Sign in" }).and(submits(page)).click();
        await page.getByRole("alert").filter({ hasText: "Wrong credentials" }).waitFor();
        await assertNoBarriers(page, "refusal");
      },
    );

    test(
      `no barrier stands in the files (${scheme}, ${device})`,
      { ...look, tree, expected: [404] },
      async ({ page, address }) => {
        await entry(page, "a.txt").waitFor();
        await listingAwake(page);
        await assertNoBarriers(page, "listing");
        await page.keyboard.press("ControlOrMeta+a");
        await page.getByText("4 selected").waitFor();
        await assertNoBarriers(page, "selection");
        await page.keyboard.press("Delete");
        await page.getByRole("dialog").waitFor();
        await assertNoBarriers(page, "prompt");
        await page.keyboard.press("Escape");
        await page.goto(`${address}docs/`);
        await page.getByText("It feels lonely here…").waitFor();
        await assertNoBarriers(page, "empty folder");
        await page.goto(`${address}sea.jpg`);
        await page.getByText("The browser can’t read this file.").waitFor();
        await assertNoBarriers(page, "file");
        await page.goto(`${address}nowhere`);
        await page.getByRole("heading", { name: "This location can’t be reached." }).waitFor();
        await assertNoBarriers(page, "error");
      },
    );
  }
}

/** Holds calls of a method back, until they are refused with a status, or let go. */
async function holdBack(page: Page, method: string): Promise<(status?: number) => void> {
  const held = Promise.withResolvers<number | undefined>();
  await intercept(page, "**/api/resources/**", async (route) => {
    const status = route.request().method() === method ? await held.promise : undefined;
    await (status === undefined ? route.fallback() : route.fulfill({ status }));
  });
  return held.resolve;
}

/** Answers for the server with a job that ends, on a full disk, when it is told to. */
async function holdJob(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  const began = new Date().toISOString();
  const job = {
    ...{ id: "job-00000000", action: "trash", state: "running", began, ended: null },
    ...{ total: 1, done: 0, failed: 0, name: "b.txt", from: "/", to: null, undo: "nothing" },
    progress: { total: 0, entries: 0, bytes: 0, size: 0 },
    ...{ arrived: [], failures: [], checksums: [] },
  };
  const failures = [{ path: "/b.txt", code: "disk_full", message: "Cannot delete it" }];
  const ended = { ...job, state: "done", ended: began, done: 1, failed: 1, failures };
  await intercept(page, "**/api/jobs", (route) => route.fulfill({ status: 202, json: job }));
  await page.route("**/api/jobs/*", async (route) => {
    await held.promise;
    await route.fulfill({ json: ended });
  });
  return held.resolve;
}

for (const look of [{ scheme: "light" }, { scheme: "dark", device: "phone" }] as const) {
  test(
    `no barrier stands in what comes and goes (${look.scheme})`,
    { ...look, tree },
    async ({ page }) => {
      const isPhone = "device" in look;
      await listingAwake(page);
      await page.getByRole("button", { name: "New", exact: true }).click();
      await page.getByRole("menuitem", { name: "Upload files" }).waitFor();
      await assertNoBarriers(page, "menu of what is new");
      await page.keyboard.press("Escape");
      await page.getByRole("menuitem", { name: "Upload files" }).waitFor({ state: "hidden" });
      if (isPhone) {
        await page.getByRole("button", { name: "Open menu" }).tap();
        await page.getByRole("dialog").getByRole("button", { name: /^Account:/ }).tap();
        await page.getByRole("button", { name: "Sign out" }).waitFor();
        await assertNoBarriers(page, "drawer and account");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Sign out" }).waitFor({ state: "detached" });
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      } else {
        await hoverWithFiles(page, page.getByRole("main"), async () => {
          await page.locator(".drop").waitFor();
          await assertNoBarriers(page, "files over the page");
        });
      }
      await chooseHere(page, "Select items");
      await page.getByText("0 selected").waitFor();
      await assertNoBarriers(page, "choosing several");
      await page.keyboard.press("Escape");
      await page.getByText("0 selected").waitFor({ state: "detached" });

      const show = await holdBack(page, "GET");
      await entry(page, "docs").focus();
      await page.keyboard.press("Enter");
      await page.locator(".listing[role=status]").waitFor();
      await assertNoBarriers(page, "a folder on its way");
      show();
      await page.getByText("It feels lonely here…").waitFor();
      await page.goBack();

      await listingAwake(page);
      await page.keyboard.press("End");
      await chooseAction(page, "Delete");
      await page.getByRole("dialog").waitFor();
      const end = await holdJob(page);
      await page.keyboard.press("Enter");
      await page.getByText("Moving 1 item to trash").waitFor();
      await assertNoBarriers(page, "deletion under way");
      end();
      await page.getByRole("alert").getByText("The disk is full.").waitFor();
      await assertNoBarriers(page, "news of a failure");
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("alert").getByRole("button", { name: "Copy details" }).click();
      await page.getByRole("alert").getByRole("button", { name: "Copied" }).waitFor();
      const report = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(report, /The disk is full[^]*\/files\/[^]*Cubby \d/);
      await page.getByRole("alert").getByRole("button", { name: "Close" }).click();
      await page.getByText("The disk is full.").waitFor({ state: "detached" });
    },
  );
}

test(
  "in forced colours the place one is at, and what is selected, are marked",
  { tree: { "a.txt": "", "b.txt": "" } },
  async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active" });
    const fillOf = (locator: Locator) =>
      locator.evaluate((element) => getComputedStyle(element).backgroundColor);
    const places = page.getByRole("navigation", { name: "Main navigation" }).getByRole("link");
    assert.notEqual(
      await fillOf(places.filter({ hasText: "My files" })),
      await fillOf(places.filter({ hasText: "Settings" })),
    );
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await page.getByText("1 selected").waitFor();
    const lineOf = (name: string) =>
      rowOf(page, name).evaluate((element) => getComputedStyle(element).outlineStyle);
    assert.deepEqual([await lineOf("a.txt"), await lineOf("b.txt")], ["solid", "none"]);
    // The parts of toggle buttons and bars are backgrounds only, which such themes do not draw.
    await page.keyboard.press("Control+F");
    const views = page.getByRole("group", { name: "View" }).getByRole("button");
    await views.first().waitFor();
    const linesOf = views.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).outlineStyle)
    );
    assert.deepEqual(await linesOf, ["solid", "none"]);
    await page.keyboard.press("Escape");
    const bar = page.locator("progress").first();
    const edge = await bar.evaluate((element) => getComputedStyle(element).borderTopStyle);
    assert.equal(edge, "solid");

    await page.goto("/settings/profile");
    const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    assert.notEqual(await fillOf(tabs.nth(0)), await fillOf(tabs.nth(1)));
  },
);
