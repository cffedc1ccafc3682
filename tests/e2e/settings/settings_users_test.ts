import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { hearNews } from "../../support/browser/news.ts";
import {
  addUser,
  awake,
  enterAs,
  openSettings,
  theirPassword,
} from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ alone: true, workerCounts: [1], flags: ["--disable-exec=false"] });

async function confirm(page: Page, password: string): Promise<void> {
  const prompt = page.getByRole("dialog", { name: "Confirm it’s you" });
  await prompt.getByLabel("Current password").fill(password);
  await page.keyboard.press("Enter");
}

test(
  "a user is made, changed and deleted, with the own password each time",
  { expected: [400, 403, 409] },
  async ({ page, server }) => {
    const news = await hearNews(page);
    await openSettings(page, "users");
    await page.getByRole("link", { name: "New", exact: true }).click();
    await page.getByRole("heading", { name: "New User" }).waitFor();
    await awake(page);
    const name = page.getByLabel("Username");
    await name.press("Enter");
    await page.getByText("Enter a username.").waitFor();
    await name.fill("admin");
    await page.getByLabel("Password", { exact: true }).fill("four herons at dawn");
    const own = page.getByLabel("Current password");
    await name.press("Enter");
    await own.and(page.locator(":focus")).waitFor();
    await own.fill("not my password");
    await name.press("Enter");
    await page.getByText("Wrong credentials.").waitFor();
    await own.fill(server.password);
    await name.press("Enter");
    await page.getByText("This name is already taken.").waitFor();

    await name.fill("vera");
    await name.press("Enter");
    await news("User created!");
    await page.waitForURL(/\/settings\/users\/\d+$/);
    await page.getByRole("heading", { name: "User vera" }).waitFor();
    await awake(page);

    const commands = page.getByLabel("Commands", { exact: true });
    await commands.fill("git  svn hg");
    await commands.press("Enter");
    await confirm(page, server.password);
    await news("User updated!");
    await page.reload();
    assert.equal(await commands.inputValue(), "git svn hg");
    await awake(page);

    await page.getByRole("button", { name: "Delete" }).click();
    const sure = page.getByRole("dialog", {
      name: "Are you sure you want to delete this user?",
    });
    await sure.getByRole("button", { name: "Delete" }).click();
    await confirm(page, server.password);
    await news("User deleted!");
    await page.waitForURL("/settings/users");
    assert.equal(await page.getByRole("link", { name: "Edit vera" }).count(), 0);
  },
);

test("an administrator may do everything, and keeps the password", {}, async ({ page, server }) => {
  await openSettings(page, await addUser(server, "anna", { lockPassword: true }));
  const admin = page.getByRole("checkbox", { name: "Administrator" });
  const lock = page.getByRole("checkbox", { name: /Prevent the user/ });
  const execute = page.getByRole("checkbox", { name: "Run commands" });
  assert.ok(await lock.isChecked());
  assert.ok(!await execute.isChecked());
  await admin.check();
  assert.ok(await execute.isChecked() && await execute.isDisabled());
  assert.ok(!await lock.isChecked() && await lock.isDisabled());
  await admin.uncheck();
  assert.ok(await execute.isEnabled() && await lock.isEnabled());
});

test("the last administrator can't be deleted", { expected: [403] }, async ({ page, server }) => {
  await openSettings(page, "users/1");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await confirm(page, server.password);
  await page.getByRole("alert").getByText("The last administrator can’t be removed.").waitFor();
});

test("rules are added, tried, put in order and kept", {}, async ({ page, server }) => {
  const address = await addUser(server, "ruth");
  const news = await hearNews(page);
  await openSettings(page, address);
  const add = page.getByRole("button", { name: "Add rule" });
  await add.press("Enter");
  await page.getByLabel("Action of rule 1").selectOption("deny");
  const first = page.getByLabel("Text of rule 1");
  await first.fill("/private");
  await add.press("Enter");
  await page.getByLabel("Type of rule 2").selectOption("regex");
  const second = page.getByLabel("Text of rule 2");
  await second.fill("(jpg");
  await page.getByText(/This expression isn’t valid:.*missing/).waitFor();
  await second.fill("\\.jpg$");
  await page.getByText(/This expression isn’t valid/).waitFor({ state: "detached" });

  const verdict = page.locator(".rules__verdict");
  const tried = page.getByLabel("Test a path");
  await tried.fill("/private/sea.jpg");
  await verdict.getByText("Allowed. Rule 2 applies.").waitFor();
  await tried.fill("/privateer.txt");
  await verdict.getByText("Allowed. No rule matches.").waitFor();
  await tried.fill("/private/sea.jpg");
  await page.getByRole("button", { name: "Move rule 2 up" }).press("Enter");
  await verdict.getByText("Denied. Rule 2 applies.").waitFor();
  assert.equal(await second.inputValue(), "/private");

  await page.getByRole("button", { name: "Save" }).press("Enter");
  await confirm(page, server.password);
  await news("User updated!");
  await page.reload();
  assert.equal(await first.inputValue(), "\\.jpg$");
  assert.equal(await second.inputValue(), "/private");
  await awake(page);
  await page.getByRole("button", { name: "Remove rule 1" }).press("Enter");
  assert.equal(await first.inputValue(), "/private");
  await add.and(page.locator(":focus")).waitFor();
});

test("who changes the own name or rights stays signed in", {}, async ({ page, server }) => {
  const address = await addUser(server, "otto", { perm: { admin: true } });
  await enterAs(page, "otto");
  const news = await hearNews(page);
  await openSettings(page, address);
  await page.getByLabel("Username").fill("ottoline");
  await page.getByLabel("Username").press("Enter");
  await confirm(page, theirPassword);
  await news("User updated!");
  await page.locator(".sidebar__name").getByText("ottoline").waitFor();
  await awake(page);

  await page.getByRole("checkbox", { name: "Administrator" }).uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await confirm(page, theirPassword);
  await page.waitForURL("/settings/profile");
  const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  assert.deepEqual(await tabs.allTextContents(), ["Profile Settings", "Share Management"]);
});

test("in Arabic no button covers the path in its field", { language: "ar" }, async ({ page }) => {
  await openSettings(page, "users/new");
  const scope = page.locator("input[name=scope]");
  await scope.fill("/home/anna");
  const [padding, button] = await scope.evaluate((input) => {
    const end = input.parentElement?.querySelector(".field__end");
    return [
      Number.parseFloat(getComputedStyle(input).paddingLeft),
      end?.getBoundingClientRect().width ?? Infinity,
    ] as const;
  });
  assert.ok(padding >= button, `the text begins at ${padding}, the button ends at ${button}`);
});
