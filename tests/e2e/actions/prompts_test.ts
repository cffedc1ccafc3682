import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { sha256 } from "../../support/disks/files.ts";
import { entry, listingAwake, namesShown, rowOf } from "../../support/browser/listing.ts";
import { chooseAction, chooseHere, pickFolder, prompt } from "../../support/browser/prompts.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

test(
  "a new name is asked for with the stem selected, and what is wrong with it is said at once",
  { tree: { "a.tar.gz": "a", "b.txt": "b" } },
  async ({ page, folder }) => {
    await listingAwake(page);
    await entry(page, "a.tar.gz").click();
    await page.keyboard.press("F2");
    const renaming = prompt(page, "Rename “a.tar.gz”");
    const field = renaming.getByLabel("Name");
    const act = renaming.getByRole("button", { name: "Rename" });
    await field.waitFor();
    assert.ok(await act.isDisabled());
    const complaints = [
      ["   ", "A name can’t be blank."],
      ["x/y", "A name can’t contain a slash."],
      ["..", "“.” and “..” can’t be used as names."],
      ["ü".repeat(128), "This name is too long."],
      ["b.txt", "“b.txt” already exists"],
    ] as const;
    for (const [name, complaint] of complaints) {
      await field.fill(name);
      await renaming.getByText(complaint).waitFor();
      assert.ok(await act.isDisabled(), complaint);
    }
    assert.deepEqual(await findBarriers(page), []);
    await field.fill("a.tar.gz");
    await field.press("Escape");
    await renaming.waitFor({ state: "detached" });

    await page.keyboard.press("F2");
    await field.waitFor();
    await page.keyboard.type("  box");
    await page.keyboard.press("Enter");
    await entry(page, "box.tar.gz").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "box.tar.gz")), "a");
    await page.getByText("1 selected").waitFor();
  },
);

test(
  "a new file is empty, and a name that turns out to be taken is asked for again",
  { tree: { docs: {} }, expected: [409] },
  async ({ page, folder }) => {
    await listingAwake(page);
    await chooseHere(page, "New file");
    await page.getByLabel("Name").fill("notes.txt");
    await Deno.writeTextFile(join(folder, "notes.txt"), "somebody else's");
    await page.keyboard.press("Enter");
    const again = prompt(page, "New file");
    await again.getByText("This name is already taken.").waitFor();
    assert.equal(await again.getByLabel("Name").inputValue(), "notes.txt");
    await again.getByLabel("Name").fill("more.txt");
    await page.keyboard.press("Enter");
    await page.waitForURL(/more\.txt$/);
    await page.locator(".cm-content").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "notes.txt")), "somebody else's");
    assert.equal(await Deno.readTextFile(join(folder, "more.txt")), "");
  },
);

test(
  "several entries come as a zip, or as the kind of archive that was chosen last",
  { tree: { docs: { "in.txt": "in" }, "a.txt": "a" } },
  async ({ page }) => {
    await listingAwake(page);
    const downloads = async (choose: () => Promise<void>) => {
      const started = page.waitForEvent("download");
      await choose();
      return (await started).suggestedFilename();
    };
    assert.match(await downloads(() => page.keyboard.press("ControlOrMeta+s")), /\.zip$/);
    await chooseHere(page, "Other formats…");
    await page.getByRole("radio", { name: "tar.gz" }).check();
    assert.match(await downloads(() => page.keyboard.press("Enter")), /\.tar\.gz$/);
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    await chooseAction(page, "Details");
    const details = page.getByRole("complementary", { name: "Details" });
    await details.getByText("2 files, 1 folder").waitFor();
    await page.getByRole("button", { name: "Close details" }).click();
    await chooseHere(page, "Other formats…");
    await page.getByRole("radio", { name: "tar.gz", checked: true }).waitFor();
    await page.keyboard.press("Escape");
  },
);

test(
  "facts, checksums and the size of a folder are told",
  { device: "phone", tree: { docs: { deep: { "b.txt": "12345" } }, "a.txt": "a" } },
  async ({ page, folder }) => {
    await listingAwake(page);
    await page.keyboard.press("End");
    await chooseAction(page, "Details");
    const file = prompt(page, "a.txt");
    await file.getByText(/rw.* \(6\d\d\)/).waitFor();
    // By keys: what comes late above it moves it.
    await file.getByText("Checksums").press("Enter");
    const sum = file.getByRole("group", { name: "SHA-256" });
    await sum.getByRole("button", { name: "Calculate" }).press("Enter");
    await sum.getByText(await sha256(join(folder, "a.txt"))).waitFor();
    await file.getByRole("button", { name: "Close" }).tap();
    await file.waitFor({ state: "detached" });
    await page.keyboard.press("Home");
    await chooseAction(page, "Details");
    const docs = prompt(page, "docs");
    await docs.getByText("5 bytes").waitFor();
    await docs.getByText("1 file, 1 folder").waitFor();
    assert.deepEqual(await findBarriers(page), []);
  },
);

for (const device of ["desktop", "phone"] as const) {
  test(
    `no barrier stands in any prompt, and Esc or a press beside it leaves it (${device})`,
    {
      device,
      scheme: device === "phone" ? "dark" : "light",
      tree: { docs: { "a.txt": "" }, "a.txt": "" },
    },
    async ({ page }) => {
      await listingAwake(page);
      await page.keyboard.press("End");
      const look = async (title: string) => {
        await prompt(page, title).waitFor();
        assert.deepEqual(await findBarriers(page), [], title);
      };
      const leave = async () => {
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      };
      const prompts = [
        ["Rename", "Rename “a.txt”"],
        ["Details", "a.txt"],
        ["Move to…", "Move “a.txt”"],
      ] as const;
      const below = device === "phone"
        ? page.getByRole("button", { name: "Open menu" })
        : rowOf(page, "docs");
      const box = await below.boundingBox();
      assert.ok(box);
      const beside = [box.x + box.width - 20, box.y + box.height / 2] as const;
      await chooseAction(page, "Rename");
      await prompt(page, "Rename “a.txt”").waitFor();
      await page.locator("dialog").evaluate((dialog, [x, y]) => {
        if (document.elementFromPoint(x, y) !== dialog) throw new Error("not beside the prompt");
      }, beside);
      if (device === "phone") await page.touchscreen.tap(...beside);
      else await page.mouse.click(...beside);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      for (const [action, title] of prompts) {
        // There it is no prompt, but a panel at the side.
        if (device === "desktop" && action === "Details") continue;
        await chooseAction(page, action);
        await look(title);
        await leave();
      }
      await page.keyboard.press("F1");
      await look("Keyboard shortcuts");
      const keys = (await page.getByRole("dialog").locator("dd").allInnerTexts()).join(" ");
      for (const key of ["F1", "F2", "Del", "Esc", "F", "A", "C", "X", "V", "S"]) {
        assert.match(keys, new RegExp(`\\b${key}\\b`));
      }
      await leave();
      await chooseAction(page, "Copy to…");
      await pickFolder(page, "docs");
      await page.getByRole("dialog").getByRole("button", { name: "Copy", exact: true }).click();
      await look("“a.txt” already exists");
      await leave();
      await chooseHere(page, "New folder");
      await look("New folder");
      await leave();
      await chooseHere(page, "Other formats…");
      await look("Download “scene-" + new URL(page.url()).pathname.match(/scene-(\d+)/)?.[1] + "”");
      await leave();
      if (device === "phone") await page.getByRole("button", { name: "Open menu" }).tap();
      await page.getByRole("button", { name: /^Account:/ }).click();
      await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
      await prompt(page, "Keyboard shortcuts").waitFor();
      await leave();
      assert.deepEqual(await namesShown(page), ["docs", "a.txt"]);
    },
  );
}
