import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry } from "../../support/browser/listing.ts";
import { chooseAction } from "../../support/browser/prompts.ts";
import {
  addUser,
  awake,
  enterAs,
  theirPassword,
  tokenFor,
} from "../../support/browser/settings.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import type { RecipientRight } from "../../../lib/shared/schemas/choices/choices.ts";
import type { RunningServer } from "../../support/server/server.ts";

const test = browserTests({ workerCounts: [1] });
const tree = { album: { "sea.txt": "The sea" } };

/** Opens the prompt for the album, whose first field is that of names. */
async function openNames(page: Page, device: "desktop" | "phone") {
  if (device === "phone") {
    await page.getByRole("button", { name: "Actions for album" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
  } else {
    await entry(page, "album").focus();
    await page.keyboard.press("Space");
    await chooseAction(page, "Share");
  }
  const prompt = page.getByRole("dialog", { name: "Share “album”" });
  return { prompt, only: prompt.getByRole("combobox", { name: "Add people or groups" }) };
}

async function giveRight(server: RunningServer, hash: string, name: string, may: RecipientRight) {
  const token = await tokenFor(server, server.username, server.password);
  const body = JSON.stringify({ audience: [{ name, may }] });
  const init = { method: "PATCH", headers: { "x-auth": token }, body };
  const answer = await fetch(`${server.url}/api/share/${hash}`, init);
  assert.equal(answer.status, 200, await answer.text());
}

test("the names of a share are edited without losing the focus", { tree }, async ({ page }) => {
  const { prompt, only } = await openNames(page, "desktop");
  const isFocused = () => only.and(page.locator(":focus")).waitFor();
  const remove = (name: string) => prompt.getByRole("button", { name: `Remove ${name}` });
  await only.fill("Ada");
  await prompt.getByRole("button", { name: "Add Ada" }).press("Enter");
  await remove("Ada").waitFor();
  await isFocused();
  await only.fill("日本 `#%?, @עברית, ");
  await remove("Ada").press("Enter");
  await remove("日本 `#%?").and(page.locator(":focus")).press("Enter");
  await remove("@עברית").and(page.locator(":focus")).press("Enter");
  await remove("@עברית").waitFor({ state: "detached" });
  await isFocused();
  await only.fill("Ada, Ben, ");
  await remove("Ben").waitFor();
  await only.fill("C");
  await only.press("Backspace");
  await remove("Ben").waitFor();
  await only.press("Backspace");
  await remove("Ben").waitFor({ state: "detached" });
  await remove("Ada").waitFor();
  await isFocused();
  await prompt.waitFor();
});

for (const device of ["desktop", "phone"] as const) {
  test(
    `a share for a user is found and opened by that user alone (${device})`,
    { tree, device, expected: [400, 403, 404] },
    async ({ page, server, address, folder }) => {
      const [friend, stranger] = [`friend on ${device}`, `stranger on ${device}`];
      await addUser(server, friend);
      await addUser(server, stranger);
      assert.equal(await page.getByRole("link", { name: "Shared with me" }).count(), 0);
      const { prompt, only } = await openNames(page, device);
      await only.fill("nobody at all");
      await only.press("Enter");
      await prompt.getByRole("button", { name: "Share", exact: true }).click();
      await prompt.getByText("No user or group has this name: “nobody at all”.").waitFor();
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
      await prompt.getByRole("button", { name: "Share", exact: true }).click();
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
      await page.waitForURL(/\/login\?/);
      await awake(page);
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
      assert.equal(await page.getByRole("button", { name: /^New folder|^Actions for/ }).count(), 0);

      const hash = new URL(page.url()).pathname.split("/")[2] ?? "";
      await giveRight(server, hash, friend, "edit");
      await page.reload();
      await page.getByRole("button", { name: "New folder" }).click();
      const isEditable = () => page.locator(".shared__list[data-editing]").waitFor();
      const asked = page.getByRole("dialog").getByLabel("Name");
      await asked.fill("clouds");
      await asked.press("Enter");
      await page.getByRole("link", { name: "clouds" }).waitFor();
      assert.ok((await Deno.stat(join(folder, "album/clouds"))).isDirectory);
      await isEditable();
      assert.deepEqual(await findBarriers(page), [], "editing");
      const act = async (name: string, action: string) => {
        await page.getByRole("button", { name: `Actions for ${name}` }).click();
        await page.getByRole("menuitem", { name: action }).click();
      };
      if (device === "phone") await act("sky.txt", "Rename");
      else await page.getByRole("link", { name: "sky.txt" }).press("F2");
      await asked.fill("blue.txt");
      await asked.press("Enter");
      await page.getByText("Renamed to “blue.txt”").waitFor();
      await act("blue.txt", "Move to…");
      await page.getByRole("treeitem", { name: "clouds" }).click();
      assert.deepEqual(await findBarriers(page), [], "moving");
      await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
      await page.getByText("1 item moved").waitFor();
      assert.equal(await Deno.readTextFile(join(folder, "album/clouds/blue.txt")), "The sky");
      await page.getByRole("button", { name: "Undo" }).click();
      const blue = page.getByRole("link", { name: "blue.txt" });
      await blue.waitFor();
      await isEditable();
      if (device === "phone") {
        const tick = (name: string) => page.getByRole("checkbox", { name: `Select ${name}` });
        await tick("blue.txt").check();
        await tick("sea.txt").check();
        assert.deepEqual(await findBarriers(page), [], "selected");
        await page.getByRole("button", { name: "More" }).tap();
        await page.getByRole("menuitem", { name: "Download" }).tap();
        const kinds = page.getByRole("dialog", { name: "Download 2 items" });
        await kinds.getByLabel("tar.gz").check();
        const archive = page.waitForEvent("download");
        await kinds.getByRole("button", { name: "Download" }).tap();
        assert.equal((await archive).suggestedFilename(), "album.tar.gz");
        await tick("sea.txt").uncheck();
        await page.getByRole("button", { name: "Delete" }).tap();
      } else await blue.press("Delete");
      await page.getByText("1 item moved to the owner’s trash").waitFor();
      assert.equal(await blue.count(), 0);
      await page.getByRole("button", { name: "Undo" }).click();
      await blue.waitFor();
      assert.equal(await Deno.readTextFile(join(folder, "album/blue.txt")), "The sky");
      const chosen = page.waitForEvent("filechooser");
      await act("blue.txt", "Replace with another file…");
      const red = { name: "red.txt", mimeType: "text/plain", buffer: Buffer.from("Red") };
      const loaded = page.waitForEvent("load");
      const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
      await (await chosen).setFiles(red);
      assert.equal((await saved).status(), 200);
      await loaded;
      assert.equal(await Deno.readTextFile(join(folder, "album/blue.txt")), "Red");
      await isEditable();
      // A file in the folder has the same on its own page, and leads back to the folder.
      await blue.click();
      const viewer = page.locator(".viewer");
      const more = viewer.getByRole("button", { name: "More actions" });
      const inViewer = async (action: string) => {
        await more.waitFor();
        const button = viewer.getByRole("button", { name: action, exact: true });
        if (await button.isVisible()) return await button.click();
        await more.click();
        await page.getByRole("menuitem", { name: action, exact: true }).click();
      };
      await more.click();
      await page.getByRole("menuitem", { name: "Replace with another file…" }).waitFor();
      await page.keyboard.press("Escape");
      assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1, "one head");
      assert.deepEqual(await findBarriers(page), [], "a file in the folder");
      await inViewer("Rename");
      await asked.fill("pink.txt");
      await asked.press("Enter");
      await page.getByText("Renamed to “pink.txt”").waitFor();
      await page.getByRole("link", { name: "pink.txt" }).click();
      await inViewer("Move");
      await page.getByRole("treeitem", { name: "clouds" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
      await page.getByText("1 item moved").waitFor();
      assert.equal(await Deno.readTextFile(join(folder, "album/clouds/pink.txt")), "Red");
      await page.getByRole("link", { name: "clouds" }).click();
      await page.getByRole("link", { name: "pink.txt" }).click();
      await inViewer("Delete");
      await page.getByText("1 item moved to the owner’s trash").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByRole("link", { name: "pink.txt" }).waitFor();
      const pink = join(folder, "album/clouds/pink.txt");
      await Deno.rename(pink, join(folder, "album/blue.txt"));
      await page.getByRole("navigation").getByRole("link", { name: "album" }).click();
      await blue.waitFor();
      await isEditable();
      await giveRight(server, hash, friend, "upload");
      await act("blue.txt", "Delete");
      await page.getByText("Couldn’t delete “blue.txt”.").waitFor();
      assert.equal(await Deno.readTextFile(join(folder, "album/blue.txt")), "Red");
      await page.reload();
      await page.getByRole("button", { name: "Choose files" }).waitFor();
      assert.equal(await page.getByRole("button", { name: /^New folder|^Actions for/ }).count(), 0);
      await page.getByRole("link", { name: "sea.txt" }).click();
      const text = page.getByRole("textbox", { name: "Text of sea.txt" });
      await text.getByText("The sea").waitFor();
    },
  );
}
