import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { entry } from "../../support/browser/listing.ts";
import { withholdCode } from "../../support/browser/scripts.ts";
import { browserTests, signIn } from "../../support/browser/browser_tests.ts";

const test = browserTests();

async function fillIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const stranger = { signedIn: false };

test(
  "a wrong password is refused, the right one leads to where one wanted to go",
  { ...stranger, expected: [403], tree: { photos: { "sea.txt": "waves" } } },
  async ({ page, server, address }) => {
    await page.goto(`${address}photos/?a=b`);
    await page.waitForURL(/\/login\?redirect=/);

    await fillIn(page, server.username, "not this one at all");
    await page.getByRole("alert").filter({ hasText: "Wrong credentials" }).waitFor();
    await fillIn(page, server.username, server.password);

    await page.waitForURL(`${address}photos/?a=b`);
    await entry(page, "sea.txt").waitFor();
  },
);

test(
  "what is filled in before the page is awake stays, and Enter before then loses nothing",
  stranger,
  async ({ page, server }) => {
    await page.goto("/login");
    const wake = await withholdCode(page);
    await page.goto("/login", { waitUntil: "commit" });
    await page.getByLabel("Username").fill(server.username);
    const password = page.getByRole("textbox", { name: "Password" });
    await password.fill(server.password);
    await password.press("Enter");
    wake();
    await page.locator("button[type=submit]").waitFor();
    assert.equal(await page.getByLabel("Username").inputValue(), server.username);
    assert.equal(await password.inputValue(), server.password);
    await password.press("Enter");
    await page.waitForURL("/files/");
  },
);

const elsewhere = [
  "//other.example/",
  "https://other.example/",
  "/\\other.example/",
  "\t//x.example",
];

test("signing in does not lead to another site", stranger, async ({ page, server }) => {
  for (const address of elsewhere) {
    await page.goto(`/login?redirect=${encodeURIComponent(address)}`);
    await fillIn(page, server.username, server.password);
    await page.waitForURL((url) => url.pathname !== "/login");
    assert.equal(new URL(page.url()).origin, server.url, address);
    await page.context().clearCookies();
  }
});

test("whoever is signed in does not see the sign-in again", {}, async ({ page }) => {
  await page.goto("/login");
  await page.waitForURL("/files/");
});

// The streams of both tabs end with the session: on a slow machine one is asked for once more.
const slow = { expected: [401] };

test("signing out ends the session, in other tabs too", slow, async ({ page, server, address }) => {
  const other = await page.context().newPage();
  await other.goto(address);
  // A call still under way when the session ends is refused, and rightly so.
  await Promise.all(
    [page, other].map((tab) => tab.getByRole("progressbar", { name: /Server disk/ }).waitFor()),
  );
  await page.getByRole("button", { name: /^Account:/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(/\/login/);

  await other.waitForURL(/\/login/);
  await page.goto("/files/");
  await page.waitForURL(/\/login\?redirect=/);
  await signIn(page, server, address);
});
