import assert from "node:assert/strict";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { startProvider } from "../../support/services/oidc_provider.ts";

const provider = await startProvider();
const { issuer, clientId, clientSecret = "" } = provider.config;
const test = browserTests({
  alone: true,
  workerCounts: [2],
  flags: [
    ...["--oidc-issuer", issuer, "--oidc-client-id", clientId],
    ...["--oidc-client-secret", clientSecret, "--oidc-name", "Otter ID"],
    ...["--oidc-groups", "*=create;chiefs=admin", "--oidc-scopes", "profile groups"],
    ...["--oidc-create-users", "--oidc-logout"],
  ],
});
Deno.test.afterAll(provider.close);

test(
  "with an account of a provider one signs in, works and signs out",
  { signedIn: false, others: [issuer], tree: { "a.txt": "" } },
  async ({ page, address }) => {
    provider.accounts.set("a1", { preferred_username: "anna", groups: ["chiefs"] });
    provider.holder = null;
    await page.goto(address);
    const enter = page.getByRole("link", { name: "Sign in with Otter ID" });
    await enter.waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await enter.click();
    await page.getByRole("alert").filter({ hasText: "You didn’t sign in with Otter ID." })
      .waitFor();
    assert.deepEqual(await findBarriers(page), []);

    provider.holder = "a1";
    await enter.click();
    await page.waitForURL(/\/files\//);
    const name = page.getByRole("button", { name: /anna/ });
    await name.waitFor();
    await page.goto(`${new URL(page.url()).origin}/files/`);
    await page.getByRole("button", { name: "New folder" }).first().click();
    await page.getByRole("dialog").getByRole("textbox").fill("made");
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    await entry(page, "made").first().waitFor();

    await name.click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${issuer}/session/end**`);
    await page.getByRole("button", { name: /Yes/ }).click();
    await page.waitForURL(/\/login/);
    await enter.waitFor();
  },
);
