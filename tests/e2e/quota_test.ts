import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../support/browser/axe.ts";
import { hearNews } from "../support/browser/news.ts";
import { addUser, awake, enterAs, openSettings } from "../support/browser/settings.ts";
import { entry } from "../support/browser/listing.ts";
import { chooseFiles } from "../support/browser/uploads.ts";
import { setStage } from "../support/browser/stage.ts";
import { plantBytes, temporaryFolder } from "../support/disks/files.ts";

const play = setStage({ workerCounts: [2] });

play(
  "a user gets a quota, sees how much is in use, and is told of it when it is full",
  { expected: [507] },
  async ({ page, server }) => {
    await Deno.mkdir(join(server.root, "vera"), { recursive: true });
    await Deno.writeFile(join(server.root, "vera/old.bin"), new Uint8Array(400_000));
    const address = await addUser(server, "vera", { scope: "/vera" });
    const news = await hearNews(page);
    await openSettings(page, address);
    await page.getByLabel("Unit", { exact: true }).selectOption({ label: "MB" });
    const size = page.getByLabel("Most space");
    await size.fill("1");
    await page.getByLabel("Most files").fill("50");
    await page.getByRole("button", { name: "Save" }).click();
    await news("User updated!");
    await page.reload();
    await awake(page);
    assert.equal(await size.inputValue(), "1");
    await page.getByText("400 kB of 1 MB, 1 of 50 files").waitFor();
    await page.getByRole("button", { name: "Count again" }).click();
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
