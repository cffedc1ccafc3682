import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { hearNews } from "../../support/browser/news.ts";
import { addUser, awake, enterAs, openSettings } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ alone: true, workerCounts: [1] });

async function confirm(page: Page, password: string): Promise<void> {
  const prompt = page.getByRole("dialog", { name: "Confirm it’s you" });
  await prompt.getByLabel("Current password").fill(password);
  await page.keyboard.press("Enter");
}

for (const device of ["desktop", "phone"] as const) {
  test(
    `a group is made by the keyboard, changed and deleted (${device})`,
    { device, expected: [400, 403, 409] },
    async ({ page, server }) => {
      const member = `anna on ${device}`;
      await addUser(server, member);
      const news = await hearNews(page);
      await openSettings(page, "groups");
      await page.getByText("There are no groups yet.").waitFor();
      assert.deepEqual(await findBarriers(page), [], "none");
      await page.getByRole("link", { name: "New", exact: true }).press("Enter");
      await page.getByRole("heading", { name: "New Group" }).waitFor();
      await awake(page);
      assert.deepEqual(await findBarriers(page), [], "form");
      const name = page.getByLabel("Group name");
      await name.press("Enter");
      await page.getByText("Enter a name.").waitFor();
      await name.fill("Editors");
      await page.getByRole("checkbox", { name: member }).press("Space");
      await page.getByRole("checkbox", { name: "Create files and folders" }).press("Space");
      await name.press("Enter");
      await confirm(page, server.password);
      await news("Group created!");
      await page.waitForURL(/\/settings\/groups\/\d+$/);
      await awake(page);
      assert.ok(await page.getByRole("checkbox", { name: member }).isChecked());

      await page.getByRole("checkbox", { name: "Share files" }).check();
      await name.press("Enter");
      await confirm(page, server.password);
      await news("Group updated!");
      await openSettings(page, "groups");
      const row = page.getByRole("row").filter({ hasText: "Editors" });
      await row.getByText("Create files and folders, Share files").waitFor();
      assert.deepEqual(await findBarriers(page), [], "list");

      await row.getByRole("link", { name: "Edit Editors" }).click();
      await page.waitForURL(/\/settings\/groups\/\d+$/);
      await awake(page);
      await page.getByRole("button", { name: "Delete" }).click();
      const sure = page.getByRole("dialog", {
        name: "Are you sure you want to delete this group?",
      });
      await sure.getByRole("button", { name: "Delete" }).click();
      await confirm(page, server.password);
      await news("Group deleted!");
      await page.getByText("There are no groups yet.").waitFor();
    },
  );
}

test(
  "the form of a user puts it in a group, whose rules its tester counts",
  { expected: [403] },
  async ({ page, server }) => {
    const news = await hearNews(page);
    await openSettings(page, "groups/new");
    await page.getByLabel("Group name").fill("Readers");
    await page.locator("summary", { hasText: "Rules" }).click();
    await page.getByRole("button", { name: "Add rule" }).click();
    await page.locator('[data-row="0"] :focus').waitFor();
    await page.getByLabel("Text of rule 1").fill("/drafts");
    await page.getByLabel("Action of rule 1").selectOption({ label: "Deny" });
    await page.getByLabel("Group name").press("Enter");
    await confirm(page, server.password);
    await news("Group created!");
    await openSettings(page, await addUser(server, "bert"));
    await page.getByRole("checkbox", { name: "Readers" }).check();
    await page.getByLabel("Test a path").fill("/drafts/a.txt");
    await page.getByText("Denied. A group’s rule applies.").waitFor();
    await page.getByLabel("Username").press("Enter");
    await confirm(page, server.password);
    await news("User updated!");
    await page.reload();
    assert.ok(await page.getByRole("checkbox", { name: "Readers" }).isChecked());
  },
);

test(
  "who is an administrator by a group sees the settings of administrators",
  { signedIn: false },
  async ({ page, server }) => {
    const address = await addUser(server, "carla");
    const token = await (await fetch(`${server.url}/api/login`, {
      method: "POST",
      body: JSON.stringify({ username: server.username, password: server.password }),
    })).text();
    const made = await fetch(`${server.url}/api/groups`, {
      method: "POST",
      headers: { "x-auth": token },
      body: JSON.stringify({
        name: "Admins",
        perm: { admin: true },
        members: [Number(address.replace("users/", ""))],
        current_password: server.password,
      }),
    });
    assert.equal(made.status, 201, await made.text());
    await enterAs(page, "carla");
    await openSettings(page, "users");
    await page.getByRole("link", { name: "Groups" }).click();
    await page.getByRole("link", { name: "Edit Admins" }).waitFor();
  },
);
