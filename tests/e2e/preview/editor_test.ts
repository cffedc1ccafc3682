import assert from "node:assert/strict";
import { join } from "node:path";
import { editAlone, openText, stateIs, textOf, write } from "../../support/browser/editor.ts";
import { entry, eventually, listingAwake } from "../../support/browser/listing.ts";
import { SCRIPTS } from "../../support/browser/scripts.ts";
import { intercept } from "../../support/browser/intercept.ts";
import { viewer } from "../../support/browser/viewer.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";

const test = browserTests({ workerCounts: [1] });
const utf16 = Uint8Array.from([
  0xff,
  0xfe,
  ...new Uint8Array(Uint16Array.of(...units("é\r\nb")).buffer),
]);
const latin = Uint8Array.from(units("Gr\u00fc\u00dfe aus K\u00f6ln\r\nund M\u00fcnchen\r\n"));

function units(text: string): number[] {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

test(
  "what was not edited stays as it was, byte for byte",
  { tree: { "utf16.txt": utf16, "latin.txt": latin, "mixed.txt": "a\r\nb\nc\r\n" } },
  async ({ page, folder, address }) => {
    await editAlone(page);
    const cases = [
      { name: "utf16.txt", shown: ["UTF-16 LE BOM", "CRLF"], added: Uint8Array.of(0x21, 0) },
      { name: "latin.txt", shown: ["Windows-1252", "CRLF"], added: Uint8Array.of(0x21) },
      { name: "mixed.txt", shown: ["UTF-8", "Mixed line endings"], added: Uint8Array.of(0x21) },
    ];
    for (const { name, shown, added } of cases) {
      const before = await Deno.readFile(join(folder, name));
      const text = await openText(page, address, name);
      for (const words of shown) await page.getByText(words, { exact: true }).waitFor();
      await write(page, text, "!");
      await stateIs(page, "Unsaved changes");
      await page.keyboard.press("ControlOrMeta+s");
      await stateIs(page, "Saved");
      const after = await Deno.readFile(join(folder, name));
      assert.deepEqual(after, Uint8Array.from([...before, ...added]), name);
    }
  },
);

test(
  "nothing unsaved is left without a question: by link, by the back button, by keys, by renaming",
  { tree: { "notes.txt": "one\n" } },
  async ({ page, folder, address }) => {
    await editAlone(page);
    await listingAwake(page);
    await entry(page, "notes.txt").dblclick();
    const text = textOf(page, "notes.txt");
    await text.waitFor();
    await write(page, text, "two");
    const question = page.getByRole("dialog", { name: "Save changes to “notes.txt”?" });
    const ways = [
      () => viewer(page).getByRole("link").first().click(),
      () => page.goBack(),
      () => page.getByRole("button", { name: "Back to folder" }).press("Escape"),
      () => viewer(page).getByRole("button", { name: "Rename" }).click(),
    ];
    for (const leave of ways) {
      await leave();
      await question.waitFor();
      await question.getByRole("button", { name: "Cancel" }).click();
      await question.waitFor({ state: "detached" });
      // Whoever went back is brought forward again, which the browser does a moment later.
      await page.waitForURL(`${address}notes.txt`);
    }
    const closing = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const warning = await closing;
    assert.equal(warning.type(), "beforeunload");
    await warning.dismiss();
    assert.equal(await Deno.readTextFile(join(folder, "notes.txt")), "one\n");

    await page.goBack();
    await question.getByRole("button", { name: "Save" }).click();
    await entry(page, "notes.txt").waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "notes.txt")), "one\ntwo");

    await page.goForward();
    await write(page, text, "three");
    await page.getByRole("button", { name: "Back to folder" }).click();
    await question.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL(address);
    assert.equal(await Deno.readTextFile(join(folder, "notes.txt")), "one\ntwo");
  },
);

test(
  "when somebody else writes the same file, both versions are shown, and one chooses",
  { tree: { "list.txt": "# List\n\n- milk\n" }, expected: [412, 409] },
  async ({ page, folder, address }) => {
    await editAlone(page);
    const path = join(folder, "list.txt");
    const meet = async () => {
      const text = await openText(page, address, "list.txt");
      await write(page, text, "- mine\n");
      await Deno.writeTextFile(path, "# List\n\n- milk\n- theirs\n");
      await page.keyboard.press("ControlOrMeta+s");
      await page.getByRole("heading", { name: "“list.txt” was changed by someone else" })
        .waitFor();
      await page.getByRole("textbox", { name: "Server version" }).getByText("- theirs").waitFor();
      await page.getByRole("textbox", { name: "Your version" }).getByText("- mine").waitFor();
    };
    const choose = (name: string) => page.getByRole("button", { name, exact: true }).click();

    await meet();
    await choose("Back to editing");
    await page.getByText("Someone else changed this file").waitFor();
    await choose("Compare");
    await choose("Use theirs");
    await stateIs(page, "Saved");
    await textOf(page, "list.txt").getByText("- theirs").waitFor();

    await Deno.writeTextFile(path, "# List\n\n- milk\n");
    await meet();
    await choose("Save as…");
    const prompt = page.getByRole("dialog", { name: "Save as" });
    await prompt.getByRole("textbox", { name: "Name" }).fill("mine.txt");
    await prompt.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(`${address}mine.txt`);
    assert.equal(await Deno.readTextFile(join(folder, "mine.txt")), "# List\n\n- milk\n- mine\n");
    assert.equal(await Deno.readTextFile(path), "# List\n\n- milk\n- theirs\n");

    await Deno.writeTextFile(path, "# List\n\n- milk\n");
    await meet();
    await choose("Keep mine");
    await stateIs(page, "Saved");
    assert.equal(await Deno.readTextFile(path), "# List\n\n- milk\n- mine\n");
  },
);

test(
  "a file that is deleted meanwhile stays on screen, and is put back",
  { tree: { "gone.txt": "one\n" }, expected: [404] },
  async ({ page, folder, address }) => {
    await editAlone(page);
    const path = join(folder, "gone.txt");
    const text = await openText(page, address, "gone.txt");
    await write(page, text, "two");
    await Deno.remove(path);
    await write(page, text, "!");
    await page.keyboard.press("ControlOrMeta+s");
    await page.getByRole("alert").filter({ hasText: "was moved or deleted" }).waitFor();
    await page.getByRole("button", { name: "Restore file" }).click();
    await stateIs(page, "Saved");
    assert.equal(await Deno.readTextFile(path), "one\ntwo!");
  },
);

test(
  "what the encoding of a file does not have is refused, and saved as UTF-8 if one likes",
  { tree: { "latin.txt": latin }, expected: [400] },
  async ({ page, folder, address }) => {
    await editAlone(page);
    const text = await openText(page, address, "latin.txt");
    await write(page, text, "\u010d");
    await page.keyboard.press("ControlOrMeta+s");
    await page.getByText("that Windows-1252 doesn’t support").waitFor();
    assert.deepEqual(await Deno.readFile(join(folder, "latin.txt")), latin);
    await page.getByRole("button", { name: "Save as UTF-8" }).click();
    await stateIs(page, "Saved");
    const expected = new TextDecoder("windows-1252").decode(latin) + "\u010d";
    assert.equal(await Deno.readTextFile(join(folder, "latin.txt")), expected);
  },
);

test(
  "what can't be saved without harm is shown, and says that it can't be changed",
  { tree: { "broken.txt": Uint8Array.of(0xff, 0xfe, 0x61, 0, 0, 0xd8, 0x62, 0) } },
  async ({ page, address }) => {
    await editAlone(page);
    const text = await openText(page, address, "broken.txt");
    await stateIs(page, "Read-only");
    await page.getByText("This file can’t be edited here").waitFor();
    await write(page, text, "more");
    assert.ok(!(await text.innerText()).includes("more"));
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  },
);

test(
  "a text that did not load can be tried again; its name need not tell that it is one",
  { tree: { "NOTE": "late\n" }, expected: [503] },
  async (fixture) => {
    const { page } = fixture;
    await editAlone(page);
    await intercept(page, SCRIPTS, (route) => route.fulfill({ status: 503 }));
    await entry(page, "NOTE").dblclick();
    await page.getByText("This view couldn’t be loaded.").waitFor();
    await page.unroute(SCRIPTS);
    await page.getByRole("button", { name: "Try again" }).click();
    await textOf(page, "NOTE").getByText("late").waitFor();
  },
);

test(
  "a line of millions of characters opens, and is compared with another version",
  { tree: { "min.json": `[${'{"k":12345},'.repeat(400_000)}0]` }, expected: [412] },
  async ({ page, folder, address }) => {
    await editAlone(page);
    const text = await openText(page, address, "min.json");
    await text.getByText("[{").first().waitFor();
    assert.ok(await page.getByRole("button", { name: "Wrap long lines" }).isDisabled());
    await page.locator(".cm-content:focus").waitFor();
    await page.keyboard.type(" ");
    await stateIs(page, "Unsaved changes");
    await Deno.writeTextFile(join(folder, "min.json"), '["theirs"]');
    await page.keyboard.press("ControlOrMeta+s");
    await page.getByRole("textbox", { name: "Server version" }).getByText("theirs").waitFor();
  },
);

test("ten megabytes open, scroll and are saved", {}, async ({ page, folder, address }) => {
  const line = `${"all work and no play ".repeat(4)}\n`;
  const content = line.repeat(Math.floor(10 * 1024 * 1024 / line.length) - 1);
  await Deno.writeTextFile(join(folder, "long.txt"), content);
  const text = await openText(page, address, "long.txt");
  await write(page, text, "the end");
  await text.getByText("the end").waitFor();
  const lines = await page.locator(".cm-line").count();
  assert.ok(lines < 300, `${lines} lines in the page`);
  await page.keyboard.press("ControlOrMeta+s");
  await stateIs(page, "Saved");
  const { length } = content;
  await eventually(() => Deno.statSync(join(folder, "long.txt")).size === length + 7);
});
