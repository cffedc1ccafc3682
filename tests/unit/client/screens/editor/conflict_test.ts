import assert from "node:assert/strict";
import { Text } from "@codemirror/state";
import {
  askAboutUnsaved,
  saveUnderName,
} from "../../../../../lib/client/screens/editor/text_file.ts";
import { until } from "../../support.ts";
import { openNotes, type } from "./server.ts";

/** A text with changes that somebody else's version stands in the way of. */
async function openConflict() {
  const page = openNotes();
  await page.file.load();
  type(page.file, "mine");
  page.overwrite("theirs");
  assert.equal(await page.file.save(), false);
  assert.equal(page.file.theirs.value?.text.toString(), "theirs");
  assert.equal(page.content(), "theirs");
  return page;
}

Deno.test("a version of somebody else is not overwritten: both are kept until one has chosen", async () => {
  await using page = await openConflict();
  assert.equal(page.file.draft?.toString(), "mine");
  assert.equal(page.file.holds, true);
  page.file.chooseLater();
  assert.equal(page.file.theirs.value, null);
  assert.equal(page.file.isStale.value, true);
  assert.equal(await page.file.save(), false);
  assert.notEqual(page.file.theirs.value, null);
});

Deno.test("keeping one's own version replaces the other one, with what was taken over", async () => {
  await using page = await openConflict();
  assert.equal(await page.file.keepMine(Text.of(["mine and theirs"])), true);
  assert.equal(page.content(), "mine and theirs");
  assert.equal(page.file.shown.value?.toString(), "mine and theirs");
  assert.equal(page.file.saveState.value, "saved");
});

Deno.test("keeping one's own version does not replace a third one", async () => {
  await using page = await openConflict();
  page.overwrite("a third");
  assert.equal(await page.file.keepMine(Text.of(["mine"])), false);
  assert.equal(page.file.theirs.value?.text.toString(), "a third");
  assert.equal(page.content(), "a third");
});

Deno.test("taking the other version gives up one's own", async () => {
  await using page = await openConflict();
  page.file.takeTheirs();
  assert.equal(page.file.shown.value?.toString(), "theirs");
  assert.equal(page.file.holds, false);
});

Deno.test("saving under another name leaves the other version, and refuses a name that is taken", async () => {
  await using page = await openConflict();
  page.overwrite("taken", "/other.txt");
  const refused = saveUnderName(page.file, page.prompts, Text.of(["mine"]));
  assert.equal(page.prompts.current.value?.kind, "saveAs");
  page.prompts.answer("saveAs", "other.txt");
  assert.equal(await refused, null);
  assert.equal(page.file.trouble.value?.code, "exists");
  assert.equal(page.file.holds, true);

  const saved = saveUnderName(page.file, page.prompts, Text.of(["mine"]));
  page.prompts.answer("saveAs", "new.txt");
  assert.equal(await saved, "/new.txt");
  assert.deepEqual(
    ["/notes.txt", "/other.txt", "/new.txt"].map((path) => page.content(path)),
    ["theirs", "taken", "mine"],
  );
  assert.equal(page.file.holds, false);
});

Deno.test("two who have written the same are not asked", async () => {
  await using page = openNotes();
  await page.file.load();
  type(page.file, "the same");
  page.overwrite("the same");
  assert.equal(await page.file.save(), true);
  assert.equal(page.file.theirs.value, null);
  assert.equal(page.file.saveState.value, "saved");
});

Deno.test("leaving asks what becomes of changes, and stays when that is closed or not saved", async () => {
  await using page = openNotes();
  await page.file.load();
  assert.equal(await askAboutUnsaved(page.file, page.prompts), true);
  type(page.file, "mine");
  const ask = async (answer: "save" | "discard" | null) => {
    const asked = askAboutUnsaved(page.file, page.prompts);
    await until(() => page.prompts.current.value?.kind === "discard");
    if (answer === null) page.prompts.close();
    else page.prompts.answer("discard", answer);
    return await asked;
  };
  assert.equal(await ask(null), false);
  page.overwrite("theirs");
  assert.equal(await ask("save"), false);
  assert.equal(page.content(), "theirs");
  assert.equal(await ask("discard"), true);
  assert.equal(page.file.holds, false);
});
