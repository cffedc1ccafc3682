import { strToU8, type Zippable, zipSync } from "fflate";
import type { DocumentFormat, DocumentKind } from "../../../shared/document_kinds.ts";

/** An empty document, with as little in it as all office programs take. */
export function blankDocument(kind: DocumentKind, format: DocumentFormat): Blob {
  const bytes = format === "odf" ? openDocument(kind) : officeOpenXml(kind);
  return new Blob([bytes as Uint8Array<ArrayBuffer>]);
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** A zip of texts, whose bytes do not depend on the time. */
function pack(parts: Record<string, string>, stored: Zippable = {}): Uint8Array {
  const files = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  // The first time that a zip can have.
  return zipSync({ ...stored, ...Object.fromEntries(files) }, { mtime: new Date(1980, 0, 1) });
}

const odf = "urn:oasis:names:tc:opendocument:xmlns";

const bodies = {
  document: "<office:text><text:p/></office:text>",
  sheet: '<office:spreadsheet><table:table table:name="Sheet1"><table:table-column/>' +
    "<table:table-row><table:table-cell/></table:table-row></table:table></office:spreadsheet>",
  slides: '<office:presentation><draw:page draw:name="1" draw:master-page-name="Default"/>' +
    "</office:presentation>",
};

const mediaTypes = { document: "text", sheet: "spreadsheet", slides: "presentation" };

function openDocument(kind: DocumentKind): Uint8Array {
  const type = `application/vnd.oasis.opendocument.${mediaTypes[kind]}`;
  const root = (name: string, body: string) =>
    `${head}<office:document-${name} office:version="1.3" xmlns:office="${odf}:office:1.0" ` +
    `xmlns:text="${odf}:text:1.0" xmlns:table="${odf}:table:1.0" ` +
    `xmlns:draw="${odf}:drawing:1.0" xmlns:style="${odf}:style:1.0" ` +
    `xmlns:fo="${odf}:xsl-fo-compatible:1.0">${body}</office:document-${name}>`;
  // Slides are as wide as screens.
  const pages = '<office:automatic-styles><style:page-layout style:name="Screen">' +
    '<style:page-layout-properties fo:page-width="28cm" fo:page-height="15.75cm" ' +
    'style:print-orientation="landscape"/></style:page-layout></office:automatic-styles>' +
    '<office:master-styles><style:master-page style:name="Default" ' +
    'style:page-layout-name="Screen"/></office:master-styles>';
  const listed = [["/", type], ["content.xml", "text/xml"], ["styles.xml", "text/xml"]].map(
    ([path, type]) =>
      `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`,
  );
  return pack({
    "content.xml": root("content", `<office:body>${bodies[kind]}</office:body>`),
    "styles.xml": root("styles", kind === "slides" ? pages : ""),
    "META-INF/manifest.xml":
      `${head}<manifest:manifest manifest:version="1.3" xmlns:manifest="${odf}:manifest:1.0">` +
      `${listed.join("")}</manifest:manifest>`,
    // The type comes first, and is not compressed, so that programs find it.
  }, { mimetype: [strToU8(type), { level: 0 }] });
}

const schemas = "http://schemas.openxmlformats.org";
const relationships = `${schemas}/officeDocument/2006/relationships`;
const contentType = "application/vnd.openxmlformats-officedocument";

/** A part: its path, its type of content after the common prefix, and its XML. */
type Part = readonly [path: string, type: string, xml: string];

function officeOpenXml(kind: DocumentKind): Uint8Array {
  const { parts, main, links } = packages[kind]();
  const types = parts.map(([path, type]) =>
    `<Override PartName="/${path}" ContentType="${contentType}.${type}+xml"/>`
  );
  return pack({
    "[Content_Types].xml": `${head}<Types xmlns="${schemas}/package/2006/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Default Extension="xml" ContentType="application/xml"/>${types.join("")}</Types>`,
    "_rels/.rels": linksTo([["officeDocument", main]]),
    ...Object.fromEntries(parts.map(([path, , xml]) => [path, head + xml])),
    ...Object.fromEntries(
      Object.entries(links).map(([path, to]) => [
        path.replace(/([^/]*)$/, "_rels/$1.rels"),
        linksTo(to),
      ]),
    ),
  });
}

type Links = readonly (readonly [type: string, target: string])[];

function linksTo(links: Links): string {
  const each = links.map(([type, target], index) =>
    `<Relationship Id="rId${index + 1}" Type="${relationships}/${type}" Target="${target}"/>`
  );
  return `${head}<Relationships xmlns="${schemas}/package/2006/relationships">` +
    `${each.join("")}</Relationships>`;
}

interface Package {
  parts: Part[];
  main: string;
  /** The links of parts, by the path of the part. */
  links: Record<string, Links>;
}

const packages: Record<DocumentKind, () => Package> = {
  document: () => ({
    main: "word/document.xml",
    parts: [[
      "word/document.xml",
      "wordprocessingml.document.main",
      `<w:document xmlns:w="${schemas}/wordprocessingml/2006/main"><w:body><w:p/>` +
      "<w:sectPr/></w:body></w:document>",
    ]],
    links: {},
  }),
  sheet: () => ({
    main: "xl/workbook.xml",
    parts: [
      [
        "xl/workbook.xml",
        "spreadsheetml.sheet.main",
        `<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${relationships}">` +
        '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
      ],
      [
        "xl/worksheets/sheet1.xml",
        "spreadsheetml.worksheet",
        `<worksheet xmlns="${schemas}/spreadsheetml/2006/main"><sheetData/></worksheet>`,
      ],
    ],
    links: { "xl/workbook.xml": [["worksheet", "worksheets/sheet1.xml"]] },
  }),
  slides: presentation,
};

function presentation(): Package {
  const spaces = `xmlns:a="${schemas}/drawingml/2006/main" xmlns:r="${relationships}" ` +
    `xmlns:p="${schemas}/presentationml/2006/main"`;
  const tree = "<p:cSld><p:spTree><p:nvGrpSpPr>" +
    '<p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/></p:spTree></p:cSld>';
  const colors = ["bg1", "tx1", "bg2", "tx2"].map((name, index) =>
    `${name}="${["lt1", "dk1", "lt2", "dk2"][index]}"`
  ).concat([1, 2, 3, 4, 5, 6].map((index) => `accent${index}="accent${index}"`));
  return {
    main: "ppt/presentation.xml",
    parts: [
      [
        "ppt/presentation.xml",
        "presentationml.presentation.main",
        `<p:presentation ${spaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/>` +
        '</p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst>' +
        '<p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/>' +
        "</p:presentation>",
      ],
      [
        "ppt/slideMasters/slideMaster1.xml",
        "presentationml.slideMaster",
        `<p:sldMaster ${spaces}>${tree}<p:clrMap ${colors.join(" ")} hlink="hlink" ` +
        'folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/>' +
        "</p:sldLayoutIdLst></p:sldMaster>",
      ],
      [
        "ppt/slideLayouts/slideLayout1.xml",
        "presentationml.slideLayout",
        `<p:sldLayout ${spaces} type="blank">${tree}<p:clrMapOvr><a:masterClrMapping/>` +
        "</p:clrMapOvr></p:sldLayout>",
      ],
      [
        "ppt/slides/slide1.xml",
        "presentationml.slide",
        `<p:sld ${spaces}>${tree}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>`,
      ],
      ["ppt/theme/theme1.xml", "theme", theme()],
    ],
    links: {
      "ppt/presentation.xml": [
        ["slideMaster", "slideMasters/slideMaster1.xml"],
        ["slide", "slides/slide1.xml"],
        ["theme", "theme/theme1.xml"],
      ],
      "ppt/slideMasters/slideMaster1.xml": [
        ["slideLayout", "../slideLayouts/slideLayout1.xml"],
        ["theme", "../theme/theme1.xml"],
      ],
      "ppt/slideLayouts/slideLayout1.xml": [["slideMaster", "../slideMasters/slideMaster1.xml"]],
      "ppt/slides/slide1.xml": [["slideLayout", "../slideLayouts/slideLayout1.xml"]],
    },
  };
}

/** Colours, fonts and fills, which a presentation must have. */
function theme(): string {
  const colors = {
    ...{ dk1: "000000", lt1: "FFFFFF", dk2: "1F3A4D", lt2: "EEF2F5" },
    ...{ accent1: "2E6F9E", accent2: "C8553D", accent3: "5B8C5A", accent4: "8E6C8A" },
    ...{ accent5: "D9A441", accent6: "4F7CAC", hlink: "1A5FB4", folHlink: "813D9C" },
  };
  const scheme = Object.entries(colors).map(([name, color]) =>
    `<a:${name}><a:srgbClr val="${color}"/></a:${name}>`
  );
  const font = (name: string) =>
    `<a:${name}Font><a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/></a:${name}Font>`;
  const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
  const thrice = (text: string) => text.repeat(3);
  return `<a:theme xmlns:a="${schemas}/drawingml/2006/main" name="Office"><a:themeElements>` +
    `<a:clrScheme name="Office">${scheme.join("")}</a:clrScheme>` +
    `<a:fontScheme name="Office">${font("major")}${font("minor")}</a:fontScheme>` +
    `<a:fmtScheme name="Office"><a:fillStyleLst>${thrice(fill)}</a:fillStyleLst>` +
    `<a:lnStyleLst>${thrice(`<a:ln w="9525">${fill}</a:ln>`)}</a:lnStyleLst>` +
    `<a:effectStyleLst>${
      thrice("<a:effectStyle><a:effectLst/></a:effectStyle>")
    }</a:effectStyleLst>` +
    `<a:bgFillStyleLst>${thrice(fill)}</a:bgFillStyleLst></a:fmtScheme>` +
    "</a:themeElements></a:theme>";
}
