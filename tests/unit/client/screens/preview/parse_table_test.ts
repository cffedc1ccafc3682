import assert from "node:assert/strict";
import fc from "fast-check";
import {
  LargeTable,
  numberOf,
  parseRows,
  sortRows,
  tableOf,
} from "../../../../../lib/client/screens/preview/table/parse_table.ts";
import { encodingOf, textOf } from "../../../../../lib/client/screens/preview/large_text.ts";

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

Deno.test("parseRows() gives the cells that were written, with any delimiter and any text", () => {
  const cell = fc.string({ maxLength: 8 });
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 });
  fc.assert(fc.property(rows, fc.constantFrom(",", ";", "\t", "|"), (rows, delimiter) => {
    const text = rows.map((row) => row.map(quoted).join(delimiter)).join("\r\n");
    assert.deepEqual(parseRows(text, true, delimiter).rows, rows);
  }));
});

Deno.test("parseRows() guesses the delimiter, and leaves an incomplete row for later", () => {
  const { rows, rest, delimiter } = parseRows('a;b\n1,5;"two\nlines"\n3;"op', false);
  assert.deepEqual([rows, rest, delimiter], [[["a", "b"], ["1,5", "two\nlines"]], '3;"op', ";"]);
  assert.deepEqual(parseRows("", true).rows, []);
});

Deno.test("tableOf() takes the first row for names only when it may be one", () => {
  assert.deepEqual(tableOf([["a", "b"], ["1", "2"]]).head, ["a", "b"]);
  assert.deepEqual(tableOf([["1", "b"], ["2", "c"]]).head, ["A", "B"]);
  assert.deepEqual(tableOf([["a", "a"], ["1", "2"]]).head, ["A", "B"]);
  assert.deepEqual(tableOf([["alone"]]).rows, [["alone"]]);
  const wide = tableOf([Array.from({ length: 28 }, () => "1")]);
  assert.deepEqual(wide.head.slice(25), ["Z", "AA", "AB"]);
});

Deno.test("numberOf() reads numbers of many countries, and nothing else", () => {
  const known: [string, number | null][] = [
    ["7", 7],
    ["-1.5", -1.5],
    ["1,5", 1.5],
    ["1,234,567.8", 1234567.8],
    ["1.234.567,8", 1234567.8],
    ["12 %", 12],
    ["1e3", 1000],
    ["", null],
    ["2024-01-11", null],
    ["1.2.3", null],
    ["x1", null],
  ];
  for (const [text, number] of known) assert.equal(numberOf(text), number, text);
});

Deno.test("sortRows() sorts numbers by size, names by the language, empty cells last", () => {
  const rows = [["10"], [""], ["9"], ["-1"]];
  assert.deepEqual(sortRows(rows, 0, true, "en").flat(), ["-1", "9", "10", ""]);
  assert.deepEqual(sortRows(rows, 0, false, "en").flat(), ["10", "9", "-1", ""]);
  assert.deepEqual(sortRows([["z"], ["ä"], ["a"]], 0, true, "de").flat(), ["a", "ä", "z"]);
});

Deno.test("LargeTable reads a long text in parts, whole rows at a time", async () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => `${index};Zoë ${index};"a;b"`);
  const bytes = new TextEncoder().encode(`id;name;more\n${lines.join("\n")}\n`);
  const asked: [number, number][] = [];
  const table = new LargeTable(bytes.length, (from, to) => {
    asked.push([from, to]);
    return Promise.resolve(bytes.subarray(from, to));
  });
  while (table.at.value < bytes.length) await table.more();
  assert.deepEqual(table.table.value?.head, ["id", "name", "more"]);
  assert.equal(table.table.value?.rows.length, lines.length);
  assert.deepEqual(table.table.value?.rows.at(-1), ["59999", "Zoë 59999", "a;b"]);
  assert.ok(asked.length > 1 && asked.every(([from, to]) => to - from <= 2 ** 20));
  await table.more();
  assert.equal(asked.at(-1)?.[1], bytes.length);
});

Deno.test("a table that can't be read says so, and can be tried again", async () => {
  let bytes: Uint8Array | null = null;
  const table = new LargeTable(3, () => Promise.resolve(bytes));
  await table.more();
  assert.deepEqual([table.isFailed.value, table.table.value], [true, null]);
  bytes = new TextEncoder().encode("a,b");
  await table.more();
  assert.deepEqual([table.isFailed.value, table.table.value?.rows], [false, [["a", "b"]]]);
});

Deno.test("encodingOf() knows UTF-8, also cut within a character, UTF-16 and what is neither", () => {
  const utf8 = new TextEncoder().encode("Zoë");
  assert.equal(encodingOf(utf8), "utf-8");
  assert.equal(encodingOf(utf8.subarray(0, 3), true), "utf-8");
  assert.equal(encodingOf(utf8.subarray(0, 3)), "windows-1252");
  assert.equal(textOf(Uint8Array.of(0x5a, 0x6f, 0xeb)), "Zoë");
  assert.equal(textOf(Uint8Array.of(0xff, 0xfe, 0x41, 0)), "A");
});
