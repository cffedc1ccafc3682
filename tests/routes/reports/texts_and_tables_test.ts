import assert from "node:assert/strict";
import { join } from "node:path";
import { Text } from "@codemirror/state";
import { charactersOf, versionOf } from "../../../lib/client/screens/editor/text_version.ts";
import { readWorkbook } from "../../../lib/client/screens/preview/documents/office.ts";
import { LargeText } from "../../../lib/client/screens/preview/large_text.ts";
import { textIn } from "../../../lib/client/screens/preview/table/cells.ts";
import {
  LargeTable,
  parseRows,
  sortRows,
  type Table,
  tableOf,
} from "../../../lib/client/screens/preview/table/parse_table.ts";
import type { Resource } from "../../../lib/shared/schemas/entry.ts";
import { encoderOf } from "../../../lib/server/files/text/encode.ts";
import { markOf } from "../../../lib/server/files/text/format.ts";
import { decoderOf } from "../../../lib/shared/text_decoder.ts";
import { unzipSync, zipSync } from "fflate";
import { samples } from "../../unit/files/text/samples.ts";
import { joined } from "../../support/data/bytes.ts";
import { workbookOf } from "../../support/data/documents.ts";
import { type ReportScene, reportTests } from "../../support/server/reports.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const encoded = (encoding: string, text: string) => encoderOf(encoding, "")(text);

/** A line in an encoding, as often as makes a text of over 10 MiB, below lines of plain ASCII. */
function large(encoding: string, line: string): Uint8Array<ArrayBuffer> {
  const once = encoded(encoding, line);
  const head = encoded(encoding, "2026-01-01 12:00:00 INFO started\r\n".repeat(50_000));
  const all = new Uint8Array(11 * 2 ** 20);
  all.set(head);
  let at = head.length;
  for (; at + once.length <= all.length; at += once.length) all.set(once, at);
  return all.subarray(0, at);
}

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

/** Adds a word to a text as the editor does, saves it, and compares the bytes. */
async function edit(scene: ReportScene, name: string): Promise<void> {
  const before = await scene.bytes(name);
  const version = versionOf(await scene.resource(name));
  assert.ok(version?.isWritable, name);
  const { text, lineEnding, encoding } = version;
  const body = charactersOf(text.append(Text.of(["new"])), lineEnding);
  const saved = await scene.call("PUT", "/api/resources", `${name}?encoding=${encoding}`, { body });
  assert.equal(saved.status, 200, name);
  const word = encoded(encoding.replace("-bom", ""), "new");
  assert.deepEqual(await scene.bytes(name), joined(before, word), name);
}

/** Reads a large text in parts, as the viewer does. */
async function partsOf({ bytes }: ReportScene, { name, size, encoding }: Resource) {
  const content = await bytes(name);
  assert.ok(encoding !== undefined, name);
  return {
    text: new LargeText(size, encoding, (...range) => Promise.resolve(content.subarray(...range))),
    table: new LargeTable(
      size,
      encoding,
      (...range) => Promise.resolve(content.subarray(...range)),
    ),
  };
}

/** A workbook whose parts have other names. */
function repacked(rename: (name: string) => string): Uint8Array {
  const row = [{ value: 0.3541666666666667, format: "h:mm" }, { value: 0.25, format: 9 }];
  const parts = unzipSync(workbookOf({ sheets: { A: [["In", "Rate"], row] } }));
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, content]) => [rename(name), content])),
  );
}

const log = "2026-01-01 12:00:00 INFO request served in 1ms\n";
const russian = "Это простой русский текст.\r\n";
const chinese = "这是一段普通的中文文字，用来检查文件的编码。\r\n";

/** Bytes of a text in a code page of DOS, which is never written. */
function dos(page: string, text: string): Uint8Array {
  const characters = decoderOf(page).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Uint8Array.from(text, (letter) => characters.indexOf(letter));
}

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

/** The packets of an MPEG transport stream. */
function recording(packets: number): Uint8Array {
  const stream = new Uint8Array(188 * packets);
  for (let at = 0; at < stream.length; at += 188) stream.set([0x47, 0x1f, 0xff, 0x10], at);
  return stream;
}

/** Text extensions in whose files other programs keep binary content. */
const named = "sub plist crt mod l m cfg conf lock ctl st s d f r v vb lst cue".split(" ");
const der = joined(
  "0\x82\x03\x00" + Array.from({ length: 200 }, (_, code) => String.fromCharCode(code)).join(""),
);

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
  {
    id: "R69",
    source: "nextcloud/files_texteditor#69, flyfish file-viewer#195, alist#1791",
    holds: "a text in any encoding is read, and an edit changes nothing else",
    tree: Object.fromEntries([
      ...samples.map(([encoding, text], index) => [`${index}.txt`, encoded(encoding, text)]),
      ["short.txt", encoded("gb18030", "你好，世界")],
    ]),
    async check(scene) {
      for (const [index, [, text]] of samples.entries()) {
        assert.equal((await scene.resource(`${index}.txt`)).content, text);
        await edit(scene, `${index}.txt`);
      }
      assert.equal((await scene.resource("short.txt")).content, "你好，世界");
    },
  },
  {
    id: "R69-older",
    source: "further inputs beside R55 and R69",
    holds: "texts of DOS, of old Macs and of Japanese mail are read, the first ones read-only",
    tree: {
      "german.txt": dos("cp850", "Für die Prüfung müssen wir größere Flächen räumen.\r\n"),
      "polish.txt": dos("cp852", "Zażółć gęślą jaźń, i wszystko jest dobrze.\r\n"),
      "art.nfo": dos("cp437", "█▀▀▀▀▀▀▀▀▀█ The Release\r\n█▄▄▄▄▄▄▄▄▄█ ░▒▓ of 1996\r\n"),
      "mac.txt": encoded("macintosh", "Où est passée la clé? Ça va être très agréable à l'œil.\r"),
      "turkish.txt": encoded(
        "windows-1254",
        "Şu köşe yaz köşesi, şu köşe kış köşesi.\n".repeat(40),
      ),
      "mail.eml": joined("Subject: x\n\n\x1b$B$3$l$OIaDL$NF|K\\8l\x1b(B\n"),
      "old.txt": joined("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", new Uint8Array(900)),
    },
    async check(scene) {
      const found = async (name: string) => {
        const { type, encoding, content } = await scene.resource(name);
        return [type, encoding, content?.slice(0, 22)];
      };
      const [, ...german] = await found("german.txt");
      assert.deepEqual(german, ["cp437", "Für die Prüfung müssen"]);
      assert.deepEqual(await found("polish.txt"), [
        "textImmutable",
        "cp852",
        "Zażółć gęślą jaźń, i w",
      ]);
      assert.deepEqual(await found("art.nfo"), [
        "textImmutable",
        "cp437",
        "█▀▀▀▀▀▀▀▀▀█ The Releas",
      ]);
      assert.deepEqual(await found("mac.txt"), ["text", "macintosh", "Où est passée la clé? "]);
      await edit(scene, "mac.txt");
      assert.deepEqual(await found("turkish.txt"), [
        "text",
        "windows-1254",
        "Şu köşe yaz köşesi, şu",
      ]);
      const [type, encoding] = await found("mail.eml");
      assert.deepEqual([type, encoding], ["textImmutable", "iso-2022-jp"]);
      assert.ok((await scene.resource("mail.eml")).content?.includes("これは普通の日本語"));
      assert.deepEqual(await found("old.txt"), ["blob", undefined, undefined]);
    },
  },
  {
    id: "R70",
    source: "tibagni/LogViewer#9, glogg#25, fluent-bit#9321, filecat#4",
    holds: "a log of over 10 MiB is read in its encoding, as a short one is",
    tree: {
      "gbk.log": large("gb18030", chinese),
      "latin.log": large("windows-1252", "Für die Prüfung müssen wir größere Flächen räumen.\r\n"),
      "wide.log": joined(markOf("utf-16le"), large("utf-16le", russian)),
      "table.csv": large("gb18030", `一,${chinese}`),
      "binary.log": crypto.getRandomValues(new Uint8Array(65_536)),
    },
    async check(scene) {
      // Sparse: nothing but its end.
      await Deno.writeFile(join(scene.folder, "holes.log"), utf8(log), { createNew: true });
      await Deno.truncate(join(scene.folder, "holes.log"), 11 * 2 ** 20);
      await Deno.writeTextFile(join(scene.folder, "holes.log"), log.repeat(3_000), {
        append: true,
      });
      await Deno.truncate(join(scene.folder, "binary.log"), 12 * 2 ** 20);
      const encodings: [string, string, string][] = [
        ["gbk.log", "gb18030", chinese],
        ["latin.log", "windows-1252", "größere Flächen"],
        ["wide.log", "utf-16le-bom", russian],
        ["holes.log", "utf-8", log],
      ];
      for (const [name, encoding, line] of encodings) {
        const resource = await scene.resource(name);
        assert.deepEqual([resource.type, resource.encoding], ["blob", encoding], name);
        assert.equal(resource.content, undefined);
        const { text } = await partsOf(scene, resource);
        await text.showEnd();
        const shown = text.parts.value.join("");
        assert.ok(shown.includes(line) && !shown.includes("\ufffd"), name);
      }
      const { table } = await partsOf(scene, await scene.resource("table.csv"));
      for (let part = 0; part < 4; part++) await table.more();
      assert.ok(table.table.value?.rows.at(-1)?.map(textIn).includes("一"));
      const binary = await scene.resource("binary.log");
      assert.deepEqual([binary.type, binary.encoding], ["blob", undefined]);
    },
  },
  {
    id: "R71",
    source: "Alexey-T/CudaText#6445, GitJournal#926, reuse-tool#598",
    holds: "a wrong byte in UTF-8 is shown as one, and the text can't be saved",
    tree: {
      "byte.txt": joined(utf8("Le texte est accentué, ".repeat(20)), "\xff", utf8("déjà\n")),
      "cut.txt": utf8(russian.repeat(20)).slice(0, -4),
      "line.txt": joined(utf8("Où est passée la clé?\n".repeat(3)), "d\xe9j\xe0 vu\n"),
      "cesu.txt": joined(utf8("smile "), "\xed\xa0\xbd\xed\xb8\x80\n"),
      "emoji.txt": joined(utf8("smile "), utf8("😀").slice(0, 3), utf8("\nok\n")),
    },
    async check(scene) {
      for (const name of ["byte.txt", "cut.txt", "line.txt", "cesu.txt", "emoji.txt"]) {
        const { type, encoding, content } = await scene.resource(name);
        assert.deepEqual([type, encoding], ["textImmutable", "utf-8"], name);
        assert.equal(content, new TextDecoder().decode(await scene.bytes(name)), name);
      }
    },
  },
  {
    id: "R72",
    source: "logrotate#363, #286, rcrs-server#25",
    holds: "a log with NUL characters is a text",
    tree: {
      "nul.log": `${log.repeat(20)}${"\0".repeat(1_700)}${log}`,
      "rotated.log": `${"\0".repeat(200_000)}${log}`,
      "legacy.log": encoded("windows-1251", `${russian.repeat(5)}\0\0\0${russian}`),
    },
    async check(scene) {
      for (const name of ["nul.log", "rotated.log"]) {
        const { type, content } = await scene.resource(name);
        assert.deepEqual([type, content], [
          "textImmutable",
          await Deno.readTextFile(join(scene.folder, name)),
        ]);
      }
      const { encoding, content } = await scene.resource("legacy.log");
      assert.deepEqual([encoding, content], [
        "windows-1251",
        `${russian.repeat(5)}\0\0\0${russian}`,
      ]);
    },
  },
  {
    id: "R73",
    source: "CotEditor#1790, language-property-list#3, sublime_text#4948",
    holds: "a binary file with the name of a text is one of no known type, and is downloaded",
    tree: {
      ...Object.fromEntries(named.map((extension) => [`a.${extension}`, der])),
      "vobsub.sub": joined("\0\0\x01\xba", new Uint8Array(2_000)),
      "binary.plist": joined(
        `bplist00\xd2\x01\x02\x03\x04${"a long text of it ".repeat(20)}\x08\0`,
      ),
      "packed.log": joined(`PK\x03\x04\x14\0\0\0\x08\0${"a long name ".repeat(20)}\xff\xfe`),
    },
    async check(scene) {
      for (const name of ["vobsub.sub", "binary.plist", "packed.log"]) {
        const { type, content } = await scene.resource(name);
        assert.deepEqual([type, content], ["blob", undefined], name);
      }
      for (const extension of named) {
        const { type, content } = await scene.resource(`a.${extension}`);
        assert.deepEqual([type, content], ["blob", undefined], extension);
        assert.deepEqual(await scene.bytes(`a.${extension}`), der);
      }
    },
  },
  {
    id: "R74",
    source: "MPEG-TS beside language-property-list#3",
    holds: "a recording .ts is a video in listings and downloads, and a program .ts a text",
    tree: {
      "film.ts": recording(40),
      "cut.ts": recording(400).subarray(0, 70_000),
      "program.ts": "export {};\n",
      "even.ts": `${"x".repeat(187)}\n`,
      "camera.mod": joined("\0\0\x01\xba", new Uint8Array(70_000)),
      "go.mod": "module example\n",
    },
    async check(scene) {
      const { items = [] } = await scene.resource("");
      assert.deepEqual(Object.fromEntries(items.map(({ name, type }) => [name, type])), {
        "camera.mod": "video",
        "cut.ts": "video",
        "even.ts": "text",
        "film.ts": "video",
        "go.mod": "text",
        "program.ts": "text",
      });
      const typeOf = async (name: string, method = "GET") => {
        const answer = await scene.call(method, "/api/raw", name);
        await answer.body?.cancel();
        return answer.headers.get("content-type");
      };
      assert.equal(await typeOf("film.ts"), "video/mp2t");
      assert.equal(await typeOf("film.ts", "HEAD"), "video/mp2t");
      assert.equal(await typeOf("camera.mod"), "video/mpeg");
      assert.equal(await typeOf("program.ts"), "text/plain; charset=utf-8");
      assert.equal((await scene.resource("film.ts")).type, "video");
    },
  },
  {
    id: "R109",
    source: "nextcloud/files_texteditor#156, filebrowser#3575, #2882",
    holds: "an edit leaves the line ends as they are",
    tree: {
      "crlf.txt": "a\r\nb\r\n",
      "cr.txt": "a\rb\r",
      "mixed.txt": "a\r\nb\nc\rd\n",
      "separators.txt": "a\u2028b\u2029c\n",
      "ctrl-z.txt": "a\r\n\x1a",
      "none.txt": "a",
    },
    async check(scene) {
      for (const name of ["crlf", "cr", "mixed", "separators", "ctrl-z", "none"]) {
        await edit(scene, `${name}.txt`);
      }
    },
  },
  {
    id: "R110",
    source: "nextcloud/text#5394, #835",
    holds: "a text in the encoding of Windows stays in it",
    tree: {
      "ansi.txt": encoded("windows-1252", "Grüße aus Köln\r\n"),
      "japanese.txt": encoded(
        "shift_jis",
        "これは普通の日本語の文章です。ファイルの文字コード。\r\n",
      ),
    },
    async check(scene) {
      await edit(scene, "ansi.txt");
      await edit(scene, "japanese.txt");
    },
  },
  {
    id: "R111",
    source: "linuxmint/xed#459, MyBox#1425",
    holds: "UTF-16 and byte order marks are kept",
    tree: Object.fromEntries(
      ["utf-8", "utf-16le", "utf-16be"].flatMap((encoding) => {
        const text = encoded(encoding, "Zoë 日本\r\n");
        return [
          [`${encoding}-mark.txt`, joined(markOf(encoding), text)],
          [`${encoding}.txt`, text],
        ];
      }),
    ),
    async check(scene) {
      for (const encoding of ["utf-8", "utf-16le", "utf-16be"]) {
        await edit(scene, `${encoding}-mark.txt`);
        await edit(scene, `${encoding}.txt`);
      }
    },
  },
  {
    id: "R112",
    source: "jcrodriguez-dis/moodle-mod_vpl#232",
    holds: "what is binary, or has NUL characters, can't be saved as a text",
    tree: {
      "random.txt": crypto.getRandomValues(new Uint8Array(4_096)),
      "picture.txt": joined("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", new Uint8Array(99)),
      "nul.txt": `${log}\0${log}`,
      "wide.txt": joined("\xff\xfe\0\0Z\0\0\0\xeb\0\0\0"),
    },
    async check(scene) {
      for (const name of ["random.txt", "picture.txt"]) {
        assert.equal((await scene.resource(name)).type, "blob", name);
      }
      const nul = versionOf(await scene.resource("nul.txt"));
      assert.equal(nul?.isWritable, false);
      const wide = await scene.resource("wide.txt");
      assert.deepEqual([wide.content, wide.encoding, wide.type], [
        "Zë",
        "utf-32le-bom",
        "textImmutable",
      ]);
    },
  },
  {
    id: "R113",
    source: "nextcloud/files_texteditor#766",
    holds: "valid UTF-8 is UTF-8, however short",
    tree: Object.fromEntries(
      ["é", "ß", "я", "中", "😀", "naïve", "\u00a0", "½"].map((
        text,
        index,
      ) => [`${index}.txt`, text]),
    ),
    async check(scene) {
      for (const [index, text] of ["é", "ß", "я", "中", "😀", "naïve", "\u00a0", "½"].entries()) {
        const { content, encoding, type } = await scene.resource(`${index}.txt`);
        assert.deepEqual([content, encoding, type], [text, "utf-8", "text"]);
      }
    },
  },
]);
