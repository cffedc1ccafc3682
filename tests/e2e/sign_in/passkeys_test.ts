import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { hearNews } from "../../support/browser/news.ts";
import {
  addUser,
  awake,
  enterAs,
  formOpened,
  openSettings,
  theirPassword,
  tokenFor,
} from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { codeOf } from "../../support/clients/factors.ts";

const shots = Deno.env.get("SHOTS");
const test = browserTests({ workerCounts: [1] });
const stranger = { signedIn: false };

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
    /** Its user answers nothing, or whatever is asked, also what browsers suggest in a field. */
    answers: (enabled: boolean) =>
      session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
  };
}

/** The sign-in page in a browser that suggests no passkeys in the field for the name. */
const suggestingNone = "/login?expired=1#suggesting-none";

/** The device answers a suggestion by itself, at a moment that no test can choose. */
const suggestNone = () => {
  if (location.hash !== "#suggesting-none") return;
  PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
};

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto("/login?expired=1");
  await awake(page);
  await page.getByLabel("Username").fill(username);
  await page.getByRole("textbox", { name: "Password" }).fill(theirPassword);
  await page.keyboard.press("Enter");
}

test(
  "a passkey is added, signs in alone and as the second step, and is removed, by keys alone",
  { ...stranger, byName: true, expected: [401, 403] },
  async ({ page, server }) => {
    await addUser(server, "pia");
    const device = await plugIn(page);
    const entry = page.getByRole("button", { name: "Sign in with a passkey" });
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/api/login/passkey")) asked.push(request.method());
    });
    await page.goto("/login", { waitUntil: "networkidle" });
    assert.equal(await entry.count(), 0, "no user has a passkey yet");
    const username = page.getByLabel("Username");
    assert.equal(await username.getAttribute("autocomplete"), "username");
    assert.deepEqual(asked, [], "where no user has one, none is asked for");
    await enterAs(page, "pia");
    const news = await hearNews(page);
    await openSettings(page, "profile");
    const card = page.getByRole("region", { name: "Two-step sign-in" });
    await card.getByRole("button", { name: "Add passkey" }).press("Enter");
    await formOpened(card);
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

    await card.getByRole("button", { name: "Rename “Phone”" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name of the passkey").fill("Key ring / blue");
    assert.deepEqual(await findBarriers(page), []);
    if (shots) await page.screenshot({ path: `${shots}/passkey_rename.png` });
    await page.keyboard.press("Enter");
    await news("Renamed to “Key ring / blue”");
    await card.getByText("Key ring / blue", { exact: true }).waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    if (shots) await page.screenshot({ path: `${shots}/passkey_phone.png`, fullPage: true });
    await page.addInitScript(suggestNone);
    await page.context().clearCookies();
    await page.goto(suggestingNone);
    await entry.waitFor();
    assert.equal(await username.getAttribute("autocomplete"), "username webauthn");
    assert.deepEqual(await findBarriers(page), []);
    if (shots) await page.screenshot({ path: `${shots}/passkey_login.png` });
    await device.forbid();
    await entry.press("Enter");
    await page.getByText("The passkey didn’t work.").waitFor();
    await device.allow();
    await entry.press("Enter");
    await page.waitForURL(/\/files\//);

    await page.context().clearCookies();
    // The suggestion in the field for the name alone: nothing is pressed.
    await page.goto("/login?expired=1");
    await page.waitForURL(/\/files\//);

    await page.context().clearCookies();
    await device.answers(false);
    await signIn(page, "pia");
    await page.getByLabel("Recovery code", { exact: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Use the app" }).count(), 0);
    assert.deepEqual(await findBarriers(page), []);
    if (shots) await page.screenshot({ path: `${shots}/passkey_step.png` });
    await device.answers(true);
    await page.getByRole("button", { name: "Use a passkey" }).press("Enter");
    await page.waitForURL(/\/files\//);

    await openSettings(page, "profile");
    await card.getByText("Last used").waitFor();
    await card.getByRole("button", { name: "Remove the passkey “Key ring / blue”" }).press("Enter");
    await dialog.getByLabel("Current password").fill(theirPassword);
    assert.deepEqual(await findBarriers(page), []);
    if (shots) await page.screenshot({ path: `${shots}/passkey_remove.png` });
    await dialog.getByRole("button", { name: "Use a passkey" }).press("Enter");
    await card.getByRole("button", { name: "Set up authenticator app" }).waitFor();
    await card.getByText("Key ring / blue", { exact: true }).waitFor({ state: "detached" });

    await page.context().clearCookies();
    await page.goto(suggestingNone);
    await entry.waitFor();
    await entry.press("Enter");
    await page.getByText("The passkey didn’t work.").waitFor();
  },
);

test(
  "who has an authenticator app alone is offered no passkey, at the sign-in and in prompts",
  { ...stranger, byName: true, expected: [401] },
  async ({ page, server }) => {
    await addUser(server, "tom");
    await plugIn(page);
    const token = await tokenFor(server, "tom", theirPassword);
    const call = async (method: string, body: object) => {
      const headers = { "x-auth": token, "content-type": "application/json" };
      const init = { method, headers, body: JSON.stringify(body) };
      const answer = await fetch(`${server.url}/api/factors/totp`, init);
      assert.equal(answer.status, 200);
      return await answer.json();
    };
    const { setup, secret } = await call("POST", {});
    const app_code = codeOf(secret);
    await call("PUT", { setup, app_code, current_password: theirPassword });
    const offer = page.getByRole("button", { name: "Use a passkey" });
    await signIn(page, "tom");
    await page.getByLabel("Code", { exact: true }).waitFor();
    assert.equal(await offer.count(), 0);
    await page.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/files\//);
    await openSettings(page, "profile");
    await page.getByRole("button", { name: "Make new codes" }).press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Code", { exact: true }).waitFor();
    assert.equal(await offer.count(), 0);
    if (shots) await page.screenshot({ path: `${shots}/proof_app_alone.png` });
  },
);

test(
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
