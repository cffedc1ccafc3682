import assert from "node:assert/strict";
import { type Signal, signal } from "@preact/signals";
import { Cursor, Selection } from "../../../../../lib/client/files_page/selection/selection.ts";
import { Rows } from "../../../../../lib/client/base/files/rows.ts";
import { fileNamed, manyNames } from "../../support.ts";

/** A folder of `total` entries of which the first fifty are loaded. */
function folder(total: number): { rows: Signal<Rows>; selection: Selection; cursor: Cursor } {
  const entries = manyNames(Math.min(50, total)).map((name) => fileNamed(name));
  const rows = signal(new Rows(total).with(0, entries));
  const selection = new Selection(rows);
  return { rows, selection, cursor: new Cursor(rows, selection) };
}

function selectedOf(selection: Selection, upTo: number): number[] {
  return Array.from({ length: upTo }, (_, index) => index).filter((index) =>
    selection.now.value.has(index)
  );
}

function load(rows: Signal<Rows>, selection: Selection, offset: number, length: number): void {
  const names = manyNames(offset + length).slice(offset);
  rows.value = rows.value.with(offset, names.map((name) => fileNamed(name)));
  selection.materialize();
}

Deno.test("a click selects one entry and no other", () => {
  const { selection } = folder(20);
  selection.click(3);
  selection.click(7);
  assert.deepEqual(selectedOf(selection, 20), [7]);
  assert.equal(selection.now.value.size, 1);
});

Deno.test("a click with Ctrl adds an entry and takes it away again", () => {
  const { selection } = folder(20);
  selection.click(3);
  selection.click(7, { toggle: true });
  assert.deepEqual(selectedOf(selection, 20), [3, 7]);
  selection.click(3, { toggle: true });
  assert.deepEqual(selectedOf(selection, 20), [7]);
});

Deno.test("plain clicks add and take away while several are being chosen", () => {
  const { selection } = folder(20);
  selection.multiple.value = true;
  selection.click(3);
  selection.click(7);
  selection.click(3);
  assert.deepEqual(selectedOf(selection, 20), [7]);
});

Deno.test("a click with Shift selects from the last entry clicked, in either direction", () => {
  const { selection } = folder(20);
  selection.click(5);
  selection.click(8, { range: true });
  assert.deepEqual(selectedOf(selection, 20), [5, 6, 7, 8]);
  selection.click(3, { range: true });
  assert.deepEqual(selectedOf(selection, 20), [3, 4, 5]);
  selection.click(10, { toggle: true });
  selection.click(11, { toggle: true, range: true });
  assert.deepEqual(selectedOf(selection, 20), [3, 4, 5, 10, 11]);
});

Deno.test("a band selects its spans alone, or besides what was kept", () => {
  const { selection } = folder(100_000);
  selection.click(3);
  const kept = selection.saved();
  selection.selectSpans([{ from: 10, to: 12 }, { from: 40, to: 60 }], kept);
  assert.deepEqual(selectedOf(selection, 45), [3, 10, 11, 40, 41, 42, 43, 44]);
  assert.equal(selection.now.value.size, 23);
  selection.selectSpans([{ from: 10, to: 11 }], kept);
  assert.deepEqual(selectedOf(selection, 100), [3, 10]);
  selection.selectSpans([{ from: 20, to: 21 }]);
  assert.deepEqual(selectedOf(selection, 100), [20]);
  selection.selectSpans([], kept);
  assert.deepEqual(selectedOf(selection, 100), [3]);
});

Deno.test("a range may reach over entries that are not loaded", () => {
  const { rows, selection } = folder(100_000);
  selection.click(40);
  selection.click(90_000, { range: true });
  assert.equal(selection.now.value.size, 90_000 - 40 + 1);
  assert.ok(selection.now.value.has(70_000));
  assert.ok(!selection.now.value.has(90_001));
  load(rows, selection, 70_000, 50);
  assert.equal(selection.now.value.size, 90_000 - 40 + 1);
  assert.ok(selection.now.value.has(70_000));
  selection.click(70_000, { toggle: true });
  assert.ok(!selection.now.value.has(70_000));
  assert.equal(selection.now.value.size, 90_000 - 40);
});

Deno.test("everything can be selected without loading it", () => {
  const { rows, selection } = folder(100_000);
  selection.all();
  assert.equal(selection.now.value.size, 100_000);
  assert.deepEqual(selection.snapshot().unloaded, [{ from: 50, to: 100_000 }]);
  load(rows, selection, 50, 150);
  assert.equal(selection.now.value.size, 100_000);
  assert.equal(selection.snapshot().names.length, 200);
  selection.clear();
  assert.equal(selection.now.value.size, 0);
});

Deno.test("an entry that is not loaded can be selected and taken away", () => {
  const { selection } = folder(1000);
  selection.all();
  selection.click(500, { toggle: true });
  assert.equal(selection.now.value.size, 999);
  assert.ok(!selection.now.value.has(500));
});

Deno.test("selecting in an empty folder selects nothing", () => {
  const { selection, cursor } = folder(0);
  selection.all();
  assert.equal(selection.now.value.size, 0);
  cursor.move("down");
  assert.equal(cursor.index.value, -1);
});

Deno.test("what is selected stays selected by name when rows move", () => {
  const { rows, selection } = folder(10);
  selection.click(2);
  selection.click(3, { toggle: true });
  rows.value = new Rows(10).with(0, manyNames(10).toReversed().map((name) => fileNamed(name)));
  selection.follow({ sameEntries: true, sameOrder: false });
  assert.deepEqual(selectedOf(selection, 10), [6, 7]);
});

Deno.test("entries that vanished are no longer selected", () => {
  const { rows, selection } = folder(10);
  selection.all();
  rows.value = new Rows(4).with(0, manyNames(4).map((name) => fileNamed(name)));
  selection.follow({ sameEntries: false, sameOrder: true });
  assert.equal(selection.now.value.size, 4);
});

Deno.test("what nobody has seen is not selected any more once the folder has changed", () => {
  const { rows, selection } = folder(1000);
  selection.all();
  rows.value = new Rows(1001).with(0, manyNames(50).map((name) => fileNamed(name)));
  selection.follow({ sameEntries: false, sameOrder: true });
  assert.equal(selection.now.value.size, 50);
});

Deno.test("everything stays selected in another order, a part that is not loaded does not", () => {
  const all = folder(1000);
  all.selection.all();
  all.selection.follow({ sameEntries: true, sameOrder: false });
  assert.equal(all.selection.now.value.size, 1000);

  const part = folder(1000);
  part.selection.click(40);
  part.selection.click(60, { range: true });
  part.selection.follow({ sameEntries: true, sameOrder: false });
  assert.equal(part.selection.now.value.size, 10);
});

Deno.test("arrows move the cursor and select what it comes to", () => {
  const { selection, cursor } = folder(20);
  cursor.move("down");
  assert.equal(cursor.index.value, 0);
  cursor.move("down");
  assert.deepEqual(selectedOf(selection, 20), [1]);
  cursor.move("end");
  assert.equal(cursor.index.value, 19);
  cursor.move("down");
  assert.equal(cursor.index.value, 19);
  cursor.move("home");
  assert.deepEqual(selectedOf(selection, 20), [0]);
});

Deno.test("Shift with arrows selects on the way and gives back on the way back", () => {
  const { selection, cursor } = folder(20);
  cursor.put(5);
  selection.click(5);
  cursor.move("down", true);
  cursor.move("down", true);
  assert.deepEqual(selectedOf(selection, 20), [5, 6, 7]);
  cursor.move("up", true);
  assert.deepEqual(selectedOf(selection, 20), [5, 6]);
});

Deno.test("Page Down passes over a page and stops at the end", () => {
  const { cursor } = folder(100);
  cursor.layout({ columns: 1, page: 30 });
  cursor.put(10);
  cursor.move("pageDown");
  assert.equal(cursor.index.value, 40);
  cursor.move("pageDown");
  cursor.move("pageDown");
  assert.equal(cursor.index.value, 99);
  cursor.move("pageUp");
  assert.equal(cursor.index.value, 69);
});

Deno.test("in a mosaic, arrows go by lines and columns, mirrored where writing is", () => {
  const { cursor } = folder(10);
  cursor.layout({ columns: 4, page: 8 });
  cursor.put(1);
  cursor.move("down");
  assert.equal(cursor.index.value, 5);
  cursor.move("right");
  assert.equal(cursor.index.value, 6);
  cursor.layout({ columns: 4, page: 8, mirrored: true });
  cursor.move("right");
  assert.equal(cursor.index.value, 5);
});

Deno.test("in a mosaic, down leads into a last line that is shorter, and no further", () => {
  const { cursor } = folder(10);
  cursor.layout({ columns: 4, page: 8 });
  cursor.put(7);
  cursor.move("down");
  assert.equal(cursor.index.value, 9);
  cursor.put(8);
  cursor.move("down");
  assert.equal(cursor.index.value, 8);
  cursor.put(3);
  cursor.move("up");
  assert.equal(cursor.index.value, 3);
});

Deno.test("End reaches an entry that is not loaded and selects it once it is", () => {
  const { rows, selection, cursor } = folder(100);
  cursor.move("end");
  assert.equal(cursor.index.value, 99);
  load(rows, selection, 50, 50);
  assert.deepEqual(selection.snapshot().names, ["file 00099"]);
});
