import assert from "node:assert/strict";
import { join } from "node:path";
import { islandsAwake } from "../../support/browser/awake.ts";
import { findBarriers } from "../../support/browser/axe.ts";
import { entry, eventually, listingAwake } from "../../support/browser/listing.ts";
import { press as longPress } from "../../support/browser/touch.ts";
import { isTold, keepNews } from "../../support/browser/news.ts";
import { openSettings } from "../../support/browser/settings.ts";
import { browserTests, type Fixture } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });

const exists = (path: string) => Deno.lstat(path).then(() => true, () => false);

/** Opens the trash, and waits until it takes what is typed. */
async function openTrash({ page }: Fixture): Promise<void> {
  await page.goto("/trash");
  await islandsAwake(page);
}

/** Chooses in the menu of a row. */
async function choose({ page }: Fixture, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Moves entries of the test's folder to the trash, as another device does, after what was there. */
async function fillTrash({ page, address, server }: Fixture, ...names: string[]): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("jwt")) ?? "";
  const base = new URL(address, server.url).pathname.replace(/^\/files/, "");
  const remove = async (path: string) => {
    const call = { method: "DELETE", headers: { "x-auth": token } };
    const answer = await fetch(`${server.url}${path}`, call);
    await answer.body?.cancel();
    assert.equal(answer.status, 200, path);
  };
  await remove("/api/trash");
  for (const name of names) await remove(`/api/resources${base}${name}?trash=true`);
}

test(
  "by keys alone: to the trash, back by Ctrl+Z, and away for good",
  { tree: { "a.txt": "a", "b.txt": "b", docs: { "c.txt": "c" } } },
  async ({ page, folder }) => {
    await listingAwake(page);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    const prompt = page.getByRole("dialog", { name: "Delete 3 items?" });
    await prompt.getByText("Deleted items can be restored from the trash.").waitFor();
    await page.keyboard.press("Enter");
    await isTold(page, "3 items moved to trash");
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    await entry(page, "docs").waitFor({ state: "detached" });
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("ControlOrMeta+z");
    await isTold(page, "3 changes undone");
    await entry(page, "docs").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "docs", "c.txt")), "c");

    await entry(page, "b.txt").click();
    await page.keyboard.press("Shift+Delete");
    const sure = page.getByRole("dialog", { name: "Delete “b.txt”?" });
    await sure.getByText("This can’t be undone.").waitFor();
    await sure.getByRole("button", { name: "Delete for good" }).press("Enter");
    await isTold(page, "1 item deleted");
    await page.goto(new URL("/trash", page.url()).href);
    await page.getByRole("heading", { name: "Trash", exact: true }).first().waitFor();
    assert.equal(await page.getByText("b.txt").count(), 0);
  },
);

test(
  "the button of the message takes a deletion back",
  { tree: { "a.txt": "a" }, device: "phone" },
  async ({ page, folder }) => {
    await keepNews(page);
    await page.getByRole("button", { name: "Actions for a.txt" }).tap();
    await page.getByRole("menuitem", { name: "Delete" }).tap();
    // By a key, as a tap at once beside the tap that closed a prompt is ignored as its second one.
    await page.getByRole("dialog").getByRole("button", { name: "Move to trash" }).press("Enter");
    await isTold(page, "1 item moved to trash");
    assert.equal(await exists(join(folder, "a.txt")), false);
    await entry(page, "a.txt").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).tap();
    await entry(page, "a.txt").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "a.txt")), "a");
  },
);

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(
    `the trash is searched, restored from and emptied (${device}, ${scheme})`,
    { tree: { "one.txt": "1", "two.txt": "2", docs: { "d.txt": "d" } }, device, scheme },
    async (fixture) => {
      const { page, folder } = fixture;
      await fillTrash(fixture, "one.txt", "two.txt", "docs");
      await openTrash(fixture);
      const row = (name: string) => page.getByRole("main").getByText(name, { exact: true });
      await row("docs").waitFor();
      assert.deepEqual(await findBarriers(page), []);
      await page.getByLabel("Search the trash").fill("TWO");
      await row("one.txt").waitFor({ state: "detached" });
      await Deno.writeTextFile(join(folder, "two.txt"), "another");
      await choose(fixture, "two.txt", "Restore");
      await page.getByText("Restored under another name: two(1).txt").hover();
      await page.locator(".toast[data-held]").waitFor();
      assert.equal(await Deno.readTextFile(join(folder, "two(1).txt")), "2");
      await page.getByText("Nothing found").waitFor();
      await page.getByLabel("Search the trash").fill("");
      await row("docs").waitFor();
      await choose(fixture, "one.txt", "Delete for good");
      await page.getByRole("dialog").getByRole("button", { name: "Delete for good" }).click();
      await row("one.txt").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Empty trash" }).click();
      await page.getByRole("dialog").getByText(/^Previous versions of files are deleted/).waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("The trash is empty").waitFor();
      assert.deepEqual(await findBarriers(page), []);
    },
  );
}

for (const [device, scheme] of [["desktop", "light"], ["phone", "dark"]] as const) {
  test(
    `several entries are restored together, others deleted for good together (${device}, ${scheme})`,
    { tree: { docs: { "in.txt": "i" }, "a.txt": "a", "b.txt": "b", "c.txt": "c" }, device, scheme },
    async (fixture) => {
      const { page, folder } = fixture;
      await fillTrash(fixture, "docs/in.txt", "docs", "a.txt", "b.txt", "c.txt");
      await openTrash(fixture);
      const main = page.getByRole("main");
      const named = (name: string) =>
        main.locator(".row__name").filter({ hasText: new RegExp(`^${name}$`) });
      const press = (name: string) => main.getByRole("button", { name, exact: true });
      const select = async (first: string, ...others: string[]) => {
        if (device === "phone") await longPress(page, named(first));
        else await named(first).click();
        for (const name of others) {
          if (device === "phone") await named(name).tap();
          else await named(name).click({ modifiers: ["ControlOrMeta"] });
        }
      };
      await named("b.txt").waitFor();
      assert.equal(await press("Restore").count(), 0, "nothing is selected");
      await page.keyboard.press("ControlOrMeta+a");
      await main.getByText("5 selected").waitFor();
      await page.keyboard.press("Escape");
      await press("Restore").waitFor({ state: "detached" });

      await select("in.txt", "docs", "b.txt");
      await main.getByText("3 selected").waitFor();
      assert.deepEqual(await findBarriers(page), []);
      await press("Restore").press("Enter");
      await isTold(page, "3 items restored");
      await named("b.txt").waitFor({ state: "detached" });
      assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
        "b.txt",
        "docs",
      ]);
      assert.equal(await Deno.readTextFile(join(folder, "docs", "in.txt")), "i");
      await select("c.txt", "a.txt");
      await press("Delete for good").press("Enter");
      const sure = page.getByRole("dialog", { name: "Delete 2 items?" });
      await sure.getByText("This can’t be undone.").waitFor();
      await sure.getByRole("button", { name: "Cancel" }).click();
      await main.getByText("2 selected").waitFor();
      await press("Delete for good").click();
      await sure.getByRole("button", { name: "Delete for good" }).click();
      await page.getByText("The trash is empty").waitFor();
      assert.equal(await exists(join(folder, "a.txt")), false);
    },
  );
}

test("a single entry is restored by the button of its row, with nothing selected", {
  tree: { "a.txt": "a", "b.txt": "b" },
}, async (fixture) => {
  const { page, folder } = fixture;
  await fillTrash(fixture, "a.txt", "b.txt");
  await openTrash(fixture);
  const named = (name: string) => page.locator(".row__name").filter({ hasText: name });
  const before = await named("b.txt").boundingBox();
  await named("b.txt").hover();
  await page.getByRole("button", { name: "Delete for good: b.txt" }).waitFor();
  assert.deepEqual(await named("b.txt").boundingBox(), before, "nothing moves");
  assert.deepEqual(await findBarriers(page), []);
  await page.getByRole("button", { name: "Restore: b.txt" }).click();
  await named("b.txt").waitFor({ state: "detached" });
  assert.equal(await Deno.readTextFile(join(folder, "b.txt")), "b");
  assert.equal(await named("a.txt").count(), 1);
});

test(
  "by keys alone: the focus stays in the trash when the line that has it goes",
  { tree: { "a.txt": "a", "b.txt": "b" } },
  async (fixture) => {
    const { page, folder } = fixture;
    await fillTrash(fixture, "a.txt", "b.txt");
    await openTrash(fixture);
    const isOn = (name: string) =>
      page.locator(".row__name:focus").filter({ hasText: name }).waitFor();
    const restore = async () => {
      await page.keyboard.press("Shift+F10");
      await page.locator("[role=menuitem]:focus").filter({ hasText: "Restore" }).waitFor();
      await page.keyboard.press("Enter");
    };
    await page.getByRole("grid").waitFor();
    await page.keyboard.press("b");
    await isOn("b.txt");
    await restore();
    await eventually(() => exists(join(folder, "b.txt")));
    await isOn("a.txt");
    await restore();
    await eventually(() => exists(join(folder, "a.txt")));
  },
);

test(
  "the search of the trash is in the address; further rows get the focus",
  { once: true },
  async (fixture) => {
    const { page, folder } = fixture;
    const names = Array.from({ length: 105 }, (_, at) => `${at % 2 ? "odd" : "even"} ${at}.txt`);
    for (const name of names) await Deno.writeTextFile(join(folder, name), "");
    await fillTrash(fixture, ...names.map(encodeURIComponent));
    await openTrash(fixture);
    const rows = page.getByRole("main").locator("[data-index]");
    const field = page.getByLabel("Search the trash");
    const isShown = (count: number) =>
      eventually(async () => {
        await page.locator(".listing").evaluate((list) => list.scrollTop = list.scrollHeight);
        return await rows.last().getAttribute("data-index") === `${count - 1}`;
      });
    await rows.first().waitFor();
    await page.getByRole("button", { name: "Show more" }).press("Enter");
    await isShown(105);
    await page.locator("[data-index]:focus-within").getByText("even 4.txt", { exact: true })
      .waitFor();
    await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
    assert.equal(new URL(page.url()).search, "?limit=105");
    await page.reload();
    await islandsAwake(page);
    await isShown(105);

    await field.fill("odd 10");
    await isShown(2);
    assert.equal(new URL(page.url()).search, "?query=odd+10");
    await page.reload();
    await islandsAwake(page);
    await isShown(2);
    assert.equal(await field.inputValue(), "odd 10");
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Empty trash" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByText("The trash is empty").waitFor();
    assert.equal(new URL(page.url()).search, "");
  },
);

test(
  "who wants no question is asked before deleting for good alone",
  { tree: { "a.txt": "a", "b.txt": "b" } },
  async ({ page, folder, address }) => {
    await openSettings(page, "profile");
    await page.getByLabel("Move to the trash without asking").check();
    await page.getByRole("button", { name: "Save" }).first().click();
    await isTold(page, "Settings updated!");
    await page.goto(address);
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await page.keyboard.press("Delete");
    await isTold(page, "1 item moved to trash");
    assert.equal(await page.getByRole("dialog").count(), 0);
    await entry(page, "a.txt").waitFor({ state: "detached" });
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
  async (fixture) => {
    const { page, server } = fixture;
    await fillTrash(fixture, "docs");
    await page.goto(`${server.url}/settings/global`);
    const trash = page.getByRole("region", { name: "Space used" });
    await trash.getByRole("row", { name: `${server.username} 1 5 MB` }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.goto(`${server.url}/trash`);
    await page.getByRole("row", { name: /docs.* 5 MB/ }).waitFor();
  },
);

test(
  "a selection in the trash moves no row on a phone",
  { device: "phone", tree: { "a.txt": "a", "b.txt": "b" } },
  async (fixture) => {
    const { page } = fixture;
    await fillTrash(fixture, "a.txt", "b.txt");
    await openTrash(fixture);
    const row = page.getByRole("row").filter({ hasText: "b.txt" });
    const topOf = async () => Math.round((await row.boundingBox())?.y ?? -1);
    const top = await topOf();
    await longPress(page, row.getByText("b.txt"));
    await page.getByText("1 selected").waitFor();
    assert.equal(await topOf(), top);
    assert.deepEqual(await findBarriers(page), []);
  },
);
