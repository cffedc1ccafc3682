import assert from "node:assert/strict";
import { findBarriers } from "../support/browser/axe.ts";
import { entry } from "../support/browser/listing.ts";
import { chooseAction } from "../support/browser/prompts.ts";
import { addUser, enterAs } from "../support/browser/settings.ts";
import { setStage } from "../support/browser/stage.ts";

const play = setStage({ workerCounts: [1] });
const tree = { album: { "sea.txt": "The sea" } };

for (const device of ["desktop", "phone"] as const) {
  play(
    `a share for a user is found and opened by that user alone (${device})`,
    { tree, device, expected: [400, 404] },
    async ({ page, server, address }) => {
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
      await prompt.getByText("There is no user or group of one of these names.").waitFor();
      assert.deepEqual(await findBarriers(page), [], "prompt");
      await only.fill(friend);
      await only.press("Enter");
      await prompt.getByText(`Only for ${friend}`).waitFor();
      const link = await page.getByRole("textbox", { name: "Copy link" }).first().inputValue();

      await enterAs(page, stranger);
      await page.goto(link);
      await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
      await page.goto("/shared-with-me");
      await page.getByText("What others share with you appears here.").waitFor();
      assert.deepEqual(await findBarriers(page), [], "nothing");

      await enterAs(page, friend);
      await page.goto(address);
      if (device === "phone") await page.getByRole("button", { name: "Open menu" }).click();
      await page.getByRole("link", { name: "Shared with me" }).press("Enter");
      await page.waitForURL("/shared-with-me");
      const row = page.getByRole("row").filter({ hasText: "album" });
      await row.getByText(server.username).waitFor();
      assert.deepEqual(await findBarriers(page), [], "list");
      await row.getByRole("link", { name: "album" }).press("Enter");
      await page.getByRole("heading", { name: "album" }).waitFor();
      await page.getByRole("link", { name: "sea.txt" }).click();
      await page.getByText("The sea").waitFor();
    },
  );
}
