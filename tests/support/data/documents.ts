/** Books and office documents, written by hand. */
import type { Buffer } from "node:buffer";
import { zipOf } from "./hostile_archives.ts";

const xml = '<?xml version="1.0" encoding="UTF-8"?>';

/** An EPUB. @param chapters what is in the body of each; @param more other parts by their paths */
export function epubOf(
  chapters: readonly string[],
  more: Record<string, string | Uint8Array> = {},
): Buffer<ArrayBuffer> {
  const names = chapters.map((_, index) => `c${index + 1}.xhtml`);
  const items = names.map((name) =>
    `<item id="${name}" href="text/${name}" media-type="application/xhtml+xml"/>`
  );
  const references = names.map((name) => `<itemref idref="${name}"/>`);
  const links = names.map((name, index) =>
    `<li><a href="text/${name}">Chapter ${index + 1}</a></li>`
  );
  const page = (body: string) =>
    `${xml}<html xmlns="http://www.w3.org/1999/xhtml" ` +
    `xmlns:xlink="http://www.w3.org/1999/xlink"><head><title/></head><body>${body}</body></html>`;
  return zipOf([
    { name: "mimetype", content: "application/epub+zip" },
    {
      name: "META-INF/container.xml",
      content: `${xml}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">` +
        '<rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    },
    {
      name: "OEBPS/book.opf",
      content: `${xml}<package xmlns="http://www.idpf.org/2007/opf">` +
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The sea</dc:title>' +
        `</metadata><manifest>${items.join("")}` +
        '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>' +
        `</manifest><spine>${references.join("")}</spine></package>`,
    },
    { name: "OEBPS/nav.xhtml", content: page(`<nav><ol>${links.join("")}</ol></nav>`) },
    ...chapters.map((body, index) => ({ name: `OEBPS/text/${names[index]}`, content: page(body) })),
    ...Object.entries(more).map(([name, content]) => ({ name, content })),
  ]);
}

const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/**
 * A Word document.
 *
 * @param body XML of its paragraphs
 * @param links targets by their ids
 * @param styles names of the styles of paragraphs by their ids
 */
export function docxOf(
  body: string,
  links: Record<string, string> = {},
  styles: Record<string, string> = {},
): Buffer<ArrayBuffer> {
  const words = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const named = Object.entries(styles).map(([id, name]) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
  );
  const related = Object.entries(links).map(([id, target]) =>
    `<Relationship Id="${id}" Type="${office}/hyperlink" Target="${target}" TargetMode="External"/>`
  );
  return zipOf([
    {
      name: "[Content_Types].xml",
      content:
        `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ' +
        'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>' +
        "</Types>",
    },
    {
      name: "_rels/.rels",
      content: `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" ` +
        `Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: "word/_rels/document.xml.rels",
      content: `${xml}<Relationships xmlns="${relations}">${related.join("")}</Relationships>`,
    },
    {
      name: "word/styles.xml",
      content: `${xml}<w:styles xmlns:w="${words}">${named.join("")}</w:styles>`,
    },
    {
      name: "word/document.xml",
      content: `${xml}<w:document xmlns:w="${words}" ` +
        `xmlns:r="${office}"><w:body>${body}</w:body></w:document>`,
    },
  ]);
}

/** A cell of a workbook: a text, a number, or a number in a format, by its code or its number. */
export type WorkbookCell = string | number | { value: number; format: string | number } | {
  /** XML of the cell without its place. */
  xml: string;
};

/** A workbook to make. */
export interface WorkbookOptions {
  sheets: Record<string, readonly (readonly WorkbookCell[])[]>;
  /** The names of sheets that are hidden. */
  hidden?: readonly string[];
  isFrom1904?: boolean;
  /** Texts that cells of the type `s` refer to, as XML of their items. */
  strings?: readonly string[];
}

/** An Excel workbook. */
export function workbookOf(
  { sheets, hidden = [], isFrom1904 = false, strings = [] }: WorkbookOptions,
): Buffer<ArrayBuffer> {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const names = Object.keys(sheets);
  const formats: (string | number)[] = [0];
  const styleOf = (format: string | number) => {
    if (!formats.includes(format)) formats.push(format);
    return formats.indexOf(format);
  };
  const columnOf = (column: number): string =>
    (column < 26 ? "" : columnOf(Math.floor(column / 26) - 1)) +
    String.fromCharCode(65 + column % 26);
  const cell = (value: WorkbookCell, row: number, column: number) => {
    const place = `r="${columnOf(column)}${row + 1}"`;
    if (typeof value === "number") return `<c ${place}><v>${value}</v></c>`;
    if (typeof value === "string") {
      return `<c ${place} t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
    }
    if ("xml" in value) return value.xml.replace("<c", `<c ${place}`);
    return `<c ${place} s="${styleOf(value.format)}"><v>${value.value}</v></c>`;
  };
  const parts = names.map((name) => {
    const lines = (sheets[name] ?? []).map((row, index) =>
      `<row r="${index + 1}">${
        row.map((value, column) => cell(value, index, column)).join("")
      }</row>`
    );
    return `${xml}<worksheet xmlns="${main}"><sheetData>${lines.join("")}</sheetData></worksheet>`;
  });
  const codes = formats.filter((format) => typeof format === "string");
  const idOf = (format: string | number) =>
    typeof format === "number" ? format : 164 + codes.indexOf(format);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  return zipOf([
    {
      name: "[Content_Types].xml",
      content:
        `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
    },
    {
      name: "_rels/.rels",
      content: `${xml}<Relationships xmlns="${relations}">` +
        `${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      content: `${xml}<workbook xmlns="${main}" xmlns:r="${office}">` +
        `<workbookPr date1904="${isFrom1904 ? 1 : 0}"/><sheets>${
          names.map((name, index) =>
            `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"` +
            `${hidden.includes(name) ? ' state="hidden"' : ""}/>`
          ).join("")
        }</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `${xml}<Relationships xmlns="${relations}">${
        names.map((_, index) =>
          relation(`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`)
        ).join("")
      }${relation("rId91", "styles", "styles.xml")}${
        relation("rId92", "sharedStrings", "/xl/sharedStrings.xml")
      }</Relationships>`,
    },
    {
      name: "xl/styles.xml",
      content: `${xml}<styleSheet xmlns="${main}"><numFmts>${
        codes.map((code) => `<numFmt numFmtId="${idOf(code)}" formatCode="${escaped(code)}"/>`)
          .join("")
      }</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${
        formats.map((format) => `<xf numFmtId="${idOf(format)}"/>`).join("")
      }</cellXfs></styleSheet>`,
    },
    {
      name: "xl/sharedStrings.xml",
      content: `${xml}<sst xmlns="${main}">${
        strings.map((item) => `<si>${item}</si>`).join("")
      }</sst>`,
    },
    ...parts.map((content, index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, content })),
  ]);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** An Excel workbook of one sheet of texts and numbers. */
export function xlsxOf(rows: readonly (readonly (string | number)[])[]): Buffer<ArrayBuffer> {
  return workbookOf({ sheets: { People: rows } });
}
