import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry } from "../../support/browser/listing.ts";
import { chooseAction } from "../../support/browser/prompts.ts";
import { addUser, enterAs, theirPassword } from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });
const tree = { album: { "sea.txt": "The sea" } };

for (const device of ["desktop", "phone"] as const) {
  test(
    `a share for a user is found and opened by that user alone (${device})`,
    { tree, device, expected: [400, 404] },
    async ({ page, server, address, folder }) => {
      const [friend, stranger] = [`friend on ${device}`, `stranger on ${device}`];
      await addUser(server, friend);
      await addUser(server, stranger);
      assert.equal(await page.getByRole("link", { name: "Shared with me" }).count(), 0);
      if (device === "phone") {
        await page.getByRole("button", { name: "Actions for album" }).click();
        await page.getByRole("menuitem", { name: "Share" }).click();
      } else {
        await entry(page, "album").focus();
        await page.keyboard.press("Space");
        await chooseAction(page, "Share");
      }
      const prompt = page.getByRole("dialog", { name: "Share “album”" });
      await prompt.getByText("More options").click();
      const only = prompt.getByLabel("Only for (optional)");
      await only.fill("nobody at all");
      await only.press("Enter");
      await prompt.getByRole("button", { name: "Share" }).click();
      await prompt.getByText("There is no user or group of one of these names.").waitFor();
      assert.deepEqual(await findBarriers(page), [], "prompt");
      await prompt.getByRole("button", { name: "Remove nobody at all" }).click();
      await only.fill("FRIEND ON");
      const offered = prompt.getByRole("option", { name: friend });
      await offered.waitFor();
      assert.deepEqual(await findBarriers(page), [], "offered names");
      if (device === "phone") await offered.tap();
      else {
        await only.press("ArrowDown");
        while (await offered.getAttribute("aria-selected") !== "true") {
          await only.press("ArrowDown");
        }
        await only.press("Enter");
      }
      await prompt.getByRole("combobox", { name: `What ${friend} can do` })
        .selectOption({ label: "Can add files" });
      assert.deepEqual(await findBarriers(page), [], "named");
      await prompt.getByRole("button", { name: "Share" }).click();
      await prompt.getByText(`Only for ${friend} (Can add files)`).waitFor();
      const link = await page.getByRole("textbox", { name: "Copy link" }).first().inputValue();

      await enterAs(page, stranger);
      await page.goto(link);
      await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
      assert.equal(await page.getByRole("link", { name: "Sign in" }).count(), 0);
      await page.goto("/shared-with-me");
      await page.getByText("What others share with you appears here.").waitFor();
      assert.deepEqual(await findBarriers(page), [], "nothing");

      await page.context().clearCookies();
      await page.goto(link);
      assert.deepEqual(await findBarriers(page), [], "sign-in");
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByLabel("Username").fill(friend);
      await page.getByRole("textbox", { name: "Password", exact: true }).fill(theirPassword);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(link);
      await page.goto(address);
      if (device === "phone") await page.getByRole("button", { name: "Open menu" }).click();
      await page.getByRole("link", { name: "Shared with me" }).press("Enter");
      await page.waitForURL("/shared-with-me");
      const row = page.getByRole("row").filter({ hasText: "album" });
      await row.getByText(server.username).waitFor();
      await row.getByText("You can add files").waitFor();
      assert.deepEqual(await findBarriers(page), [], "list");
      await row.getByRole("link", { name: "album" }).press("Enter");
      await page.getByRole("heading", { name: "album" }).waitFor();
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Choose files" }).click();
      const buffer = Buffer.from("The sky");
      await (await chooser).setFiles({ name: "sky.txt", mimeType: "text/plain", buffer });
      await page.getByText("Added: 1 of 1").waitFor();
      assert.deepEqual(await findBarriers(page), [], "added");
      assert.equal(await Deno.readTextFile(join(folder, "album/sky.txt")), "The sky");
      await page.getByRole("button", { name: "Show them" }).click();
      await page.getByRole("link", { name: "sky.txt" }).waitFor();
      await page.getByRole("link", { name: "sea.txt" }).click();
      await page.getByText("The sea").waitFor();
    },
  );
}
