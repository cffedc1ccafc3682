import assert from "node:assert/strict";
import { readWorkbook } from "../../../lib/client/screens/preview/documents/office.ts";
import { textIn } from "../../../lib/client/screens/preview/table/cells.ts";
import {
  parseRows,
  sortRows,
  type Table,
  tableOf,
} from "../../../lib/client/screens/preview/table/parse_table.ts";
import { markOf } from "../../../lib/server/files/text/format.ts";
import { unzipSync, zipSync } from "fflate";
import { encoded, joined } from "../../support/data/bytes.ts";
import { workbookOf } from "../../support/data/documents.ts";
import { type ReportScene, reportTests } from "../../support/server/reports.ts";

/** The table as which a delimited text is shown. */
async function tableIn({ resource }: ReportScene, name: string): Promise<Table> {
  const { content } = await resource(name);
  assert.ok(content !== undefined, name);
  return tableOf(parseRows(content, true).rows);
}

/** The texts of a column, in the order of their values. */
function sorted({ rows }: Pick<Table, "rows">, column: number): string[] {
  return sortRows(rows, column, true, "en").map((row) => textIn(row[column]));
}

/** The sheets of a workbook as they are shown. */
async function sheetsIn({ bytes }: ReportScene, name: string) {
  return readWorkbook(await bytes(name), "en").map(({ name, table }) => ({ name, table: table() }));
}

/** A workbook whose parts have other names. */
function repacked(rename: (name: string) => string): Uint8Array {
  const row = [{ value: 0.3541666666666667, format: "h:mm" }, { value: 0.25, format: 9 }];
  const parts = unzipSync(workbookOf({ sheets: { A: [["In", "Rate"], row] } }));
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, content]) => [rename(name), content])),
  );
}

const chinese = "这是一段普通的中文文字，用来检查文件的编码。\r\n";

/** A table of one column of amounts or dates. */
const columnOf = (...cells: string[]) =>
  `n;v\n${cells.map((cell, index) => `${index};"${cell}"\n`).join("")}`;

/** Columns as they are sorted, by the names of their files. */
const orders: Record<string, string[]> = {
  "lakh": ["₹500", "₹99,999.00", "₹1,23,456.00", "₹12,34,567.50"],
  "kanji": ["999円", "1,234円", "12,345円"],
  "won": ["900원", "1,200원", "10,000원"],
  "no cents": ["CHF 99.–", "CHF 1'234.–", "CHF 12'000.–"],
  "dash": ["9,-", "1.234,-", "12.000,-"],
  "debits": ["1,234.00 DR", "99.00 CR", "500.00 CR"],
  "narrow spaces": ["99,10", "1\u202f234,56", "12\u202f000,00"],
  "krona": ["99,00 kr", "1 234,50 kr", "12 000,00 kr"],
  "reals": ["R$ 99,10", "R$ 1.234,56", "R$ 12.000,00"],
  "minus behind": ["1.234,00-", "5,00-", "99,00"],
  "arabic": ["١٢", "٩٩", "١٬٢٣٤"],
  "days with points": ["03.12.2025", "15.01.2026", "01.02.2026"],
  "days in America": ["10/1/2025", "12/31/2025", "1/2/2026"],
  "days in Britain": ["13/12/2025", "01/02/2026", "02/02/2026"],
  "stamps": ["1/1/2026 11:00 PM", "1/2/2026 9:00 AM", "1/2/2026 1:00 PM"],
  "months": ["10 Oct 2025", "31 Dec 2025", "2 Jan 2026"],
  "months first": ["Oct 10, 2025", "Dec 31, 2025", "Jan 2, 2026"],
  "versions": ["1.2.9", "1.2.10", "1.10.0"],
  "addresses": ["9.1.1.1", "10.0.0.2", "10.0.0.10"],
};

/** Heads of tables, with the lines above them, by the text of the file. */
const heads: [text: string, head: string[], notes: string[]][] = [
  ["Country,2024,2023,2022\nDE,1,2,3\nFR,3,4,5\n", ["Country", "2024", "2023", "2022"], []],
  [
    '"EXTF";700;21;"Buchungen"\nUmsatz;Soll;Konto;Text\n100,00;S;1200;"Miete"\n20,5;H;1200;"x"\n',
    ["Umsatz", "Soll", "Konto", "Text"],
    ["EXTF 700 21 Buchungen"],
  ],
  [
    "Report for Smith, Jones, and Co\nMade on Jan 1, 2026\nid,name,amount\n1,a,2\n2,b,3\n",
    ["id", "name", "amount"],
    ["Report for Smith  Jones  and Co", "Made on Jan 1  2026"],
  ],
  ["time,speed\n(s),(m/s)\n0,1\n1,2\n", ["time", "speed"], []],
  ["# made 2026\n# metres\ntime,x\n0,1\n1,2\n", ["time", "x"], ["# made 2026", "# metres"]],
  ["2024-01-01,1\n2024-01-02,3\n", ["A", "B"], []],
  ['n, v\na, "1,234"\nb, "99"\n', ["n", "v"], []],
  ["a,b\r\r\n1,2\r\r\n3,4\r\n5,6\n", ["a", "b"], []],
  ["sep = ;\na;b\n1;2\n", ["a", "b"], []],
  ['\r\n"sep=;"\r\na;b\r\n1;2\r\n', ["a", "b"], []],
];

await reportTests([
  {
    id: "R54",
    source: "filebrowser#5594, stablyai/orca#19893",
    holds: "a CSV with semicolons and decimal commas has its columns, sorted by value",
    tree: { "a.csv": "Name;Betrag\nMiete;1200,50\nStrom;80,00\nGas;9,5\n" },
    async check(scene) {
      const table = await tableIn(scene, "a.csv");
      assert.deepEqual(table.head, ["Name", "Betrag"]);
      assert.deepEqual(sorted(table, 1), ["9,5", "80,00", "1200,50"]);
    },
  },
  {
    id: "R55",
    source: "filebrowser#5670",
    holds: "the letters of a CSV are read in the encoding that it has",
    tree: {
      "latin.csv": encoded("windows-1252", "Stadt,Größe\nKöln,5\nDüsseldorf,6\n"),
      "wide.csv": joined(markOf("utf-16le"), encoded("utf-16le", "Stadt,Größe\nKöln,5\n")),
      "chinese.csv": encoded("gb18030", `名字,说明\n一,${chinese}`),
    },
    async check(scene) {
      assert.deepEqual((await tableIn(scene, "latin.csv")).head, ["Stadt", "Größe"]);
      assert.deepEqual((await tableIn(scene, "wide.csv")).rows, [["Köln", "5"]]);
      assert.deepEqual((await tableIn(scene, "chinese.csv")).head, ["名字", "说明"]);
    },
  },
  {
    id: "R56",
    source: "filebrowser#5952, #5768",
    holds: "all cells of longer rows are shown, and the head below the lines of an export",
    tree: {
      "long.csv": "a,b\n1,2\n3,4,5,6\n7\n",
      "bank.csv": "Bank export 2026\nAccount: 123\n\nDate;Text;Amount\n" +
        "01.02.2026;Rent;-500,00\n03.02.2026;Pay;2.000,00\n",
    },
    async check(scene) {
      const long = await tableIn(scene, "long.csv");
      assert.deepEqual([long.head.length, long.rows[1]], [4, ["3", "4", "5", "6"]]);
      const { head, rows, notes } = await tableIn(scene, "bank.csv");
      assert.deepEqual(head, ["Date", "Text", "Amount"]);
      assert.deepEqual([rows.length, notes], [2, ["Bank export 2026", "Account: 123"]]);
    },
  },
  {
    id: "R57",
    source: "PapaParse#951, PowerShell#7776, vscode_rainbow_csv#108",
    holds: "a line sep= names the delimiter, and is not shown",
    tree: Object.fromEntries(
      [";", ",", "\t", "|", "^"].flatMap((delimiter, index) => {
        const text = `sep=${delimiter}\r\nName${delimiter}Betrag\r\nMiete${delimiter}1\r\n`;
        return [
          [`${index}.csv`, text],
          [`${index}-mark.csv`, `\ufeff${text}`],
          [`${index}-wide.csv`, joined(markOf("utf-16le"), encoded("utf-16le", text))],
        ];
      }),
    ),
    async check(scene) {
      for (let index = 0; index < 5; index++) {
        for (const kind of ["", "-mark", "-wide"]) {
          const { head, rows } = await tableIn(scene, `${index}${kind}.csv`);
          assert.deepEqual([head, rows], [["Name", "Betrag"], [["Miete", "1"]]], `${index}${kind}`);
        }
      }
    },
  },
  {
    id: "R58",
    source: "geoda#390, jupyterlab#2937, dataverse-previewers#20",
    holds: "years and repeated names are the head of a table, in CSV and XLSX",
    tree: {
      "years.csv": "Product,2023,2024\nApples,10,20\nPears,5,6\n",
      "twice.tsv": "Name\tValue\tValue\nx\t1\t2\ny\t3\t4\n",
      "months.csv": "Name,1,2,3\nx,9,4,5\ny,1,1,1\n",
      "none.csv": "Apples,10\nPears,5\n",
      "years.xlsx": workbookOf({
        sheets: { A: [["Product", 2023, 2024], ["Apples", 10, 20], ["Pears", 5, 6]] },
      }),
    },
    async check(scene) {
      assert.deepEqual((await tableIn(scene, "years.csv")).head, ["Product", "2023", "2024"]);
      assert.deepEqual((await tableIn(scene, "twice.tsv")).head, ["Name", "Value", "Value"]);
      assert.deepEqual((await tableIn(scene, "months.csv")).head, ["Name", "1", "2", "3"]);
      assert.deepEqual((await tableIn(scene, "none.csv")).head, ["A", "B"]);
      const [sheet] = await sheetsIn(scene, "years.xlsx");
      assert.deepEqual([sheet?.table.head, sheet?.table.rows.length], [
        ["Product", "2023", "2024"],
        2,
      ]);
    },
  },
  {
    id: "R59",
    source: "met beside filebrowser#5594",
    holds: "amounts are sorted by value, with thousands and currencies in either notation",
    tree: {
      "us.csv": 'Item,Amount\nA,"1,234"\nB,999\nC,"12,345"\nD,"1,234,567"\nE,12\n',
      "dollars.csv": 'Item,Price\nA,"$1,200.50"\nB,$9.99\nC,-$5\nD,($123.45)\n',
      "euros.csv": "Item;Preis\nA;1.200,50 €\nB;9,99 €\nC;1.234 €\n",
      "swiss.csv": "Item;Preis\nA;1'234.50\nB;99.00\n",
    },
    async check(scene) {
      const order = async (name: string) => sorted(await tableIn(scene, name), 1);
      assert.deepEqual(await order("us.csv"), ["12", "999", "1,234", "12,345", "1,234,567"]);
      assert.deepEqual(await order("dollars.csv"), ["($123.45)", "-$5", "$9.99", "$1,200.50"]);
      assert.deepEqual(await order("euros.csv"), ["9,99 €", "1.200,50 €", "1.234 €"]);
      assert.deepEqual(await order("swiss.csv"), ["99.00", "1'234.50"]);
    },
  },
  {
    id: "R59-columns",
    source: "further inputs beside R59",
    holds: "a column is sorted by value in the notation of its cells, dates included",
    tree: Object.fromEntries(
      Object.entries(orders).map(([name, cells]) => [
        `${name}.csv`,
        columnOf(...cells.slice(1), ...cells.slice(0, 1)),
      ]),
    ),
    async check(scene) {
      for (const [name, cells] of Object.entries(orders)) {
        assert.deepEqual(sorted(await tableIn(scene, `${name}.csv`), 1), cells, name);
      }
    },
  },
  {
    id: "R56-heads",
    source: "further inputs beside R56, R57 and R58",
    holds: "the head is found below the data and sentences of an export, and quotes behind spaces",
    tree: {
      ...Object.fromEntries(heads.map(([text], index) => [`${index}.csv`, text])),
      "guarded.csv": 'n,v\na,="00123"\n',
    },
    async check(scene) {
      for (const [index, [, head, notes]] of heads.entries()) {
        const table = await tableIn(scene, `${index}.csv`);
        assert.deepEqual([table.head, table.notes], [head, notes], String(index));
        assert.ok(table.rows.every(({ length }) => length === head.length), String(index));
      }
      assert.deepEqual((await tableIn(scene, "guarded.csv")).rows, [["a", "00123"]]);
    },
  },
  {
    id: "R60",
    source: "read-excel-file#70, #83, xlsx-format#73, XLSX.jl#68",
    holds: "times, durations, stamps and percents of a workbook are as Excel shows them",
    tree: {
      "hours.xlsx": workbookOf({
        sheets: {
          Hours: [
            ["Day", "In", "Hours", "Stamp", "Rate"],
            [
              { value: 46027, format: "yyyy-mm-dd" },
              { value: 0.3541666666666667, format: "hh:mm" },
              { value: 1.322916666666667, format: "[h]:mm" },
              { value: 46027.60416666666, format: "yyyy-mm-dd h:mm" },
              { value: 0.25, format: 9 },
            ],
          ],
        },
      }),
    },
    async check(scene) {
      const [sheet] = await sheetsIn(scene, "hours.xlsx");
      assert.deepEqual(sheet?.table.rows[0]?.map(textIn), [
        "2026-01-05",
        "08:30",
        "31:45",
        "2026-01-05 14:30",
        "25%",
      ]);
    },
  },
  {
    id: "R60-parts",
    source: "further inputs beside R60",
    holds: "a workbook is read with parts in another case or behind backslashes, and from 1904",
    tree: {
      "case.xlsx": repacked((name) => name.replace("worksheets", "Worksheets")),
      "backslash.xlsx": repacked((name) => name.replaceAll("/", "\\")),
      "mac.xlsx": workbookOf({
        sheets: {
          A: [[{ value: 1.25, format: "[h]:mm" }, { value: 44565, format: "yyyy-mm-dd" }]],
        },
        isFrom1904: true,
      }),
    },
    async check(scene) {
      for (const name of ["case.xlsx", "backslash.xlsx"]) {
        const [sheet] = await sheetsIn(scene, name);
        assert.deepEqual(sheet?.table.rows[0]?.map(textIn), ["8:30", "25%"], name);
      }
      const [mac] = await sheetsIn(scene, "mac.xlsx");
      assert.deepEqual(mac?.table.rows[0]?.map(textIn), ["30:00", "2026-01-05"]);
    },
  },
  {
    id: "R61",
    source: "vue-files-preview#156",
    holds: "a date is the same day everywhere",
    tree: {
      "days.xlsx": workbookOf({
        sheets: { A: [[{ value: 45292, format: 14 }], [{ value: 45657, format: 14 }]] },
      }),
      "old.xlsx": workbookOf({ sheets: { A: [[{ value: 43830, format: 14 }]] }, isFrom1904: true }),
    },
    async check(scene) {
      const [days] = await sheetsIn(scene, "days.xlsx");
      assert.deepEqual(days?.table.rows.flat().map(textIn), ["Jan 1, 2024", "Dec 31, 2024"]);
      const [old] = await sheetsIn(scene, "old.xlsx");
      assert.deepEqual(old?.table.rows.flat().map(textIn), ["Jan 1, 2024"]);
    },
  },
]);
