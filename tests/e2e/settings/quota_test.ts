import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { hearNews } from "../../support/browser/news.ts";
import { addUser, awake, enterAs, openSettings } from "../../support/browser/settings.ts";
import { entry } from "../../support/browser/listing.ts";
import { chooseFiles } from "../../support/browser/uploads.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { plantBytes, temporaryFolder } from "../../support/disks/files.ts";

const test = browserTests({ alone: true, workerCounts: [2] });

test(
  "a user gets a quota, sees how much is in use, and is told of it when it is full",
  { expected: [507] },
  async ({ page, server }) => {
    await Deno.mkdir(join(server.root, "vera"), { recursive: true });
    await Deno.writeFile(join(server.root, "vera/old.bin"), new Uint8Array(400_000));
    const address = await addUser(server, "vera", { scope: "/vera" });
    const news = await hearNews(page);
    await openSettings(page, address);
    await page.getByLabel("Unit", { exact: true }).selectOption({ label: "MB" });
    const size = page.getByLabel("Storage limit");
    await size.fill("1");
    await page.getByLabel("File limit").fill("50");
    await page.getByRole("button", { name: "Save" }).click();
    await news("User updated!");
    await page.reload();
    await awake(page);
    assert.equal(await size.inputValue(), "1");
    await page.getByText("400 kB of 1 MB, 1 of 50 files").waitFor();
    const counted = page.waitForResponse((answer) => answer.request().method() === "POST");
    await page.getByRole("button", { name: "Count again" }).click();
    assert.equal((await counted).status(), 200);
    await page.getByText("400 kB of 1 MB, 1 of 50 files").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await openSettings(page, "users");
    await page.getByRole("cell", { name: "400 kB of 1 MB, 1 of 50 files" }).waitFor();

    await enterAs(page, "vera");
    await page.getByRole("progressbar", { name: "Quota: 400 kB of 1 MB, 1 of 50 files" }).waitFor();
    await using outside = await temporaryFolder();
    await plantBytes(join(outside.path, "large.bin"), 700_000);
    await plantBytes(join(outside.path, "small.bin"), 100_000);
    await chooseFiles(page, [join(outside.path, "large.bin")]);
    await page.getByText("600 kB of your quota is free.").first().waitFor();
    await chooseFiles(page, [join(outside.path, "small.bin")]);
    await entry(page, "small.bin").waitFor();
    await page.getByRole("progressbar", { name: "Quota: 500 kB of 1 MB, 2 of 50 files" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
  },
);

test(
  "what a quota refuses comes in once the trash is emptied: uploads and copies",
  { expected: [507] },
  async ({ page, server }) => {
    const home = join(server.root, "wanda");
    await Deno.mkdir(join(home, "to"), { recursive: true });
    const sizes = { "old.bin": 500_000, "other.bin": 300_000, "small.bin": 150_000 };
    for (const [name, size] of Object.entries(sizes)) await plantBytes(join(home, name), size);
    await addUser(server, "wanda", { scope: "/wanda", quota: { bytes: 1_100_000, files: 0 } });
    await enterAs(page, "wanda");
    await using outside = await temporaryFolder();
    const large = join(outside.path, "large.bin");
    await plantBytes(large, 400_000);
    const panel = page.getByRole("region", { name: "All uploads" });
    const offer = "Empty trash";
    const trash = async (name: string) => {
      await entry(page, name).click();
      await page.keyboard.press("Delete");
      await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).press("Enter");
      await entry(page, name).waitFor({ state: "detached" });
    };
    const confirm = async () => {
      const sure = page.getByRole("dialog", { name: "Delete everything in the trash?" });
      await sure.getByRole("button", { name: "Delete" }).press("Enter");
    };

    await chooseFiles(page, [large]);
    await page.getByText("150 kB of your quota is free.").first().waitFor();
    assert.equal(await panel.getByRole("button", { name: offer }).count(), 0, "nothing is in it");
    await panel.getByRole("button", { name: "Close upload list" }).click();
    await trash("old.bin");
    await chooseFiles(page, [large]);
    await panel.getByRole("button", { name: offer }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).press("Enter");
    assert.deepEqual(await findBarriers(page), [], "uploads");
    await panel.getByRole("button", { name: offer }).press("Enter");
    await confirm();
    const again = panel.getByRole("button", { name: "Try again", exact: true });
    await again.and(page.locator(":focus")).waitFor();
    await again.click();
    await entry(page, "large.bin").waitFor();

    await trash("small.bin");
    await entry(page, "other.bin").click();
    await page.keyboard.press("ControlOrMeta+c");
    await entry(page, "to").dblclick();
    await page.getByText("It feels lonely here…").waitFor();
    await page.keyboard.press("ControlOrMeta+v");
    const refusal = page.getByRole("alert").getByRole("button", { name: offer }).first();
    await refusal.waitFor();
    assert.deepEqual(await findBarriers(page), [], "copy");
    await refusal.press("Enter");
    await confirm();
    await page.getByText("The trash is empty").waitFor();
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await entry(page, "other.bin").waitFor();
    assert.equal((await Deno.stat(join(home, "to/other.bin"))).size, 300_000);
  },
);
