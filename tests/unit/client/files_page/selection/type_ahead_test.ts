import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import { delay } from "../../../../../lib/shared/delay.ts";
import type { FolderWindow } from "../../../../../lib/client/base/api/api.ts";
import { Cursor, Selection } from "../../../../../lib/client/files_page/selection/selection.ts";
import { Rows } from "../../../../../lib/client/base/files/rows.ts";
import { TypeAhead } from "../../../../../lib/client/files_page/selection/type_ahead.ts";
import { type EntryPath, ROOT } from "../../../../../lib/shared/path.ts";
import { type Result, success } from "../../../../../lib/shared/result.ts";
import type { Resource } from "../../../../../lib/shared/schemas/entry.ts";
import { fileNamed, folderOf } from "../../support.ts";

/** Type-ahead in a folder; `total` is larger when only the names given are loaded. */
function typingIn(names: string[], total = names.length, offset?: number) {
  const rows = signal(new Rows(total).with(0, names.map((name) => fileNamed(name))));
  const selection = new Selection(rows);
  const cursor = new Cursor(rows, selection);
  const asked: FolderWindow[] = [];
  const api = {
    resource(_at: EntryPath, window: FolderWindow): Promise<Result<Resource>> {
      asked.push(window);
      return Promise.resolve(success({ ...folderOf([]), offset }));
    },
  };
  const listing = { path: signal(ROOT), rows, selection, cursor, order: {} };
  const shown = { times: 0 };
  const typing = new TypeAhead({ api, listing, onDetails: () => shown.times++ });
  const typed = async (text: string, at: number) => {
    let found = false;
    for (const [index, letter] of [...text].entries()) {
      found = await typing.type(letter, at + index * 100);
    }
    return found;
  };
  return { cursor, selection, asked, typed, shown };
}

Deno.test("typing finds the next name that starts so, the same letter goes on", async () => {
  const { cursor, typed } = typingIn(["alpha", "Beta", "beach", "gamma", "bear"]);
  assert.equal(await typed("x", 0), false);
  assert.equal(cursor.index.value, -1);
  await typed("b", 5000);
  assert.equal(cursor.index.value, 1);
  await typed("b", 5200);
  assert.equal(cursor.index.value, 2);
  await typed("bear", 10_000);
  assert.equal(cursor.index.value, 4);
  await typed("be", 20_000);
  assert.equal(cursor.index.value, 1);
});

Deno.test("a typed word without a match leaves nothing selected", async () => {
  const { selection, typed } = typingIn(["beach", "bear"]);
  assert.equal(await typed("bear", 0), true);
  assert.equal(await typed("x", 400), false);
  assert.equal(selection.now.value.size, 0);
});

Deno.test("in a folder that is partly loaded the server finds the entry", async () => {
  const { cursor, selection, asked, typed } = typingIn(["beach"], 20_000, 12_345);
  assert.equal(await typed("be", 0), true);
  assert.deepEqual(asked.map(({ startsWith, limit }) => [startsWith, limit]), [["b", 1], [
    "be",
    1,
  ]]);
  assert.equal(cursor.index.value, 12_345);
  assert.equal(selection.now.value.has(12_345), true);
  assert.equal(selection.now.value.size, 1);
});

Deno.test("where the server finds no entry nothing is selected", async () => {
  const { selection, typed } = typingIn(["beach"], 20_000);
  selection.only(0);
  assert.equal(await typed("be", 0), false);
  assert.equal(selection.now.value.size, 0);
});

Deno.test("the letter of the details shows them when typed alone, and begins a word otherwise", async () => {
  const { cursor, selection, typed, shown } = typingIn(["hat", "ice", "img", "Iris"]);
  assert.equal(await typed("i", 0), false);
  assert.deepEqual([shown.times, cursor.index.value], [0, -1]);
  await delay(450);
  assert.deepEqual([shown.times, selection.now.value.size], [1, 0]);

  assert.equal(await typed("im", 5_000), true);
  assert.deepEqual([shown.times, cursor.index.value], [1, 2]);
  // Twice, or as a capital letter, it is the beginning of a name.
  assert.equal(await typed("ii", 20_000), true);
  assert.equal(await typed("I", 30_000), true);
  await delay(450);
  assert.equal(shown.times, 1);
});
