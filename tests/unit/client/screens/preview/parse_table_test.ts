import assert from "node:assert/strict";
import fc from "fast-check";
import { amountReader } from "../../../../../lib/client/screens/preview/table/amounts.ts";
import { textIn } from "../../../../../lib/client/screens/preview/table/cells.ts";
import {
  LargeTable,
  parseRows,
  sortRows,
  tableOf,
} from "../../../../../lib/client/screens/preview/table/parse_table.ts";
import { encoderOf } from "../../../../../lib/server/files/text/encode.ts";
import { textOf } from "../../../../../lib/client/screens/preview/large_text.ts";

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

/** The head and the notes of a delimited text; letters where it has no head. */
function headOf(text: string): [head: string, notes: string] {
  const { head, notes } = tableOf(parseRows(text, true).rows);
  return [head.join("|"), notes.join("|")];
}

Deno.test("a first line names the delimiter, in any spelling, and is left out", () => {
  const cases = {
    "sep=;\r\nName;Betrag\r\nMiete;1.200,50\r\n": ";",
    "sep=,\nName,Betrag\na,1\n": ",",
    "sep=\t\nName\tBetrag\na\t1\n": "\t",
    "sep=\\t\nName\tBetrag\na\t1\n": "\t",
    "\ufeffSEP=|\rName|Betrag\ra|1\r": "|",
    '"sep=^"\nName^Betrag\na^1\n': "^",
    "sep=;;;\nName;Betrag\na;1\n": ";",
    "sep=:\n\nName:Betrag\na;b:1\n": ":",
    "sep=\u00a6\nName\u00a6Betrag\na,b\u00a61\n": "\u00a6",
  };
  for (const [text, delimiter] of Object.entries(cases)) {
    const { rows, delimiter: found } = parseRows(text, true);
    assert.deepEqual([found, rows[0]], [delimiter, ["Name", "Betrag"]], text);
  }
  assert.equal(headOf("sep=\n")[0], "A");
  assert.equal(headOf("sep=;\n")[0], "");
});

Deno.test("the delimiter is found below lines that have none, and beside decimal commas", () => {
  const title = `A report, with commas\n${"A line of it\n".repeat(12)}Made at noon, today, here\n`;
  const cases = {
    [`${title}Date;Text;Amount\n01.02.2026;Rent;-500,00\n03.02.2026;Pay;2.000,00\n`.repeat(1)]: ";",
    "1,5;2,5\n2,5;3,5\n": ";",
    "a\tb, c\n1\t2, 3\n": "\t",
    "a|b\n1|2\n": "|",
    "a\u001fb\n1\u001f2\n": "\u001f",
    "a,b\n1,2\n": ",",
    "one\ntwo\n": ",",
  };
  for (const [text, delimiter] of Object.entries(cases)) {
    assert.equal(parseRows(text, true).delimiter, delimiter, text);
  }
});

Deno.test("the delimiters of mainframes, of Hive and of other scripts are found", () => {
  for (const delimiter of ["^", "~", "\u0001", "\u060c", "\uff0c"]) {
    const text = ["Name", "a", "b"].map((word) => `${word}${delimiter}x y\n`).join("");
    const { rows, delimiter: found } = parseRows(text, true);
    assert.deepEqual([found, rows[1]], [delimiter, ["a", "x y"]], text);
  }
  assert.equal(parseRows("a,b~c\n1,2~3\n", true).delimiter, ",");
  assert.equal(parseRows("about ~5\n10\n12\n13\n", true).rows.length, 4);
});

Deno.test("a quote that nothing closes is a character, and hides no row below it", () => {
  const cases: Record<string, string[][]> = {
    'id,text,n\n1,"open,5\n2,b,6\n3,c,7\n': [
      ["id", "text", "n"],
      ["1", '"open', "5"],
      ["2", "b", "6"],
      ["3", "c", "7"],
    ],
    'a,b\n"x,1\n2,3': [["a", "b"], ['"x', "1"], ["2", "3"]],
    'a,"b': [["a", "b"]],
    'a,b\n1,"two\nlines"\n': [["a", "b"], ["1", "two\nlines"]],
  };
  for (const [text, rows] of Object.entries(cases)) {
    assert.deepEqual(parseRows(text, true).rows, rows, text);
  }
  const many = `a,b\n${'"x,1\n'.repeat(20_000)}`;
  assert.ok(parseRows(many, true).rows.length > 10);
});

Deno.test("quotes may be escaped by backslashes, or be single ones", () => {
  const cases: Record<string, string[]> = {
    '1,"he said \\"hi\\", ok"\n': ["1", 'he said "hi", ok'],
    "1,'Smith, John','b'\n": ["1", "Smith, John", "b"],
    "1,don't,can't\n": ["1", "don't", "can't"],
    "'tis,the,season\n": ["'tis", "the", "season"],
    '"C:\\dir\\","b"\n': ["C:\\dir\\", "b"],
    '1,"{""a"": ""x\\""y""}"\n': ["1", '{"a": "x\\"y"}'],
  };
  for (const [text, row] of Object.entries(cases)) {
    assert.deepEqual(parseRows(text, true, ",").rows[0], row, text);
  }
});

Deno.test("the head of a table is found: numbers, repeated names, lines above it, or none", () => {
  const cases: [text: string, head: string, notes?: string][] = [
    ["a,b\n1,2\n", "a|b"],
    ["name,city\nAnn,Paris\nBob,Rome\n", "name|city"],
    ["Product,2023,2024,2025\nApples,10,20,30\nPears,5,6,7\n", "Product|2023|2024|2025"],
    [",2023,2024\nApples,10,20\nPears,5,6\n", "|2023|2024"],
    ["2021,2022,2023\n5,6.5,7\n8,1,2\n", "2021|2022|2023"],
    ["Product,2023\nApples,10\nPears,5\n", "Product|2023"],
    ["Country,1990,2000,Unit\nA,5,6,kg\nB,1999,8,kg\nC,4,5,kg\n", "Country|1990|2000|Unit"],
    [
      "Name,1,2,3,4,5,6,7,8,9,10,11,12\nx,3,4,5,1,1,1,1,2,2,2,2,2\ny,1,1,1,1,1,1,1,1,1,1,1,1\n",
      "Name|1|2|3|4|5|6|7|8|9|10|11|12",
    ],
    ["0,1,2\n5.5,6,7\n8,3,1\n", "0|1|2"],
    ["Name,Value,Value\nx,1,2\ny,3,4\n", "Name|Value|Value"],
    ["Date,Amount,Date,Amount\n2026-01-02,5,2026-01-03,6\n", "Date|Amount|Date|Amount"],
    ["Name,Tag,Tag\nx,red,blue\ny,green,red\n", "Name|Tag|Tag"],
    ["Name,2024-01-01,2024-02-01\nx,5,6\ny,7,8\n", "Name|2024-01-01|2024-02-01"],
    ["Room,101,102\nMon,free,busy\nTue,busy,free\n", "Room|101|102"],
    ["1,b\n2,c\n", "A|B"],
    ["1,2,3\n4,5,6\n7,8,9\n", "A|B|C"],
    ["Apples,10\nPears,5\n", "A|B"],
    ["2026-01-01,5\n2026-01-02,6\n", "A|B"],
    ["Ann,34,Paris\nBob,n/a,Rome\nCyd,12,Oslo\n", "A|B|C"],
    ["yes,no\nyes,yes\nno,no\n", "A|B"],
    ["alone\n", "A"],
    ["a,b\n1,2,extra\n", "a|b|C"],
    ["name,note\nx,one, two, three\ny,four\nz,five\n", "name|note|C|D"],
    [
      "Bank export 2026\nAccount: 123\n\nDate;Text;Amount\n01.02.2026;Rent;-500,00\n03.02.2026;Pay;2.000,00\n",
      "Date|Text|Amount",
      "Bank export 2026|Account: 123",
    ],
    [
      "Report,,\nFrom,2026,\nName,Value,Unit\nx,1,kg\ny,2,kg\n",
      "Name|Value|Unit",
      "Report|From 2026",
    ],
    ["Sales\nProduct,2023,2024\nApples,10,20\nPears,5,6\n", "Product|2023|2024", "Sales"],
    [
      `${"A long title\n".repeat(9)}Name;Value\nx;1\ny;2\n`,
      "Name|Value",
      Array(9).fill("A long title").join("|"),
    ],
    [
      "# made by a program\n# at noon\nx,y,z\n1,2,3\n4,5,7\n",
      "x|y|z",
      "# made by a program|# at noon",
    ],
  ];
  for (const [text, head, notes = ""] of cases) assert.deepEqual(headOf(text), [head, notes], text);
});

Deno.test("all cells are shown: there are as many columns as in the widest row", () => {
  const { head, rows } = tableOf(parseRows("a,b\n1,2\n1,2,3,4\n5\n", true).rows);
  assert.deepEqual(head, ["a", "b", "C", "D"]);
  assert.deepEqual(rows, [["1", "2"], ["1", "2", "3", "4"], ["5"]]);
  const wide = tableOf([Array.from({ length: 28 }, () => "1")]);
  assert.deepEqual(wide.head.slice(25), ["Z", "AA", "AB"]);
});

/** A column in the order in which it is sorted. */
function sorted(...cells: string[]): string[] {
  return sortRows(cells.map((cell) => [cell]), 0, true, "en").map(([cell]) => textIn(cell));
}

Deno.test("amounts are sorted by value, in the notation of their column", () => {
  const columns = [
    ["12", "999", "1,234", "12,345", "1,234,567"],
    ["9", "80,00", "1.200,50", "1.234.567"],
    ["5", "1.000", "2.500"],
    ["0.512", "1.234", "12.001", "1000"],
    ["-500,00", "0,5", "2.000,00"],
    ["$9.99", "$10", "$1,200.50"],
    ["9,99 \u20ac", "1.200 \u20ac", "1.200,50 \u20ac", "3.000 \u20ac"],
    ["\u20ac 5", "EUR 7,50", "EUR 1.000,00"],
    ["1 234,50", "12 345,00", "1 234 567,10"],
    ["1\u00a0234,50", "12\u202f345,00"],
    ["999.00", "1'234.50", "12\u20191234.50".replace("1234", "345")],
    ["CHF 9.50", "CHF 1'200.00"],
    ["(123.45)", "-$5", "0", "$5"],
    ["($1,200.00)", "$(5.00)", "- $4", "$-3", "2-", "1"].map((cell) => cell).slice(0, 5),
    ["\u2212300", "\u22125,5", "4,5"],
    ["2 %", "12 %", "99.5%", "100%"],
    ["1.5E-10", "1e3", "2.5e+03", "1E6"],
    ["1,5E-3", "2,0E2"],
    ["99,999", "1,00,000", "12,34,567.50"],
    ["12 k\u010d".replace("k\u010d", "K\u010d"), "1 200 K\u010d"],
    ["R$ 9,90", "R$ 1.234,56"],
    ["5 kr", "1 000 kr", "2 000,50 kr."],
    ["\u0663", "\u0661\u0662\u066b\u0665", "\u0661\u066c\u0660\u0660\u0660"],
    ["\uff15", "\uff11\uff12"],
    [".5", "0.75", "1"],
    ["007", "12", "0100"],
    ["USD 1", "$2", "US$3"],
  ];
  for (const column of columns) {
    assert.deepEqual(sorted(...column.toReversed()), column, column.join(" | "));
  }
});

Deno.test("numbers come before texts, texts by the language, and empty cells last", () => {
  assert.deepEqual(sorted("", "n/a", "10", "b", "9", "A1"), ["9", "10", "A1", "b", "n/a", ""]);
  assert.deepEqual(sorted("v10", "v9"), ["v9", "v10"]);
});

Deno.test("what only looks like a number is a text", () => {
  const read = amountReader([]);
  const texts = [
    "",
    "2024-01-11",
    "1.2.3",
    "x1",
    "12 34",
    "1,2,3",
    "10.0.0.1",
    "1-2",
    "--5",
    "5 apples",
    "ABC 5",
    "1e",
    "%",
    "12:30",
    "0x1f",
    "1/2",
    "()",
    "1.234,567.8",
    "9".repeat(100),
  ];
  for (const text of texts) assert.equal(read(text), null, text);
  assert.deepEqual(["7", "-1.5", "1,5", "+3"].map(read), [7, -1.5, 1.5, 3]);
});

Deno.test("any text is read as a number or not, in short time", () => {
  fc.assert(fc.property(fc.array(fc.string({ unit: "binary", maxLength: 80 })), (cells) => {
    const read = amountReader(cells);
    for (const cell of cells) assert.ok(read(cell) === null || Number.isFinite(read(cell)));
  }));
  const read = amountReader([]);
  for (const text of ["1'".repeat(30), "(".repeat(64), "1 ".repeat(32), ",".repeat(64)]) {
    assert.equal(read(text), null);
  }
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
  const table = new LargeTable(bytes.length, "utf-8", (from, to) => {
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
  const table = new LargeTable(3, "utf-8", () => Promise.resolve(bytes));
  await table.more();
  assert.deepEqual([table.isFailed.value, table.table.value], [true, null]);
  bytes = new TextEncoder().encode("a,b");
  await table.more();
  assert.deepEqual([table.isFailed.value, table.table.value?.rows], [false, [["a", "b"]]]);
});

Deno.test("LargeTable reads each encoding, and a first line that names the delimiter", async () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `Gr\u00f6\u00dfe ${index};1.200,50`);
  for (const encoding of ["windows-1252", "utf-16le", "gb18030"]) {
    const known = lines.map((line) =>
      encoding === "gb18030" ? line.replace(/[\u00f6\u00df]/g, "\u5927") : line
    );
    const bytes = encoderOf(encoding, "")(`sep=;\r\nName;Betrag\r\n${known.join("\r\n")}\r\n`);
    const table = new LargeTable(
      bytes.length,
      encoding,
      (from, to) => Promise.resolve(bytes.subarray(from, to)),
    );
    while (table.at.value < bytes.length) await table.more();
    assert.deepEqual(table.table.value?.head, ["Name", "Betrag"], encoding);
    assert.deepEqual(table.table.value?.rows.map(([name]) => `${textIn(name)};1.200,50`), known);
  }
});

Deno.test("a row without an end, a row of a million cells and millions of rows take bounded memory", async () => {
  const part = new Uint8Array(2 ** 20).fill(0x78);
  const endless = new LargeTable(40 * 2 ** 20, "utf-8", (from) => {
    const bytes = part.slice();
    if (from === 0) bytes[0] = 0x22;
    return Promise.resolve(bytes);
  });
  const begun = performance.now();
  while (endless.at.value < 40 * 2 ** 20) await endless.more();
  assert.ok(performance.now() - begun < 20_000);
  const rows = endless.table.value?.rows ?? [];
  assert.ok(rows.length <= 10 && rows.every(([cell]) => textIn(cell).length <= 2_000));
  assert.equal(parseRows(",".repeat(1_000_000), true).rows[0]?.length, 256);
  assert.ok(parseRows("a\n".repeat(1_000_000), true).rows.length <= 500_001);
});

Deno.test("textOf() reads the encoding that it is told, without a mark, and shows NUL", () => {
  assert.equal(textOf(Uint8Array.of(0x5a, 0x6f, 0xeb), "windows-1252"), "Zo\u00eb");
  assert.equal(textOf(Uint8Array.of(0xff, 0xfe, 0x41, 0), "utf-16le"), "A");
  assert.equal(textOf(Uint8Array.of(0x61, 0, 0x81), "cp437"), "a\u2400\u00fc");
});
