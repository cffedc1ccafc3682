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

/** A Word document. @param body XML of its paragraphs; @param links targets by their ids */
export function docxOf(body: string, links: Record<string, string> = {}): Buffer<ArrayBuffer> {
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
      name: "word/document.xml",
      content:
        `${xml}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ` +
        `xmlns:r="${office}"><w:body>${body}</w:body></w:document>`,
    },
  ]);
}

/** An Excel workbook of one sheet of texts and numbers. */
export function xlsxOf(rows: readonly (readonly (string | number)[])[]): Buffer<ArrayBuffer> {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const cell = (value: string | number, row: number, column: number) => {
    const place = `${String.fromCharCode(65 + column)}${row + 1}`;
    return typeof value === "number"
      ? `<c r="${place}"><v>${value}</v></c>`
      : `<c r="${place}" t="inlineStr"><is><t>${
        value.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
      }</t></is></c>`;
  };
  const lines = rows.map((row, index) =>
    `<row r="${index + 1}">${row.map((value, column) => cell(value, index, column)).join("")}</row>`
  );
  return zipOf([
    {
      name: "[Content_Types].xml",
      content:
        `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
        '<Default Extension="xml" ContentType="application/xml"/></Types>',
    },
    {
      name: "_rels/.rels",
      content: `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" ` +
        `Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      content: `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>` +
        '<sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>',
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" ` +
        `Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: "xl/worksheets/sheet1.xml",
      content: `${xml}<worksheet xmlns="${main}"><sheetData>${
        lines.join("")
      }</sheetData></worksheet>`,
    },
  ]);
}
