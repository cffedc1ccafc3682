/** Invitations and reset links: made by an administrator, used by who has them. */
import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import {
  addUser,
  awake,
  formOpened,
  openSettings,
  theirPassword,
} from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

test("a link makes a user, and another sets a new password", {
  // The first is the call that asks for the password, the others are of links that are dead.
  expected: [403, 404, 409],
}, async ({ page, server }) => {
  const { SHOTS } = Deno.env.toObject();
  const newPassword = "an otter floats on its back";
  const confirm = async () => {
    await page.getByRole("dialog").getByLabel("Current password").fill(server.password);
    await page.keyboard.press("Enter");
  };
  await openSettings(page, "users");
  const card = page.getByRole("region", { name: "Invite" });
  await page.getByRole("button", { name: "Invite" }).click();
  await formOpened(card);
  await card.getByLabel("Username (optional)").fill(server.username);
  await page.keyboard.press("Enter");
  await confirm();
  await card.getByLabel("Username (optional)").and(page.locator("[aria-invalid=true]")).waitFor();
  await card.getByLabel("Username (optional)").fill("ivy");
  await page.keyboard.press("Enter");
  await confirm();
  const link = await card.getByRole("textbox", { name: "The link is ready" }).inputValue();
  const pending = page.getByRole("region", { name: "Pending invitations" });
  await pending.getByText("New user").waitFor();
  const [users, below] = [await page.locator("#users").boundingBox(), await pending.boundingBox()];
  assert.ok(users && below && below.y > users.y, "the users come first");
  assert.deepEqual(await findBarriers(page), []);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/invites.png`, fullPage: true });

  const path = await addUser(server, "oscar");
  await openSettings(page, path);
  const user = page.getByRole("region", { name: /oscar/ });
  await user.getByRole("button", { name: "Create link" }).click();
  await confirm();
  const reset = await user.getByRole("textbox", { name: "The link is ready" }).inputValue();

  await page.context().clearCookies();
  await page.goto(link);
  assert.equal(await page.getByLabel("Username").inputValue(), "ivy");
  assert.deepEqual(await findBarriers(page), []);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/invited.png` });
  const fill = async (first: string, again: string) => {
    await page.getByLabel("Password", { exact: true }).fill(first);
    await page.getByLabel("Confirm password").fill(again);
    await page.keyboard.press("Enter");
  };
  await fill(newPassword, "something else");
  await page.getByText("Passwords don't match").waitFor();
  await fill(newPassword, newPassword);
  await page.getByText("Your account is ready").waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL("/login");
  await awake(page);
  await page.getByLabel("Username").fill("ivy");
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(newPassword);
  await page.keyboard.press("Enter");
  await page.waitForURL("/files/");

  await page.context().clearCookies();
  await page.goto(link);
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await page.goto("about:blank");
  await page.goto(reset);
  await page.getByRole("heading", { name: "Choose a new password" }).waitFor();
  await fill(newPassword, newPassword);
  await page.getByText("Your new password is set").waitFor();
  const say = (password: string) =>
    fetch(`${server.url}/api/login`, {
      method: "POST",
      body: JSON.stringify({ username: "oscar", password }),
    });
  const [former, present] = [await say(theirPassword), await say(newPassword)];
  await Promise.all([former.body?.cancel(), present.body?.cancel()]);
  assert.deepEqual([former.status, present.status], [403, 200]);
});
