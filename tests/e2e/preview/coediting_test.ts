/** One text that several people write at once. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openText, textOf, write } from "../../support/browser/editor.ts";
import { eventually } from "../../support/browser/listing.ts";
import { browserTests } from "../../support/browser/browser_tests.ts";
import { comeAs, togetherIs } from "../../support/browser/together.ts";

const test = browserTests();

let people = 0;
/** A name that no other test has. */
const named = (name: string) => `${name} ${++people}`;

/** The text on screen, line by line. */
const linesOf = (page: Page) =>
  page.locator(".cm-content .cm-line").evaluateAll((lines) =>
    lines.map((line) => {
      const copy = line.cloneNode(true) as HTMLElement;
      for (const cursor of copy.querySelectorAll(".cm-theirCursor")) cursor.remove();
      return copy.textContent;
    })
  );

const shows = (page: Page, text: string) =>
  eventually(async () => (await linesOf(page)).join("\n") === text);

/** Whether the browser has a text for the time after the page is closed. */
const keeps = (page: Page, text: string) =>
  page.evaluate(async (text) => {
    const opened = Promise.withResolvers<IDBDatabase>();
    const opening = indexedDB.open("cubby-coediting");
    opening.onsuccess = () => opened.resolve(opening.result);
    const database = await opened.promise;
    const found = Promise.withResolvers<{ mine: Uint8Array }[]>();
    const finding = database.transaction("unsent").objectStore("unsent").getAll();
    finding.onsuccess = () => found.resolve(finding.result);
    const texts = (await found.promise).map(({ mine }) => new TextDecoder().decode(mine));
    database.close();
    return texts.some((kept) => kept.includes(text));
  }, text);

const saved = (path: string, text: string) =>
  eventually(async () => await Deno.readTextFile(path) === text);

test(
  "two people write at once: both see all of it, with names and cursors, and it is in the file",
  { tree: { "notes.txt": "one\ntwo\n" } },
  async (fixture) => {
    const { page, folder, address } = fixture;
    const text = await openText(page, address, "notes.txt");
    await togetherIs(page, "saved");
    const name = named("Anna Berg");
    await using anna = await comeAs(fixture, name, `${address}notes.txt`);
    await togetherIs(anna.page, "saved");
    await page.getByRole("button", { name: `People here: ${name}` }).waitFor();
    const theirs = textOf(anna.page, "notes.txt");

    await theirs.focus();
    await anna.page.keyboard.press("ControlOrMeta+Home");
    await text.focus();
    await page.keyboard.press("ControlOrMeta+End");
    await Promise.all([page.keyboard.type("mine mine"), anna.page.keyboard.type("hers hers ")]);
    for (const each of [page, anna.page]) await shows(each, "hers hers one\ntwo\nmine mine");
    await page.locator(".cm-theirName", { hasText: name }).waitFor();
    await anna.page.locator(".cm-theirName", { hasText: fixture.server.username }).waitFor();
    await saved(join(folder, "notes.txt"), "hers hers one\ntwo\nmine mine");
    for (const each of [page, anna.page]) await togetherIs(each, "saved");

    // One undoes only what one has typed.
    await page.getByRole("button", { name: "Undo" }).click();
    for (const each of [page, anna.page]) await shows(each, "hers hers one\ntwo\n");
    await page.keyboard.press("ControlOrMeta+Shift+Z");
    await anna.page.keyboard.press("ControlOrMeta+z");
    for (const each of [page, anna.page]) await shows(each, "one\ntwo\nmine mine");

    await anna[Symbol.asyncDispose]();
    await page.getByRole("button", { name: /^People here/ }).waitFor({ state: "detached" });
    assert.equal(await page.locator(".cm-theirCursor").count(), 0);
  },
);

test(
  "Ctrl+S saves at once, and says so; a former version is kept",
  { tree: { "notes.txt": "one\n" } },
  async ({ page, folder, address }) => {
    const text = await openText(page, address, "notes.txt");
    await togetherIs(page, "saved");
    const save = page.getByRole("toolbar").getByRole("button", { name: "Save", exact: true });
    await page.getByRole("toolbar").getByRole("button", { name: "Saved" }).waitFor();
    await write(page, text, "two");
    await save.waitFor();
    await page.keyboard.press("ControlOrMeta+s");
    await page.locator(".toast", { hasText: "Saved" }).first().waitFor();
    assert.equal(await Deno.readTextFile(join(folder, "notes.txt")), "one\ntwo");
  },
);

test(
  "who may only view follows, in the text and as the page that it describes",
  { tree: { "read.md": "# Hello\n" } },
  async (fixture) => {
    const { page, address } = fixture;
    await using reader = await comeAs(fixture, named("Reader"), `${address}read.md`, {
      mayModify: false,
    });
    await reader.page.getByRole("heading", { name: "Hello" }).waitFor();
    await page.goto(`${address}read.md`);
    await page.getByRole("button", { name: "Edit" }).click();
    const text = textOf(page, "read.md");
    await text.waitFor();
    await togetherIs(page, "saved");
    await write(page, text, "\nand **welcome**");
    await reader.page.locator("strong", { hasText: "welcome" }).waitFor();
    await reader.page.getByRole("button", { name: "Show source" }).click();
    await togetherIs(reader.page, "following");
    const theirs = textOf(reader.page, "read.md");
    await theirs.focus();
    await reader.page.keyboard.type("no");
    await write(page, text, "!");
    await shows(reader.page, "# Hello\n\nand **welcome**!");
    assert.equal(
      await reader.page.getByRole("button", { name: "Save", exact: true }).count(),
      0,
    );
  },
);

test(
  "a change on the disk while people type is merged",
  { tree: { "list.txt": "# List\n\n- milk\n" } },
  async ({ page, folder, address }) => {
    const path = join(folder, "list.txt");
    const text = await openText(page, address, "list.txt");
    await togetherIs(page, "saved");
    await write(page, text, "- bread\n");
    await saved(path, "# List\n\n- milk\n- bread\n");
    await page.keyboard.type("- eggs");
    await Deno.writeTextFile(path, "# My list\n\n- milk\n- bread\n");
    await shows(page, "# My list\n\n- milk\n- bread\n- eggs");
    await saved(path, "# My list\n\n- milk\n- bread\n- eggs");
    assert.equal(await page.getByText("was changed by someone else").count(), 0);
  },
);

test(
  "offline both go on, and nothing is lost when one is back; nor when the page was closed",
  { tree: { "notes.txt": "one\n" }, expected: [0] },
  async (fixture) => {
    const { page, folder, address } = fixture;
    const path = join(folder, "notes.txt");
    await openText(page, address, "notes.txt");
    await togetherIs(page, "saved");
    await using anna = await comeAs(fixture, named("Anna"), `${address}notes.txt`);
    const theirs = textOf(anna.page, "notes.txt");
    await togetherIs(anna.page, "saved");
    await anna.page.context().setOffline(true);
    await togetherIs(anna.page, "offline");
    await write(anna.page, theirs, "hers");
    await textOf(page, "notes.txt").focus();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.type("mine\n");
    await saved(path, "mine\none\n");
    await anna.page.context().setOffline(false);
    for (const each of [page, anna.page]) {
      await shows(each, "mine\none\nhers");
      await togetherIs(each, "saved");
    }
    await saved(path, "mine\none\nhers");

    await anna.page.context().setOffline(true);
    await togetherIs(anna.page, "offline");
    await write(anna.page, theirs, " again");
    await shows(anna.page, "mine\none\nhers again");
    await eventually(() => keeps(anna.page, "hers again"));
    await anna.page.close();
    await page.keyboard.type("still\n");
    await anna.page.context().setOffline(false);
    const back = await anna.page.context().newPage();
    await back.goto(`${address}notes.txt`);
    for (const each of [page, back]) await shows(each, "mine\nstill\none\nhers again");
    await saved(path, "mine\nstill\none\nhers again");
  },
);

test(
  "a file that is deleted meanwhile stays on screen, and is put back",
  { tree: { "gone.txt": "one\n" }, expected: [404] },
  async ({ page, folder, address }) => {
    const path = join(folder, "gone.txt");
    const text = await openText(page, address, "gone.txt");
    await togetherIs(page, "saved");
    await write(page, text, "two");
    await saved(path, "one\ntwo");
    await Deno.remove(path);
    await page.getByRole("alert").filter({ hasText: "was moved or deleted" }).waitFor();
    await page.getByRole("button", { name: "Restore file" }).click();
    await saved(path, "one\ntwo");
  },
);
