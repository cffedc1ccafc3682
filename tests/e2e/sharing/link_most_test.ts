/** What links may give to anyone, as an administrator sets it, and what those who share see of it. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { comeAsGuest, togetherIs } from "../../support/browser/together.ts";
import { openSettings, share, tokenFor } from "../../support/browser/settings.ts";
import { hearNews } from "../../support/browser/news.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ alone: true, workerCounts: [1] });
const { SHOTS } = Deno.env.toObject();

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

async function allow(server: RunningServer, maxLinkRight: string): Promise<void> {
  const token = await tokenFor(server, server.username, server.password);
  const answer = await fetch(`${server.url}/api/settings`, {
    method: "PUT",
    headers: { "x-auth": token },
    body: JSON.stringify({ maxLinkRight, current_password: server.password }),
  });
  assert.equal(answer.status, 200, await answer.text());
}

for (
  const [scheme, device] of [
    ["light", "desktop"],
    ["dark", "desktop"],
    ["light", "phone"],
    ["dark", "phone"],
  ] as const
) {
  test(
    `the dialog offers what links may give, and says why not more (${scheme}, ${device})`,
    { scheme, device, expected: [403], tree: { album: { "sea.txt": "The sea" } } },
    async ({ page, server, folder, address }) => {
      const shot = `${device}-${scheme}`;
      const news = await hearNews(page);
      await allow(server, "edit");
      await openSettings(page, "global");
      const most = page.getByRole("combobox", { name: "Most that a link gives to anyone" });
      assert.equal(await most.inputValue(), "edit");
      await most.scrollIntoViewIfNeeded();
      await shoot(page, `most-card-open-${shot}`);
      await most.selectOption({ label: "Can view and download" });
      await page.getByRole("button", { name: "Save" }).click();
      const prompt = page.getByRole("dialog", { name: "Confirm it’s you" });
      await prompt.getByLabel("Current password").fill(server.password);
      await page.keyboard.press("Enter");
      await news("Settings updated!");
      await most.scrollIntoViewIfNeeded();
      assert.deepEqual(await findBarriers(page), []);
      await shoot(page, `most-card-bound-${shot}`);

      const path = `${folder.slice(server.root.length)}/album`;
      await allow(server, "edit");
      await share(server, path, { anyoneMay: "edit" });
      await allow(server, "download");
      await page.goto(address);
      await page.getByRole("link", { name: "album" }).click({ button: "right" });
      await page.getByRole("menuitem", { name: "Share" }).click();
      const opened = page.getByRole("dialog", { name: "Share “album”" });
      // What the link gives now.
      await opened.getByText("Anyone with the link", { exact: true }).waitFor();
      await opened.getByRole("button", { name: "Edit link" }).click();
      const edited = page.getByRole("dialog", { name: "Edit link" });
      const now = edited.getByRole("combobox", { name: "What the link allows" });
      assert.equal(await now.inputValue(), "edit");
      await edited.getByText("Until that changes, this link gives no more.").waitFor();
      await edited.getByText("Can view and download, without signing in.").waitFor();
      await now.scrollIntoViewIfNeeded();
      await shoot(page, `most-kept-${shot}`);
      assert.deepEqual(await findBarriers(page), []);
      await edited.getByRole("button", { name: "Cancel" }).click();
      await opened.getByRole("button", { name: "Create another link" }).click();
      const right = opened.getByRole("combobox", { name: "What the link allows" });
      assert.deepEqual(await right.getByRole("option").allInnerTexts(), [
        "Can view",
        "Can view and download",
      ]);
      await opened.getByText(
        "Your administrator allows links for anyone up to “Can view and download”.",
      ).waitFor();
      await right.scrollIntoViewIfNeeded();
      await shoot(page, `most-dialog-bound-${shot}`);
      assert.deepEqual(await findBarriers(page), []);

      await allow(server, "view");
      await page.goto(address);
      await page.getByRole("link", { name: "album" }).click({ button: "right" });
      await page.getByRole("menuitem", { name: "Share" }).click();
      await opened.getByText("Anyone with the link (Can view)").waitFor();
      await opened.getByRole("button", { name: "Create another link" }).click();
      assert.equal(await right.inputValue(), "view");
      await opened.getByRole("button", { name: "Create link" }).click();
      await opened.getByText("Anyone with the link (Can view)").nth(1).waitFor();

      await allow(server, "edit");
      await page.goto(address);
      await page.getByRole("link", { name: "album" }).click({ button: "right" });
      await page.getByRole("menuitem", { name: "Share" }).click();
      await opened.getByRole("button", { name: "Create another link" }).click();
      assert.equal(await right.getByRole("option").count(), 4);
      await right.scrollIntoViewIfNeeded();
      await shoot(page, `most-dialog-open-${shot}`);
    },
  );
}

test(
  "a visitor who writes may only read once links give less, and writes again after that",
  { tree: { album: { "notes.txt": "one\n" } } },
  async (fixture) => {
    const { server, folder } = fixture;
    await allow(server, "edit");
    const path = `${folder.slice(server.root.length)}/album`;
    const { hash } = await share(server, path, { anyoneMay: "edit" });
    await using guest = await comeAsGuest(fixture);
    await guest.page.goto(`/share/${hash}/notes.txt`);
    await guest.page.getByRole("dialog", { name: "What’s your name?" }).waitFor();
    await guest.page.keyboard.press("Escape");
    await togetherIs(guest.page, "saved");
    await allow(server, "download");
    // Nobody is left who could write.
    await guest.page.locator(".editor__state[data-room=saved]").getByText("Read-only").waitFor();
    await allow(server, "edit");
    await togetherIs(guest.page, "saved");
  },
);
