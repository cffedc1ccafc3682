/** Links that are sent by mail, from the server in its sandbox to a real SMTP server. */
import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { hearNews } from "../../support/browser/news.ts";
import { addUser, enterAs, formOpened, openSettings } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { startSmtpServer } from "../../support/services/smtp_server.ts";

const mail = await startSmtpServer();
const ca = await Deno.makeTempFile({ suffix: ".pem" });
await Deno.writeTextFile(ca, mail.ca);
const test = browserTests({
  alone: true,
  workerCounts: [1],
  flags: [
    ...["--mail-host", "localhost", "--mail-port", String(mail.config.port), "--mail-ca", ca],
    ...["--mail-user", "cubby", "--mail-password", "posts"],
    ...["--mail-from", "Files <files@example.org>"],
  ],
});
Deno.test.afterAll(async () => {
  await mail[Symbol.asyncDispose]();
  await Deno.remove(ca);
});

test("an invitation and a reset link come by mail, with the keyboard alone and on a phone", {
  // The call that asks for the password; addresses that are none, and that are refused.
  expected: [400, 403],
}, async ({ page, server }) => {
  const { SHOTS } = Deno.env.toObject();
  const confirm = async () => {
    await page.getByRole("dialog").getByLabel("Current password").fill(server.password);
    await page.keyboard.press("Enter");
  };
  const news = await hearNews(page);
  await openSettings(page, "users");
  const card = page.getByRole("region", { name: "Invite" });
  await page.getByRole("button", { name: "Invite" }).press("Enter");
  await formOpened(card);
  const address = card.getByLabel("Email address (optional)");
  for (const refused of ["ivy", "nobody@example.org"]) {
    await address.fill(refused);
    await page.keyboard.press("Enter");
    await confirm();
    await address.and(page.locator("[aria-invalid=true]")).waitFor();
    await card.getByText("This isn’t one email address").waitFor();
  }
  assert.deepEqual(await findBarriers(page), []);
  assert.equal(mail.received.length, 0);
  await address.fill("ivy@example.org");
  await page.keyboard.press("Enter");
  await confirm();
  await news("Link sent to ivy@example.org");
  const shown = await card.getByRole("textbox", { name: "The link is ready" }).inputValue();
  const [invitation] = mail.received;
  assert.deepEqual([invitation?.to, invitation?.user, invitation?.isEncrypted], [
    ["ivy@example.org"],
    "cubby",
    true,
  ]);
  assert.ok(invitation?.raw.replace(/=\r\n/g, "").includes(shown), "the link is in the mail");

  const path = await addUser(server, "oscar");
  await page.setViewportSize({ width: 390, height: 844 });
  await openSettings(page, path);
  const user = page.getByRole("region", { name: /oscar/ });
  const own = user.getByLabel("Email address");
  const also = user.getByRole("checkbox", { name: /^Also send the link to / });
  await own.fill("oscar@");
  assert.equal(await also.count(), 0);
  await own.fill("nobody@example.org");
  await also.press("Space");
  const create = user.getByRole("button", { name: "Create link" });
  await create.press("Enter");
  await confirm();
  await own.and(page.locator("[aria-invalid=true]")).waitFor();
  assert.equal(mail.received.length, 1);
  await own.fill("oscar@example.org");
  // A second Enter right after the one that closed a prompt is ignored.
  await create.press("Space");
  await confirm();
  await news("Link sent to oscar@example.org");
  assert.deepEqual(mail.received[1]?.to, ["oscar@example.org"]);
  assert.deepEqual(await findBarriers(page), []);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(overflow, false);
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/reset_mail.png`, fullPage: true });
});

test("an administrator enters an address, and its user turns mail with notifications on", {
  expected: [],
}, async ({ page, server }) => {
  const { SHOTS } = Deno.env.toObject();
  const path = await addUser(server, "petra");
  const news = await hearNews(page);
  await openSettings(page, path);
  const address = page.getByLabel("Email address", { exact: true });
  await address.fill("petra@");
  await page.keyboard.press("Enter");
  await address.and(page.locator("[aria-invalid=true]")).waitFor();
  await address.fill("petra@example.org");
  await page.keyboard.press("Enter");
  await news("User updated!");
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/user_mail.png` });
  await enterAs(page, "petra");
  await openSettings(page, "profile");
  const card = page.getByRole("region", { name: "Notifications" });
  const choice = card.getByRole("checkbox", { name: "Also by email, to petra@example.org" });
  assert.equal(await choice.isChecked(), false);
  await choice.press("Space");
  if (SHOTS) await card.screenshot({ path: `${SHOTS}/profile_mail.png` });
  await card.getByRole("button", { name: "Save" }).press("Enter");
  await news("Settings updated!");
  await page.reload();
  assert.ok(await choice.isChecked());
  assert.deepEqual(await findBarriers(page), []);
  await addUser(server, "quin");
  await enterAs(page, "quin");
  await openSettings(page, "profile");
  await card.getByText("An administrator can enter your email address.").waitFor();
  assert.ok(await card.getByRole("checkbox", { name: "Also by email" }).isDisabled());
});
