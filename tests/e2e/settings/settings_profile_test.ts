import assert from "node:assert/strict";
import { hearNews } from "../../support/browser/news.ts";
import {
  addUser,
  awake,
  enterAs,
  openSettings,
  theirPassword,
  tokenFor,
} from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });
const stranger = { signedIn: false };

test("preferences are settled by keys alone, and stay", stranger, async ({ page, server }) => {
  await addUser(server, "keyes");
  await enterAs(page, "keyes");
  const news = await hearNews(page);
  await openSettings(page, "profile");
  const dotfiles = page.getByRole("checkbox", { name: "Hide hidden files" });
  for (let steps = 0; steps < 30; steps++) {
    await page.keyboard.press("Tab");
    if (await dotfiles.evaluate((box) => box === document.activeElement)) break;
  }
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await news("Settings updated!");

  await page.reload();
  assert.ok(await dotfiles.isChecked());
  assert.ok(await page.getByRole("checkbox", { name: /single click/ }).isChecked());
  assert.ok(!await page.getByRole("checkbox", { name: "Show full dates" }).isChecked());
});

test(
  "a password changes when it is typed twice alike, and the session goes on",
  { ...stranger, expected: [400, 403] },
  async ({ page, server }) => {
    await addUser(server, "paul");
    await enterAs(page, "paul");
    const news = await hearNews(page);
    await openSettings(page, "profile");
    const password = page.getByLabel("New password", { exact: true });
    const again = page.getByLabel("Confirm new password");
    const current = page.getByLabel("Current password");
    const match = () => again.getAttribute("data-match");

    assert.equal(await match(), null);
    await password.fill("seven otters at noon");
    assert.equal(await match(), "no");
    await again.fill("seven otters at night");
    assert.equal(await match(), "no");
    await current.fill("not my password");
    await again.press("Enter");
    await again.fill("seven otters at noon");
    assert.equal(await match(), "yes");
    await again.press("Enter");
    await page.getByText("Wrong credentials.").waitFor();
    assert.equal(await current.getAttribute("aria-invalid"), "true");

    await current.fill(theirPassword);
    await current.press("Enter");
    await news("Password updated!");
    assert.equal(await password.inputValue(), "");
    await page.reload();
    await awake(page);
    await page.getByText("This session").waitFor();
    await tokenFor(server, "paul", "seven otters at noon");
    await assert.rejects(tokenFor(server, "paul", theirPassword));
  },
);

test("a locked password can't be changed", stranger, async ({ page, server }) => {
  await addUser(server, "locke", { lockPassword: true, perm: { share: false } });
  await enterAs(page, "locke");
  await openSettings(page, "profile");
  await page.getByRole("heading", { name: "Sessions" }).waitFor();
  assert.equal(await page.getByRole("heading", { name: "Change password" }).count(), 0);
  const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  assert.deepEqual(await tabs.allTextContents(), ["Profile Settings"]);
});

test("other sessions are ended, one and all", stranger, async ({ page, server }) => {
  await addUser(server, "sid");
  const tokens = [];
  for (let i = 0; i < 3; i++) tokens.push(await tokenFor(server, "sid", theirPassword));
  await enterAs(page, "sid");
  await openSettings(page, "profile");
  const ends = page.getByRole("button", { name: /^Sign out on/ });
  assert.equal(await ends.count(), 3);
  await ends.first().click();
  await ends.nth(2).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await ends.first().waitFor({ state: "detached" });

  for (const token of tokens) {
    const answer = await fetch(`${server.url}/api/sessions`, { headers: { "x-auth": token } });
    await answer.body?.cancel();
    assert.equal(answer.status, 401);
  }
  await page.reload();
  await page.getByText("This session").waitFor();
});
