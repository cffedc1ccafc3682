import assert from "node:assert/strict";
import { join } from "node:path";
import { editAlone, openText, stateIs, textOf, write } from "../../support/browser/editor.ts";
import { entry, listingAwake, namesShown } from "../../support/browser/listing.ts";
import { browserTests, signIn } from "../../support/browser/browser_tests.ts";

const test = browserTests();

/** So many that they are listed in a thread of their own, and scroll. */
const many = Object.fromEntries(
  Array.from({ length: 400 }, (_, index) => [`file ${String(index).padStart(3, "0")}`, ""]),
);

test(
  "an open folder follows what another browser and the disk do, and keeps its place",
  { tree: { list: many } },
  async ({ page, server, folder, address }) => {
    await page.goto(`${address}list/`);
    await listingAwake(page);
    await entry(page, "file 000").click();
    await page.locator(".listing").evaluate((element) => element.scrollTop = 6_000);
    await entry(page, "file 150").waitFor();
    await entry(page, "file 152").click({ modifiers: ["ControlOrMeta"] });
    await page.getByText("2 selected").waitFor();
    const before = await entry(page, "file 152").boundingBox();

    const context = await page.context().browser()?.newContext({ baseURL: server.url });
    assert.ok(context);
    try {
      const other = await context.newPage();
      await signIn(other, server, `${address}list/`);
      await other.getByRole("button", { name: "New folder" }).first().click();
      await other.getByRole("dialog").getByRole("textbox").fill("made elsewhere");
      await other.keyboard.press("Enter");
      await entry(other, "made elsewhere").waitFor();
    } finally {
      await context.close();
    }
    await page.getByRole("grid").and(page.locator("[aria-rowcount='402']")).waitFor();
    assert.equal(await page.getByText("2 selected").count(), 1);
    assert.equal((await entry(page, "file 152").boundingBox())?.y, before?.y);

    await Deno.remove(join(folder, "list", "file 151"));
    await entry(page, "file 151").waitFor({ state: "detached" });
    assert.equal(await page.getByText("2 selected").count(), 1);
  },
);

test(
  "a folder that is deleted while it is open says so, and leads back",
  { tree: { doomed: { "a.txt": "" } }, expected: [404] },
  async ({ page, folder, address }) => {
    await page.goto(`${address}doomed/`);
    await listingAwake(page);
    await entry(page, "a.txt").click();
    await page.getByText("1 selected").waitFor();
    await Deno.remove(join(folder, "doomed"), { recursive: true });
    await page.getByRole("heading", { name: "This location can’t be reached." }).waitFor();
    // Nothing in it can be selected any more, and nothing brings it back by the way.
    assert.equal(await page.getByText("1 selected").count(), 0);
    for (const name of ["New folder", "Upload", "Delete"]) {
      assert.equal(await page.getByRole("button", { name }).count(), 0, name);
    }
    // The nearest folder that is still there.
    await page.getByRole("link", { name: /^Open “scene-/ }).click();
    await page.waitForURL(address);
  },
);

test("an empty folder fills by itself", {}, async ({ page, folder }) => {
  await page.getByText("It feels lonely here…").waitFor();
  await Deno.writeTextFile(join(folder, "came.txt"), "");
  await entry(page, "came.txt").waitFor();
  assert.deepEqual(await namesShown(page), ["came.txt"]);
});

test(
  "the keys of a file manager work on any layout, and not while typing",
  { tree: { deep: { "a.txt": "abc" } } },
  async ({ page, address }) => {
    await page.goto(`${address}deep/`);
    await listingAwake(page);
    const saved = page.waitForEvent("download");
    // Ctrl+S on a Cyrillic keyboard.
    await page.evaluate(() => {
      const press = { key: "ы", code: "KeyS", ctrlKey: true, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", press));
    });
    assert.equal((await saved).suggestedFilename(), "deep.zip");

    await page.keyboard.press("F1");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await page.getByRole("button", { name: "New folder" }).first().click();
    await page.getByRole("dialog").getByRole("textbox").fill("ab");
    await page.keyboard.press("Backspace");
    assert.equal(await page.getByRole("dialog").getByRole("textbox").inputValue(), "a");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Backspace");
    await page.waitForURL(address);
    await entry(page, "deep").waitFor();
    await page.keyboard.press("Alt+ArrowUp");
    await page.waitForURL(/\/files\/$/);
  },
);

test(
  "an open text follows the file, and keeps what is unsaved",
  { tree: { "live.txt": "one\n" }, expected: [404] },
  async ({ page, folder, address }) => {
    const file = join(folder, "live.txt");
    await editAlone(page);
    const text = await openText(page, address, "live.txt");
    await Deno.writeTextFile(file, "two\n");
    await text.getByText("two").waitFor();
    await stateIs(page, "Saved");

    await write(page, text, "mine");
    await Deno.writeTextFile(file, "three\n");
    const notice = page.getByRole("alert");
    await notice.getByText("Someone else changed this file while you were editing it.").waitFor();
    await text.getByText("mine").waitFor();
    await notice.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("button", { name: "Use theirs" }).click();
    await text.getByText("three").waitFor();

    await write(page, text, "mine");
    await Deno.remove(file);
    await notice.getByText("This file was moved or deleted. Your changes are still here.")
      .waitFor();
    await notice.getByRole("button", { name: "Restore file" }).click();
    await stateIs(page, "Saved");
    assert.match(await Deno.readTextFile(file), /three/);

    await Deno.remove(file);
    await page.getByRole("heading", { name: "This location can’t be reached." }).waitFor();
    assert.equal(await textOf(page, "live.txt").count(), 0);
  },
);
