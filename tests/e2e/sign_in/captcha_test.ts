import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry } from "../../support/browser/listing.ts";
import type { RunningServer } from "../../support/server/server.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { startVerifier } from "../../support/services/verifier.ts";

const verifier = startVerifier();
const { host, key, secret } = verifier;
const test = browserTests({
  alone: true,
  workerCounts: [1],
  flags: [
    ...["--recaptcha-host", host, "--recaptcha-key", key],
    ...["--recaptcha-secret", secret],
  ],
});
Deno.test.afterAll(verifier.close);

const visitor = { signedIn: false, others: [host] };

async function solve(page: Page): Promise<void> {
  await page.getByRole("button", { name: "I am human" }).click();
  await page.getByRole("button", { name: "Solved" }).waitFor();
}

async function fillIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByRole("textbox", { name: "Password", exact: true }).fill(password);
}

async function submit(page: Page, name = "Sign in"): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

async function isRefused(page: Page): Promise<void> {
  await page.getByRole("alert").filter({ hasText: "Wrong credentials" }).waitFor();
}

/** A token of the administrator, by the call. */
async function tokenOf({ url, username, password }: RunningServer): Promise<string> {
  const body = JSON.stringify({ username, password, recaptcha: `human-${crypto.randomUUID()}` });
  const answer = await fetch(`${url}/api/login`, { method: "POST", body });
  assert.equal(answer.status, 200);
  return await answer.text();
}

async function change(server: RunningServer, method: string, path: string, json?: object) {
  const headers = { "x-auth": await tokenOf(server) };
  const init = { method, headers, body: json && JSON.stringify(json) };
  const answer = await fetch(`${server.url}${path}`, init);
  assert.equal(answer.status, 200, await answer.text());
}

test(
  "nobody signs in without solving the captcha, and each attempt takes another one",
  { ...visitor, expected: [403], tree: { "a.txt": "" } },
  async ({ page, server, address }) => {
    verifier.asked.length = 0;
    await page.goto(address);
    await fillIn(page, server.username, server.password);
    await page.getByRole("button", { name: "I am human" }).waitFor();
    await submit(page);
    await isRefused(page);
    assert.equal(verifier.asked.length, 0, "without a call");

    await fillIn(page, server.username, "not this one at all");
    await solve(page);
    await submit(page);
    await page.getByRole("button", { name: "I am human" }).waitFor();
    await isRefused(page);

    await fillIn(page, server.username, server.password);
    await solve(page);
    await submit(page);
    await page.waitForURL(address);
    await entry(page, "a.txt").waitFor();
    assert.equal(await page.locator("script[src*=recaptcha]").count(), 0, "on that page alone");
  },
);

test(
  "a widget whose script does not come is told of, and comes with the next attempt",
  { ...visitor, expected: [0] },
  async ({ page, server, address }) => {
    await page.route(`${host}/**`, (route) => route.abort(), { times: 1 });
    await page.goto(address);
    await page.getByText("Check your connection, then try again.").waitFor();
    await fillIn(page, server.username, server.password);
    await submit(page);
    await solve(page);
    await submit(page);
    await page.waitForURL(address);
  },
);

test(
  "who signs up solves one captcha, by the keyboard alone, and is signed in",
  visitor,
  async ({ page, server }) => {
    const { password } = server;
    await change(server, "PUT", "/api/settings", { signup: true, current_password: password });
    await page.goto("/login?signup");
    await page.getByRole("button", { name: "I am human" }).waitFor();
    await page.getByLabel("Username").focus();
    await page.keyboard.type("vera");
    for (const text of ["four herons at dawn", "four herons at dawn"]) {
      await page.keyboard.press("Tab");
      if (await page.getByRole("button", { name: "Show password" }).evaluate(isFocused)) {
        await page.keyboard.press("Tab");
      }
      await page.keyboard.type(text);
    }
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("/files/");
    await page.getByText("It feels lonely here…").waitFor();
  },
);

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

test(
  "a session that ends under the user is taken up on the sign-in page, in another tab",
  { ...visitor, expected: [401], tree: { "a.txt": "", sub: {} } },
  async ({ page, server, address }) => {
    await page.goto(address);
    await fillIn(page, server.username, server.password);
    await solve(page);
    await submit(page);
    await page.waitForURL(address);
    await entry(page, "sub").waitFor();

    await change(server, "DELETE", "/api/sessions");
    // No real clicks: the stream of events ended as well, and the prompt may be there already.
    await entry(page, "sub").dispatchEvent("dblclick");
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    assert.deepEqual(await findBarriers(page), []);
    const opened = page.waitForEvent("popup");
    await dialog.getByRole("link", { name: "Sign in" }).click();
    const tab = await opened;
    await fillIn(tab, server.username, server.password);
    await solve(tab);
    await submit(tab);
    await tab.waitForURL((url) => url.pathname.startsWith(address));
    await dialog.waitFor({ state: "detached" });
    await page.waitForURL(`${address}sub/`);
    await page.getByText("It feels lonely here…").waitFor();
  },
);

test(
  "a visitor of a request solves a captcha, and no file comes without",
  { ...visitor, expected: [403], tree: { inbox: {} } },
  async ({ page, server, folder, address }) => {
    const token = await tokenOf(server);
    const init = { method: "POST", headers: { "x-auth": token }, body: "{}" };
    const path = `${address.replace("/files", "")}inbox`;
    const asked = await fetch(`${server.url}/api/request${path}`, init);
    const { hash } = await asked.json();
    await page.goto(`/request/${hash}`);
    await page.getByRole("button", { name: "I am human" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    assert.equal(await page.getByRole("button", { name: "Choose files" }).count(), 0);
    await submit(page, "Open");
    await page.getByRole("alert").filter({ hasText: "Solve the captcha" }).waitFor();
    await solve(page);
    await submit(page, "Open");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose files" }).click();
    const buffer = Buffer.from("sent");
    await (await chooser).setFiles({ name: "one.txt", mimeType: "text/plain", buffer });
    await page.getByText("Received: 1 of 1").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "inbox/one.txt")), "sent");
  },
);

for (const device of ["desktop", "phone"] as const) {
  for (const scheme of ["light", "dark"] as const) {
    test(
      `the captcha fits a ${device} in ${scheme} colours, and follows when those change`,
      { ...visitor, device, scheme },
      async ({ page, address }) => {
        await page.goto(address);
        const widget = page.getByRole("button", { name: "I am human" });
        await widget.waitFor();
        assert.equal(await widget.getAttribute("data-theme"), scheme);
        assert.deepEqual(await findBarriers(page), []);
        const card = await page.locator(".stage__card").boundingBox();
        const box = await widget.boundingBox();
        assert.ok(card && box && box.x > card.x && box.x + box.width < card.x + card.width);

        const other = scheme === "light" ? "dark" : "light";
        await page.emulateMedia({ colorScheme: other });
        await page.locator(`[data-theme=${other}]`).waitFor();
        assert.equal(await widget.count(), 1);
        if (device === "desktop") return;
        await page.setViewportSize({ width: 320, height: 640 });
        await page.reload();
        await widget.waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 320, `${wide} px`);
      },
    );
  }
}
