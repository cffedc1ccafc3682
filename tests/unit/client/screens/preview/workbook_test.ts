import assert from "node:assert/strict";
import { readWorkbook } from "../../../../../lib/client/screens/preview/documents/office.ts";
import { sortRows } from "../../../../../lib/client/screens/preview/table/parse_table.ts";
import { textIn } from "../../../../../lib/client/screens/preview/table/cells.ts";
import {
  type WorkbookCell,
  workbookOf,
  type WorkbookOptions,
} from "../../../../support/data/documents.ts";
import { zipOf } from "../../../../support/data/hostile_archives.ts";

/** The texts of all cells of the first sheet, its head included. */
function cellsOf(options: WorkbookOptions, language = "en"): string[][] {
  const [sheet] = readWorkbook(workbookOf(options), language);
  const { notes, head, rows } = sheet?.table() ?? { notes: [], head: [], rows: [] };
  assert.deepEqual(notes, []);
  return [[...head], ...rows.map((row) => row.map(textIn))];
}

/** How a number is shown in a format. */
function shown(value: number, format: string | number, more: Partial<WorkbookOptions> = {}) {
  const cell: WorkbookCell = { value, format };
  return cellsOf({ sheets: { A: [[cell]] }, ...more })[1]?.[0];
}

Deno.test("numbers are shown in the formats of their cells", () => {
  const cases: [value: number, format: string | number, shown: string][] = [
    [0.3541666666666667, 20, "8:30"],
    [0.3541666666666667, "hh:mm", "08:30"],
    [0.71875, 18, "5:15 PM"],
    [0.71875, 21, "17:15:00"],
    [1.322916666666667, "[h]:mm", "31:45"],
    [2.5, 46, "60:00:00"],
    [0.0625, "[mm]:ss", "90:00"],
    [0.000752314814814, 45, "01:05"],
    [46027.60416666666, "yyyy-mm-dd h:mm", "2026-01-05 14:30"],
    [46027.60416666666, "dd.mm.yyyy hh:mm:ss", "05.01.2026 14:30:00"],
    [46027, 15, "5-Jan-26"],
    [46027, 17, "Jan-26"],
    [46027, "[$-407]d. mmmm yyyy", "5. Januar 2026"],
    [0.25, 9, "25%"],
    [0.1234, 10, "12.34%"],
    [1234.5, 4, "1,234.50"],
    [-1234.5, 39, "(1,234.50)"],
    [1234.5, '"$"#,##0.00', "$1,234.50"],
    [1234.5, "#,##0.00\\ [$€-407]", "1.234,50 €"],
    [-5, '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', "$(5.00)"],
    [0.75, 12, "3/4"],
    [1.5, "# ?/?", "1 1/2"],
    [12345, 11, "1.23E+04"],
    [0.1 + 0.2, 0, "0.3"],
    [1.234567890123457e17, 0, "1.23457E+17"],
    [7, "000", "007"],
    [7, '0 "kg"', "7 kg"],
    [7, "[Red][<10]0;[Blue]0.0", "7"],
    [5, ";;;", ""],
    [5, "this is [no format", "5"],
  ];
  for (const [value, format, expected] of cases) {
    assert.equal(shown(value, format)?.replace(/\u00a0/g, " "), expected, `${value} ${format}`);
  }
});

Deno.test("dates of the system are written as the reader's country does, on the right day", () => {
  assert.equal(shown(46027, 14), "Jan 5, 2026");
  assert.match(shown(46027.60416666666, 22) ?? "", /^Jan 5, 2026, 2:30\sPM$/);
  assert.equal(shown(44565, 14, { isFrom1904: true }), "Jan 5, 2026");
  assert.equal(shown(44565.5, "yyyy-mm-dd h:mm", { isFrom1904: true }), "2026-01-05 12:00");
  const german = cellsOf({ sheets: { A: [[{ value: 46027, format: 14 }]] } }, "de");
  assert.equal(german[1]?.[0], "05.01.2026");
});

Deno.test("texts, booleans, errors, formulas and ISO dates are shown", () => {
  const strings = [
    "<t>plain &amp; simple</t>",
    "<r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r>",
    "<t>東京</t><rPh sb='0' eb='2'><t>トウキョウ</t></rPh>",
    "<t>two_x000D_lines</t>",
  ];
  const xml = (cell: string) => ({ xml: cell });
  const rows = cellsOf({
    strings,
    sheets: {
      A: [
        ["Name", "Value"],
        [xml('<c t="s"><v>0</v></c>'), xml('<c t="b"><v>1</v></c>')],
        [xml('<c t="s"><v>1</v></c>'), xml('<c t="b"><v>0</v></c>')],
        [xml('<c t="s"><v>2</v></c>'), xml('<c t="e"><v>#DIV/0!</v></c>')],
        [xml('<c t="s"><v>3</v></c>'), xml('<c t="str"><f>A1&amp;"x"</f><v>Namex</v></c>')],
        ["inline", xml('<c t="d"><v>2026-01-05</v></c>')],
        [xml('<c t="s"><v>99</v></c>'), xml("<c><f>1+1</f><v>2</v></c>")],
      ],
    },
  });
  assert.deepEqual(rows.slice(1), [
    ["plain & simple", "TRUE"],
    ["rich text", "FALSE"],
    ["東京", "#DIV/0!"],
    ["two\rlines", "Namex"],
    ["inline", "Jan 5, 2026"],
    ["", "2"],
  ]);
});

Deno.test("cells are sorted by their values, not by their texts", () => {
  const date = (value: number) => ({ value, format: "d-mmm-yy" });
  const euro = (value: number) => ({ value, format: "#,##0.00\\ [$€-407]" });
  const [sheet] = readWorkbook(
    workbookOf({
      sheets: {
        A: [
          ["Day", "Amount"],
          [date(46027), euro(1200.5)],
          [date(46000), euro(9.99)],
          [date(46300), euro(-5)],
        ],
      },
    }),
    "en",
  );
  const { rows } = sheet?.table() ?? { rows: [] };
  const order = (column: number) =>
    sortRows(rows, column, true, "en").map((row) => textIn(row[column]));
  assert.deepEqual(order(0), ["9-Dec-25", "5-Jan-26", "5-Oct-26"]);
  assert.deepEqual(order(1), ["-5,00 €", "9,99 €", "1.200,50 €"]);
});

Deno.test("hidden sheets are left out, unless all are", () => {
  const sheets = { Shown: [["a"]], Secret: [["b"]], Last: [["c"]] };
  const names = (hidden: string[]) =>
    readWorkbook(workbookOf({ sheets, hidden }), "en").map(({ name }) => name);
  assert.deepEqual(names(["Secret"]), ["Shown", "Last"]);
  assert.deepEqual(names(["Shown", "Secret", "Last"]), ["Shown", "Secret", "Last"]);
});

Deno.test("hidden rows and columns are left out and counted, and the letters of others stay", () => {
  const cell = (place: string) => `<c r="${place}"><v>1</v></c>`;
  const row = (number: number, columns: string, more = "") =>
    `<row r="${number}"${more}>${[...columns].map((column) => cell(`${column}${number}`))}</row>`;
  const table = withSheet(
    `<worksheet><cols><col min="2" max="3" hidden="1"/><col min="5" max="5" hidden="true"/>` +
      `<col min="7" max="16384" hidden="1"/></cols><sheetData>${row(1, "ABD")}` +
      `${row(2, "ABD", ' hidden="1"')}<row r="3" hidden="1"/>${row(4, "ACF")}${row(5, "A")}` +
      "</sheetData></worksheet>",
  );
  assert.deepEqual(table?.head, ["A", "D", "F"]);
  assert.deepEqual(table?.rows.map((row) => row.map(textIn)), [["1", "1"], ["1", "", "1"], ["1"]]);
  assert.deepEqual(table?.hidden, { rows: 1, columns: 2 });
  const plain = withSheet(`<worksheet><sheetData>${row(1, "AB")}</sheetData></worksheet>`);
  assert.deepEqual(plain?.hidden, { rows: 0, columns: 0 });
});

Deno.test("titles above a table, merged cells and gaps are no columns or rows", () => {
  const empty = { xml: "<c/>" };
  const [sheet] = readWorkbook(
    workbookOf({
      sheets: {
        A: [
          ["Sales of the year", empty, empty],
          [],
          ["Product", 2023, 2024],
          ["Apples", 10, 20],
          [],
          ["Pears", empty, 7],
        ],
      },
    }),
    "en",
  );
  const { notes = [], head = [], rows = [] } = sheet?.table() ?? {};
  assert.deepEqual([notes, head], [["Sales of the year"], ["Product", "2023", "2024"]]);
  assert.deepEqual(rows.map((row) => row.map(textIn)), [["Apples", "10", "20"], [
    "Pears",
    "",
    "7",
  ]]);
});

Deno.test("a workbook of other programs is read: prefixes, UTF-16, cells without names", () => {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const office = "http://purl.oclc.org/ooxml/officeDocument/relationships";
  const wide = (text: string) => {
    const bytes = new Uint8Array(2 + text.length * 2);
    bytes.set([0xff, 0xfe]);
    for (let index = 0; index < text.length; index++) {
      bytes[2 + 2 * index] = text.charCodeAt(index) & 0xff;
      bytes[3 + 2 * index] = text.charCodeAt(index) >> 8;
    }
    return bytes;
  };
  const bytes = zipOf([
    {
      name: "_rels/.rels",
      content:
        `<Relationships><Relationship Id="a" Type="${office}/officeDocument" Target="/book/w.xml"/></Relationships>`,
    },
    {
      name: "book/w.xml",
      content:
        `<x:workbook xmlns:x="${main}" xmlns:q="${office}"><x:sheets><x:sheet name="One" q:id="s1"/></x:sheets></x:workbook>`,
    },
    {
      name: "book/_rels/w.xml.rels",
      content:
        `<Relationships><Relationship Id="s1" Type="${office}/worksheet" Target="../book/s.xml"/></Relationships>`,
    },
    {
      name: "book/s.xml",
      content: wide(
        `<?xml version="1.0" encoding="UTF-16"?><x:worksheet xmlns:x="${main}"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>日本</x:t></x:is></x:c><x:c><x:v>5</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
      ),
    },
  ]);
  const [sheet] = readWorkbook(bytes, "en");
  assert.deepEqual(sheet?.table().rows.map((row) => row.map(textIn)), [["日本", "5"]]);
});

/** A workbook whose only sheet is this XML. */
function withSheet(xml: string) {
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return readWorkbook(
    zipOf([
      {
        name: "xl/workbook.xml",
        content:
          `<workbook xmlns:r="${office}"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>`,
      },
      {
        name: "xl/_rels/workbook.xml.rels",
        content:
          `<Relationships><Relationship Id="r1" Type="${office}/worksheet" Target="s.xml"/></Relationships>`,
      },
      { name: "xl/s.xml", content: xml },
    ]),
    "en",
  )[0]?.table();
}

Deno.test("hostile sheets are read as far as they go, in bounded memory", () => {
  const cell = (place: string) => `<c r="${place}"><v>1</v></c>`;
  const cut = withSheet(`<worksheet><sheetData><row>${cell("A1")}</row><row>${cell("A2")}<c r="B2`);
  assert.equal(cut?.rows.length, 2);
  const far = withSheet(
    `<worksheet><sheetData><row r="1048576">${cell("A1048576")}${cell("XFD1")}${cell("ZZZZZ9")}` +
      "</row></sheetData></worksheet>",
  );
  assert.deepEqual(far?.rows.map(({ length }) => length), [1]);
  const many = withSheet(
    `<worksheet><sheetData>${`<row>${cell("A1")}</row>`.repeat(60_000)}</sheetData></worksheet>`,
  );
  assert.equal(many?.rows.length, 50_000);
  const wide = withSheet(
    `<worksheet><sheetData>${`<row>${cell("IV1")}</row>`.repeat(20_000)}</sheetData></worksheet>`,
  );
  assert.ok((wide?.rows.length ?? 0) < 10_000);
  const long = withSheet(
    `<worksheet><sheetData><row><c t="inlineStr"><is><t>${
      "x".repeat(1_000_000)
    }</t></is></c></row>` +
      "</sheetData></worksheet>",
  );
  assert.equal(textIn(long?.rows[0]?.[0]).length, 2_000);
  const entities = withSheet(
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><worksheet><sheetData><row>' +
      `${cell("A1")}<c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>`,
  );
  assert.ok(!JSON.stringify(entities).includes("aaa"));
  assert.deepEqual(withSheet("no XML at all")?.rows, []);
});

Deno.test("what is no workbook is refused", () => {
  assert.throws(() => readWorkbook(new TextEncoder().encode("no zip"), "en"));
  assert.throws(() => readWorkbook(zipOf([{ name: "a", content: "b" }]), "en"), /no sheets/);
});

Deno.test("a large sheet is read in steps: its first rows at once, then all of it", () => {
  const rows = Array.from({ length: 8_000 }, (_, row) => [`row ${row}`, row, row / 2]);
  const [sheet] = readWorkbook(workbookOf({ sheets: { A: [["Name", "A", "B"], ...rows] } }), "en");
  const tables = [...sheet?.steps() ?? []].filter((table) => table !== null);
  const [first, whole] = tables;
  assert.equal(tables.length, 2);
  assert.ok(first && first.rows.length > 100 && first.rows.length < 4_000);
  assert.deepEqual([first.head, first.rows[0]], [whole?.head, whole?.rows[0]]);
  assert.equal(whole?.rows.length, 8_000);
  assert.equal(sheet?.table(), whole);
});
