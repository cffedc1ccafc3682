import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import {
  addUser,
  enterAs,
  formOpened,
  openSettings,
  theirPassword,
} from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

test(
  "an API token is made, shown once, used and revoked",
  { signedIn: false, expected: [403, 404] },
  async ({ page, server }) => {
    const { SHOTS } = Deno.env.toObject();
    await addUser(server, "toby");
    await enterAs(page, "toby");
    await openSettings(page, "profile");
    const card = page.getByRole("region", { name: "API tokens" });
    await card.getByRole("button", { name: "New API token" }).click();
    await formOpened(card);
    await card.getByRole("button", { name: "Create token" }).click();
    await card.getByText("Enter a name.").waitFor();
    await card.locator("#field-tokenName:focus").waitFor();
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/form.png`, fullPage: true });
    await page.keyboard.type("Nightly backup");
    await card.getByLabel("Folder").fill("/nowhere at all");
    await page.keyboard.press("Enter");
    const folder = card.getByLabel("Folder");
    await page.waitForFunction(() =>
      document.querySelector("#field-tokenFolder")?.getAttribute("aria-invalid") === "true"
    );
    await folder.fill("");
    await page.keyboard.press("Enter");
    const prompt = page.getByRole("dialog");
    await prompt.getByLabel("Current password").fill(theirPassword);
    await page.keyboard.press("Enter");

    const field = card.getByLabel("New token");
    await field.waitFor();
    const token = await field.inputValue();
    assert.match(token, /^cubby_[\w-]{43}$/);
    assert.deepEqual(await findBarriers(page), []);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/made.png`, fullPage: true });
    const use = () =>
      fetch(`${server.url}/api/resources/`, { headers: { authorization: `Bearer ${token}` } });
    const used = await use();
    assert.equal(used.status, 200);
    await used.body?.cancel();

    await page.reload();
    assert.equal(await card.getByLabel("New token").count(), 0, "shown once");
    await card.getByText("Last used").waitFor();
    await card.getByText("Read only").waitFor();
    await card.getByRole("button", { name: "Revoke Nightly backup" }).click();
    await prompt.getByRole("button", { name: "Revoke" }).waitFor();
    await prompt.getByText("Programs that use this token will lose access.").waitFor();
    await page.keyboard.press("Enter");
    await card.getByText("Nightly backup").waitFor({ state: "detached" });
    const dead = await use();
    await dead.body?.cancel();
    assert.equal(dead.status, 401);
  },
);
