import assert from "node:assert/strict";
import { join } from "node:path";
import { findBarriers } from "../support/browser/axe.ts";
import { entry, eventually, listingAwake } from "../support/browser/listing.ts";
import { browserTests, type Fixture } from "../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

const exists = (path: string) => Deno.lstat(path).then(() => true, () => false);

test(
  "by keys alone: to the trash, back by Ctrl+Z, and away for good",
  { tree: { "a.txt": "a", "b.txt": "b", docs: { "c.txt": "c" } } },
  async ({ page, folder }) => {
    await listingAwake(page);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    const prompt = page.getByRole("dialog", { name: "Delete 3 items?" });
    await prompt.getByText("You can restore it from the trash.").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Moved to trash: 3").waitFor();
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("ControlOrMeta+z");
    await page.getByText("Undone: 3").waitFor();
    await entry(page, "docs").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "docs", "c.txt")), "c");

    await entry(page, "b.txt").click();
    await page.keyboard.press("Shift+Delete");
    const sure = page.getByRole("dialog", { name: "Delete “b.txt”?" });
    await sure.getByText("This can’t be undone.").waitFor();
    await sure.getByRole("button", { name: "Delete for good" }).press("Enter");
    await page.getByText("1 item deleted").waitFor();
    await page.goto(new URL("/trash", page.url()).href);
    await page.getByRole("heading", { name: "Trash", exact: true }).first().waitFor();
    assert.equal(await page.getByText("b.txt").count(), 0);
  },
);

test(
  "the button of the message takes a deletion back",
  { tree: { "a.txt": "a" }, device: "phone" },
  async ({ page, folder }) => {
    await page.getByRole("button", { name: "Actions for a.txt" }).tap();
    await page.getByRole("menuitem", { name: "Delete" }).tap();
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).tap();
    await page.getByText("Moved to trash: 1").waitFor();
    assert.equal(await exists(join(folder, "a.txt")), false);
    await page.getByRole("button", { name: "Undo" }).tap();
    await entry(page, "a.txt").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "a.txt")), "a");
  },
);

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(
    `the trash is searched, restored from and emptied (${device}, ${scheme})`,
    { tree: { "one.txt": "1", "two.txt": "2", docs: { "d.txt": "d" } }, device, scheme },
    async ({ page, folder, address, server }) => {
      const token = await page.evaluate(() => localStorage.getItem("jwt")) ?? "";
      const headers = { "x-auth": token };
      const base = new URL(address, server.url).pathname.replace(/^\/files/, "");
      for (const name of ["one.txt", "two.txt", "docs"]) {
        const url = `${server.url}/api/resources${base}${name}?trash=true`;
        const answer = await fetch(url, { method: "DELETE", headers });
        await answer.body?.cancel();
        assert.equal(answer.status, 200);
      }
      await page.goto(`${server.url}/trash`);
      const row = (name: string) => page.getByRole("main").getByText(name, { exact: true });
      await row("docs").waitFor();
      assert.deepEqual(await findBarriers(page), []);
      await page.getByLabel("Search the trash").fill("TWO");
      await row("one.txt").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Restore two.txt" }).first().press("Enter");
      await page.getByText("Restored: 1").waitFor();
      await eventually(() => exists(join(folder, "two.txt")));
      await page.getByText("Nothing found").waitFor();
      await page.getByLabel("Search the trash").fill("");
      await row("docs").waitFor();
      await page.getByRole("button", { name: "Delete one.txt for good" }).first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).click();
      await row("one.txt").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Empty trash" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("The trash is empty").waitFor();
      assert.deepEqual(await findBarriers(page), []);
    },
  );
}

/** Saves a file of the test's folder as another program does. */
async function save({ page, address, server }: Fixture, name: string, body: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("jwt")) ?? "";
  const base = new URL(address, server.url).pathname.replace(/^\/files/, "");
  const url = `${server.url}/api/resources${base}${name}`;
  const saved = await fetch(url, { method: "PUT", headers: { "x-auth": token }, body });
  await saved.body?.cancel();
  assert.equal(saved.status, 200);
}

test(
  "a replaced file has its former version in the details, and takes it back",
  { tree: { "a.txt": "first" } },
  async (fixture) => {
    const { page, folder } = fixture;
    await save(fixture, "a.txt", "second, and longer");
    await entry(page, "a.txt").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Details" }).click();
    const dialog = page.getByRole("complementary", { name: "Details" });
    await dialog.getByRole("heading", { name: "Previous versions" }).waitFor();
    await dialog.getByRole("listitem").getByText("5 bytes").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await dialog.getByRole("button", { name: /^Restore the version until/ }).press("Enter");
    await page.getByText("Restored: 1").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "a.txt")), "first");
  },
);

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(
    `a former version is compared with the file, and put in its place (${device}, ${scheme})`,
    { tree: { "a.txt": "one\ntwo\nthree\n", "b.bin": "\0\x01" }, device, scheme },
    async (fixture) => {
      const { page, folder } = fixture;
      await save(fixture, "a.txt", "one\r\n2\r\nthree\r\n");
      await save(fixture, "b.bin", "\0\x02");
      const showDetails = async (name: string) => {
        if (device === "phone") {
          await page.getByRole("button", { name: `Actions for ${name}` }).tap();
        } else await entry(page, name).click({ button: "right" });
        await page.getByRole("menuitem", { name: "Details" }).click();
        await page.getByRole("button", { name: /^Restore the version until/ }).waitFor();
      };
      const compare = page.getByRole("button", { name: /^Compare the version until/ });
      await showDetails("b.bin");
      assert.equal(await compare.count(), 0, "it is no text");
      await page.keyboard.press("Escape");

      await showDetails("a.txt");
      await compare.press("Enter");
      const dialog = page.getByRole("dialog", { name: "a.txt" }).last();
      await dialog.getByRole("textbox", { name: "Current version" }).waitFor();
      const shown = await dialog.locator(".cm-mergeView, .cm-editor").first().innerText();
      assert.match(shown, /two/);
      assert.match(shown, /^2$/m);
      const changed = dialog.locator(".cm-changedLine, .cm-deletedLine");
      const lines = new Set(await changed.allInnerTexts());
      assert.deepEqual([...lines], ["two", "2"], "line ends are no change");
      assert.deepEqual(await findBarriers(page), []);
      await dialog.getByRole("textbox", { name: "Current version" }).focus();
      await page.keyboard.type("x");
      assert.equal(await dialog.getByText("x", { exact: true }).count(), 0);

      await page.keyboard.press("Escape");
      await dialog.getByRole("textbox").first().waitFor({ state: "detached" });
      await page.locator("button:focus").and(compare).waitFor();
      await compare.click();
      await dialog.getByRole("button", { name: "Restore", exact: true }).click();
      await page.getByText("Restored: 1").waitFor();
      assert.equal(await page.getByRole("dialog").count(), 0);
      assert.equal(await Deno.readTextFile(join(folder, "a.txt")), "one\ntwo\nthree\n");
    },
  );
}

test(
  "who wants no question is asked before deleting for good alone",
  { tree: { "a.txt": "a", "b.txt": "b" } },
  async ({ page, folder, address, server }) => {
    await page.goto(`${server.url}/settings`);
    await page.getByLabel("Move to the trash without asking").check();
    await page.getByRole("button", { name: "Save" }).first().click();
    await page.getByText("Settings updated!").waitFor();
    await page.goto(address);
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await page.keyboard.press("Delete");
    await page.getByText("Moved to trash: 1").waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    assert.equal(await exists(join(folder, "a.txt")), false);
    await page.keyboard.press("ControlOrMeta+z");
    await entry(page, "a.txt").waitFor();

    await entry(page, "b.txt").click();
    await page.keyboard.press("Shift+Delete");
    const sure = page.getByRole("dialog", { name: "Delete “b.txt”?" });
    await sure.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await exists(join(folder, "b.txt")), true);
  },
);

test(
  "administrators see how much the trash holds, folders with all that is in them",
  { tree: { docs: { "d.txt": "d".repeat(5_000_000) } } },
  async ({ page, address, server }) => {
    const token = await page.evaluate(() => localStorage.getItem("jwt")) ?? "";
    const headers = { "x-auth": token };
    const base = new URL(address, server.url).pathname.replace(/^\/files/, "");
    const emptied = await fetch(`${server.url}/api/trash`, { method: "DELETE", headers });
    await emptied.body?.cancel();
    const url = `${server.url}/api/resources${base}docs?trash=true`;
    const answer = await fetch(url, { method: "DELETE", headers });
    await answer.body?.cancel();
    await page.goto(`${server.url}/settings/global`);
    const trash = page.getByRole("region", { name: "Space used" });
    await trash.getByRole("row", { name: "admin 1 5 MB" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.goto(`${server.url}/trash`);
    await page.getByRole("row", { name: /docs.* 5 MB/ }).waitFor();
  },
);
