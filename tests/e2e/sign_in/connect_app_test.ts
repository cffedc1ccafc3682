import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import {
  addUser,
  awake,
  enterAs,
  openSettings,
  theirPassword,
} from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ workerCounts: [2], flags: ["--sync-clients"] });

/** A client that waits for its user: the link, and its question for the result. */
async function waitingClient(server: RunningServer) {
  const agent = "Mozilla/5.0 (Macintosh) mirall/3.16.4 (Nextcloud, osx-24.5.0)";
  const init = { method: "POST", headers: { "user-agent": agent } };
  const begun = await fetch(`${server.url}/index.php/login/v2`, init);
  assert.equal(begun.status, 200);
  const { login, poll: { endpoint, token } } = await begun.json();
  const poll = async () => {
    const answer = await fetch(endpoint, { method: "POST", body: new URLSearchParams({ token }) });
    return { status: answer.status, result: await answer.json() };
  };
  return { login, poll };
}

async function shoot(page: Page, name: string): Promise<void> {
  const { SHOTS } = Deno.env.toObject();
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

test(
  "an app is connected by keyboard, after signing in, and revoked in the profile",
  { signedIn: false, expected: [404] },
  async ({ page, server }) => {
    await addUser(server, "conny");
    const client = await waitingClient(server);
    await page.goto(client.login);
    await awake(page);
    await page.keyboard.type("conny");
    await page.keyboard.press("Tab");
    await page.keyboard.type(theirPassword);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Nextcloud for macOS wants access to your files" })
      .waitFor();
    await awake(page);
    await page.getByText("Access is given as conny.").waitFor();
    await page.getByText("The request came from 127.0.0.1.").waitFor();
    await shoot(page, "question");
    assert.deepEqual(await findBarriers(page), []);
    assert.equal((await client.poll()).status, 404);

    // Access, folder, sharing, then the button.
    await page.getByLabel("Access").focus();
    await page.keyboard.press("Tab");
    await page.locator("#field-folder:focus").waitFor();
    await page.keyboard.press("Tab");
    await page.locator("#field-share:focus:checked").waitFor();
    await page.keyboard.press("Tab");
    await page.locator("button:focus", { hasText: "Grant access" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator("h1:focus", { hasText: "Connected" }).waitFor();
    await page.getByText("You can close this window and go back to the app.").waitFor();
    await shoot(page, "connected");
    assert.deepEqual(await findBarriers(page), []);

    const { status, result: { loginName, appPassword } } = await client.poll();
    assert.equal(status, 200);
    assert.equal(loginName, "conny");
    const authorization = `Basic ${btoa(`conny:${appPassword}`)}`;
    const ask = () =>
      fetch(`${server.url}/remote.php/webdav/`, { method: "HEAD", headers: { authorization } });
    assert.notEqual((await ask()).status, 401);
    await openSettings(page, "profile");
    const card = page.getByRole("region", { name: "API tokens" });
    await card.getByText("Nextcloud for macOS").waitFor();
    await card.getByText("Read and write").waitFor();
    await card.getByText("Can share files").waitFor();
    await card.getByText("Last used").waitFor();
    await card.getByRole("button", { name: "Revoke Nextcloud for macOS" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await card.getByText("Nextcloud for macOS").waitFor({ state: "detached" });
    assert.equal((await ask()).status, 401);
  },
);

for (const scheme of ["light", "dark"] as const) {
  test(
    `an app is refused, and its link works no more (${scheme}, phone)`,
    { signedIn: false, scheme, device: "phone", expected: [400, 404] },
    async ({ page, server }) => {
      await addUser(server, `rufus-${scheme}`);
      await enterAs(page, `rufus-${scheme}`);
      const client = await waitingClient(server);
      await page.goto(client.login);
      await awake(page);
      await page.getByLabel("Folder").fill("/nowhere at all");
      await page.getByRole("button", { name: "Grant access" }).click();
      await page.locator("#field-folder:focus[aria-invalid=true]").waitFor();
      await shoot(page, `folder-${scheme}`);
      assert.deepEqual(await findBarriers(page), []);
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("heading", { name: "Not connected" }).waitFor();
      assert.deepEqual(await findBarriers(page), []);
      assert.equal((await client.poll()).status, 404);
      await page.goto(client.login);
      await page.getByRole("heading", { name: "This request no longer works" }).waitFor();
      await awake(page);
      assert.equal(await page.locator("h1:focus").count(), 0, "nothing was pressed on this page");
      await shoot(page, `gone-${scheme}`);
      assert.deepEqual(await findBarriers(page), []);
    },
  );
}
