import assert from "node:assert/strict";
import { fileNamed, until } from "../../support.ts";
import { error, openNotes, type } from "./server.ts";

Deno.test("a text that can't be read says why, and can be tried again", async () => {
  let down = true;
  await using page = openNotes({}, () => down ? error(500, "internal") : undefined);
  await page.file.load();
  assert.equal(page.file.status.value, "failed");
  assert.equal(page.file.trouble.value?.code, "internal");
  down = false;
  await page.file.load();
  assert.equal(page.file.status.value, "ready");
  assert.equal(page.file.trouble.value, null);
});

Deno.test("who may not have the text is not shown one", async () => {
  await using page = openNotes({}, () => Response.json(fileNamed("notes.txt")));
  await page.file.load();
  assert.equal(page.file.status.value, "withheld");
});

Deno.test("a text that may not be changed is never sent", async () => {
  await using page = openNotes({ type: "textImmutable" });
  await page.file.load();
  type(page.file, "changed");
  assert.equal(await page.file.save(), false);
  assert.equal(page.heard.filter(({ method }) => method === "PUT").length, 0);
});

Deno.test("a text that the listing has read already is not read again", async () => {
  await using page = openNotes();
  await page.file.offer(page.told());
  assert.equal(page.file.status.value, "ready");
  assert.equal(page.heard.length, 0);
});

Deno.test("typing makes a text unsaved, and typing it back makes it saved again", async () => {
  await using page = openNotes();
  await page.file.load();
  assert.equal(page.file.holds, false);
  type(page.file, "one\ntwo!\n");
  assert.deepEqual([page.file.saveState.value, page.file.holds], ["unsaved", true]);
  type(page.file, "one\ntwo\n");
  assert.deepEqual([page.file.saveState.value, page.file.holds], ["saved", false]);
  assert.equal(await page.file.save(), true);
  assert.equal(page.heard.length, 1);
});

Deno.test("saving names the version and the encoding, and the next saving the new version", async () => {
  await using page = openNotes({ encoding: "utf-16le-bom" });
  await page.file.load();
  type(page.file, "three");
  assert.equal(await page.file.save(), true);
  type(page.file, "four");
  assert.equal(await page.file.save(), true);
  const puts = page.heard.filter(({ method }) => method === "PUT");
  assert.deepEqual(puts.map(({ headers }) => headers.get("if-match")), ['"1"', '"2"']);
  assert.deepEqual(puts.map(({ query }) => query.get("encoding")), [
    "utf-16le-bom",
    "utf-16le-bom",
  ]);
  assert.equal(page.content(), "four");
  assert.equal(page.saves(), 2);
});

Deno.test("line ends are kept as they are, mixed ones each by itself", async () => {
  for (
    const [content, typed, kept] of [
      ["a\r\nb\r\n", "a\nx\nb\n", "a\r\nx\r\nb\r\n"],
      ["a\r\nb\nc\r\n", "a\r\nb!\nc\r\n", "a\r\nb!\nc\r\n"],
    ] as const
  ) {
    await using page = openNotes({ content });
    await page.file.load();
    type(page.file, typed);
    assert.equal(await page.file.save(), true);
    assert.equal(page.content(), kept);
  }
});

Deno.test("what is typed while a version is on its way is saved after it, never with it", async () => {
  let release = () => {};
  const waiting = new Promise<void>((resolve) => release = resolve);
  await using page = openNotes({}, async ({ method }) => {
    if (method === "PUT") await waiting;
  });
  await page.file.load();
  type(page.file, "first");
  const first = page.file.save();
  await until(() => page.file.saveState.value === "saving");
  type(page.file, "first and second");
  const second = page.file.save();
  release();
  assert.deepEqual(await Promise.all([first, second]), [false, true]);
  const puts = page.heard.filter(({ method }) => method === "PUT");
  assert.deepEqual(puts.map(({ body }) => body), ["first", "first and second"]);
  assert.equal(page.file.saveState.value, "saved");
});

Deno.test("nothing is lost when saving fails: the reason stays until it is saved", async () => {
  const answers = [error(401, "not_signed_in"), error(507, "disk_full")];
  await using page = openNotes({}, ({ method }) => method === "PUT" ? answers.shift() : undefined);
  await page.file.load();
  type(page.file, "mine");
  for (const code of ["not_signed_in", "disk_full"]) {
    assert.equal(await page.file.save(), false);
    assert.equal(page.file.saveState.value, "failed");
    assert.equal(page.file.trouble.value?.code, code);
    assert.equal(page.file.draft?.toString(), "mine");
  }
  assert.equal(await page.file.save(), true);
  assert.equal(page.file.trouble.value, null);
  assert.equal(page.content(), "mine");
});

Deno.test("what the encoding of the file does not have is saved in another one", async () => {
  const isLatin = (query: URLSearchParams) => query.get("encoding") === "windows-1252";
  await using page = openNotes(
    { encoding: "windows-1252" },
    ({ method, query }) =>
      method === "PUT" && isLatin(query) ? error(400, "invalid_body") : undefined,
  );
  await page.file.load();
  type(page.file, "\u010d");
  assert.equal(await page.file.save(), false);
  assert.equal(page.file.trouble.value?.code, "invalid_body");
  assert.equal(await page.file.saveIn("utf-8"), true);
  assert.equal(page.file.version.value?.encoding, "utf-8");
  assert.equal(page.content(), "\u010d");
});

Deno.test("a file that has gone is put back with what was written", async () => {
  await using page = openNotes();
  await page.file.load();
  type(page.file, "mine");
  page.files.clear();
  assert.equal(await page.file.save(), false);
  assert.equal(page.file.trouble.value?.code, "not_found");
  await page.file.putBack();
  assert.equal(page.content(), "mine");
  assert.equal(page.file.saveState.value, "saved");
});

Deno.test("a file that has changed on the server is followed only while nothing is unsaved", async () => {
  await using page = openNotes();
  await page.file.load();
  page.overwrite("theirs");
  await page.file.offer(page.told());
  assert.equal(page.file.shown.value?.toString(), "theirs");
  type(page.file, "mine");
  page.overwrite("theirs again");
  await page.file.offer(page.told());
  assert.equal(page.file.draft?.toString(), "mine");
  assert.equal(page.file.isStale.value, true);
});

Deno.test("what the server tells of one's own saving changes nothing", async () => {
  await using page = openNotes();
  await page.file.load();
  const before = page.told();
  type(page.file, "mine");
  await page.file.save();
  const shown = page.file.shown.value;
  await page.file.offer(before);
  await page.file.offer(page.told());
  assert.equal(page.file.shown.value, shown);
  assert.equal(page.file.draft?.toString(), "mine");
  assert.equal(page.file.isStale.value, false);
});
