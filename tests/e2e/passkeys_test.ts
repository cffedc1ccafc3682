import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../support/browser/axe.ts";
import { hearNews } from "../support/browser/news.ts";
import { addUser, enterAs, openSettings, theirPassword } from "../support/browser/settings.ts";
import { setStage } from "../support/browser/stage.ts";

const play = setStage({ workerCounts: [1] });
const stranger = { signedIn: false };
const shots = Deno.env.get("SHOTS");

/** Gives the browser a device with passkeys, whose user agrees at once. */
async function plugIn(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    held: async () =>
      (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    forbid: () =>
      session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false }),
    allow: () =>
      session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true }),
  };
}

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto("/login?expired=1");
  await page.getByLabel("Username").fill(username);
  await page.getByRole("textbox", { name: "Password" }).fill(theirPassword);
  await page.keyboard.press("Enter");
}

play(
  "a passkey is added, signs in alone and as the second step, and is removed, by keys alone",
  { ...stranger, byName: true, expected: [401, 403] },
  async ({ page, server }) => {
    await addUser(server, "pia");
    const device = await plugIn(page);
    const entry = page.getByRole("button", { name: "Sign in with a passkey" });
    await page.goto("/login", { waitUntil: "networkidle" });
    assert.equal(await entry.count(), 0, "no user has a passkey yet");
    await enterAs(page, "pia");
    const news = await hearNews(page);
    await openSettings(page, "profile");
    const card = page.getByRole("region", { name: "Two-step sign-in" });
    await card.getByRole("button", { name: "Add passkey" }).press("Enter");
    await card.getByLabel("Name of the passkey").fill("Phone");
    await card.getByLabel("Current password").fill("not the right one");
    await card.getByLabel("Current password").press("Enter");
    await card.locator(".field__complaint").waitFor();
    assert.equal((await device.held()).length, 0, "no device keeps what the server refuses");
    assert.deepEqual(await findBarriers(page), []);
    if (shots) await page.screenshot({ path: `${shots}/passkey_form.png`, fullPage: true });
    await card.getByLabel("Current password").fill(theirPassword);
    await card.getByLabel("Current password").press("Enter");
    await news("Two-step sign-in is on.");
    const codes = await card.locator(".factors__list li").allInnerTexts();
    assert.equal(codes.length, 10);
    await card.getByRole("button", { name: "I’ve saved them" }).press("Enter");
    await card.getByText("Not used yet").waitFor();
    assert.equal((await device.held()).length, 1);
    assert.deepEqual(await findBarriers(page), []);
    if (shots) await page.screenshot({ path: `${shots}/passkey_on.png`, fullPage: true });

    await page.setViewportSize({ width: 390, height: 844 });
    await page.context().clearCookies();
    await page.goto("/login?expired=1");
    await entry.waitFor();
    assert.deepEqual(await findBarriers(page), []);
    if (shots) await page.screenshot({ path: `${shots}/passkey_login.png` });
    await device.forbid();
    await entry.press("Enter");
    await page.getByText("The passkey didn’t work.").waitFor();
    await device.allow();
    await entry.press("Enter");
    await page.waitForURL(/\/files\//);

    await page.context().clearCookies();
    await signIn(page, "pia");
    await page.getByLabel("Code", { exact: true }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    if (shots) await page.screenshot({ path: `${shots}/passkey_step.png` });
    await page.getByRole("button", { name: "Use a passkey" }).press("Enter");
    await page.waitForURL(/\/files\//);

    await openSettings(page, "profile");
    await card.getByText("Last used").waitFor();
    await card.getByRole("button", { name: "Remove the passkey “Phone”" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Current password").fill(theirPassword);
    assert.deepEqual(await findBarriers(page), []);
    if (shots) await page.screenshot({ path: `${shots}/passkey_remove.png` });
    await dialog.getByRole("button", { name: "Use a passkey" }).press("Enter");
    await card.getByRole("button", { name: "Set up authenticator app" }).waitFor();
    await card.getByText("Phone", { exact: true }).waitFor({ state: "detached" });

    await page.context().clearCookies();
    await page.goto("/login?expired=1");
    await entry.press("Enter");
    await page.getByText("The passkey didn’t work.").waitFor();
  },
);

play(
  "no passkey is offered at an address, where browsers make none",
  { ...stranger },
  async ({ page, server }) => {
    await addUser(server, "ada");
    await plugIn(page);
    await enterAs(page, "ada");
    await openSettings(page, "profile");
    await page.getByRole("button", { name: "Set up authenticator app" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Add passkey" }).count(), 0);
  },
);
