import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, listingAwake } from "../../support/browser/listing.ts";
import { isTold, keepNews } from "../../support/browser/news.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { zipOf } from "../../support/data/hostile_archives.ts";

const test = browserTests({ workerCounts: [1] });
const tree = { docs: { "a.txt": "A", deep: { "b.txt": "B" } }, "c.txt": "C" };

test("a selection is compressed, extracted, and both are undone", { tree }, async (fixture) => {
  const { page, folder } = fixture;
  await listingAwake(page);
  await keepNews(page);
  await page.keyboard.press("ControlOrMeta+a");
  await entry(page, "docs").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Compress…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("all of it");
  await dialog.getByLabel("tar.gz").check();
  assert.deepEqual(await findBarriers(page), []);
  await dialog.getByRole("button", { name: "Compress" }).click();
  await isTold(page, "Compressed to “all of it.tar.gz”");
  await page.locator("[aria-selected=true]", { hasText: "all of it.tar.gz" }).waitFor();

  await entry(page, "all of it.tar.gz").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Extract here" }).click();
  await isTold(page, "Extracted to “all of it”");
  const extracted = page.getByRole("link", { name: "all of it", exact: true });
  await extracted.waitFor();
  assert.equal(Deno.readTextFileSync(join(folder, "all of it/docs/deep/b.txt")), "B");

  // By keys: one message moves when another one goes.
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.last().press("Enter");
  await isTold(page, "1 change undone");
  await extracted.waitFor({ state: "detached" });
  await undo.press("Enter");
  await entry(page, "all of it.tar.gz").waitFor({ state: "detached" });
  assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["c.txt", "docs"]);
});

test(
  "an archive that is refused says why, and other files are no archives",
  {},
  async (fixture) => {
    const { page, folder, address } = fixture;
    Deno.writeFileSync(join(folder, "slip.zip"), zipOf([{ name: "../evil", content: "x" }]));
    Deno.writeFileSync(join(folder, "locked.zip"), zipOf([{ name: "a", content: "x", flags: 1 }]));
    Deno.writeTextFileSync(join(folder, "plain.txt"), "x");
    await page.goto(address);
    await listingAwake(page);
    await entry(page, "plain.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Compress…" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "Extract here" }).count(), 0);
    await page.keyboard.press("Escape");
    for (const [name, reason] of [["slip.zip", "unsafe"], ["locked.zip", "encrypted"]] as const) {
      await entry(page, name).click({ button: "right" });
      await page.getByRole("menuitem", { name: "Extract here" }).click();
      await page.getByText(`Couldn’t extract “${name}”.`).filter({ hasText: reason }).waitFor();
    }
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assert.deepEqual(left, ["locked.zip", "plain.txt", "slip.zip"]);
  },
);

test("a large file's checksum goes on when its details are closed", {}, async (fixture) => {
  const { page, folder, address } = fixture;
  const path = join(folder, "large.bin");
  Deno.writeTextFileSync(path, "some text");
  Deno.truncateSync(path, 257 * 2 ** 20);
  await page.goto(address);
  await listingAwake(page);
  const open = async () => {
    await entry(page, "large.bin").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Details" }).click();
    // By keys: what comes late above it moves it.
    await page.getByText("Checksums").press("Enter");
  };
  const row = page.getByRole("group", { name: "SHA-256" });
  await open();
  await row.getByRole("button", { name: "Calculate" }).press("Enter");
  await row.getByRole("button", { name: /Cancel|Copy/ }).waitFor();
  await page.getByRole("button", { name: "Close details" }).click();
  await row.waitFor({ state: "detached" });
  await open();
  // However long the machine takes for so much.
  await row.getByRole("button", { name: "Copy" }).waitFor({ timeout: 120_000 });
  const { stdout } = await new Deno.Command("sha256sum", { args: [path] }).output();
  const [digest] = new TextDecoder().decode(stdout).split(" ");
  assert.equal(await row.locator("output").textContent(), digest);
});
