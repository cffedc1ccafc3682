/** The books of public problem reports (R62 to R68), and more inputs of each kind. */
import { Buffer } from "node:buffer";
import { type ZipEntry, zipOf } from "../../support/data/hostile_archives.ts";
import { quarters } from "../../support/data/pictures.ts";
import { encoderOf } from "../../../lib/server/files/text/encode.ts";

export const picture = new Uint8Array(await quarters(40, 30).png().toBuffer());
const xml = '<?xml version="1.0" encoding="utf-8"?>';
const xhtml = 'xmlns="http://www.w3.org/1999/xhtml"';

export const page = (body: string, head = "<title>t</title>") =>
  `${xml}<html ${xhtml}><head>${head}</head><body>${body}</body></html>`;

const container = (path = "OEBPS/book.opf") =>
  `${xml}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>` +
  `<rootfile full-path="${path}"/></rootfiles></container>`;

interface Packed {
  hrefs: string[];
  /** In the metadata. */
  meta?: string;
  /** In the manifest. */
  more?: string;
  /** In front of the whole. */
  before?: string;
  attributes?: string;
}

export const packed = ({ hrefs, meta = "", more = "", before = xml, attributes = "" }: Packed) =>
  `${before}<package xmlns="http://www.idpf.org/2007/opf" ${attributes}><metadata ` +
  `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Book</dc:title>${meta}</metadata><manifest>` +
  hrefs.map((href, at) => `<item id="c${at}" href="${href}" media-type="application/xhtml+xml"/>`)
    .join("") +
  `${more}</manifest><spine toc="ncx">` +
  hrefs.map((_, at) => `<itemref idref="c${at}"/>`).join("") + "</spine></package>";

/** A book of its parts, below OEBPS. */
export function bookOf(
  options: Packed | string | Uint8Array,
  parts: Record<string, string | Uint8Array>,
  others: ZipEntry[] = [],
) {
  const opf = typeof options === "string" || options instanceof Uint8Array
    ? options
    : packed(options);
  return zipOf([
    { name: "mimetype", content: "application/epub+zip" },
    { name: "META-INF/container.xml", content: container() },
    { name: "OEBPS/book.opf", content: opf },
    ...Object.entries(parts).map(([name, content]) => ({ name: `OEBPS/${name}`, content })),
    ...others,
  ]);
}

const one = { hrefs: ["a.xhtml"] };
const text = page("<h1>ONE</h1><p>Text of ONE</p>");

const encoded = (encoding: string, declared: string, words: string) =>
  encoderOf(encoding, "")(
    `<?xml version="1.0" encoding="${declared}"?><html ${xhtml}><body><h1>${words}</h1></body></html>`,
  );

const marked = (mark: number[], bytes: Uint8Array) => Uint8Array.from([...mark, ...bytes]);
const swapped = (bytes: Uint8Array) => new Uint8Array(Buffer.from(bytes).swap16());
const utf16 = (words: string) => encoded("utf-16le", "utf-16", words);

const encryption = (...uris: string[]) =>
  `${xml}<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" ` +
  'xmlns:enc="http://www.w3.org/2001/04/xmlenc#">' + uris.map((uri) =>
    '<enc:EncryptedData><enc:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>' +
    `<enc:CipherData><enc:CipherReference URI="${uri}"/></enc:CipherData></enc:EncryptedData>`
  ).join("") + "</encryption>";

const fonts = encryption("OEBPS/font.otf").replace(
  "http://www.w3.org/2001/04/xmlenc#aes128-cbc",
  "http://www.idpf.org/2008/embedding",
);

const locked = (content: string) => [{ name: "META-INF/encryption.xml", content }];

const ncx = (points: [src: string, label: string][]) =>
  `${xml}<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>` +
  points.map(([src, label]) =>
    `<navPoint><navLabel><text>${label}</text></navLabel><content src="${src}"/></navPoint>`
  ).join("") + "</navMap></ncx>";

const ncxItem = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>';

const navItem =
  '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>';

const nfd = "e\u0301te\u0301.xhtml";

/** What is seen of a book: the names of its chapters, and what is in the first of them. */
export interface Seen {
  chapters?: string[];
  shows: string;
}

export const books: Record<string, [id: string, holds: string, bytes: Uint8Array, seen: Seen]> = {
  "space.epub": [
    "R62",
    "an escaped space",
    bookOf({ hrefs: ["a%20b.xhtml"] }, { "a b.xhtml": text }),
    {
      shows: "Text of ONE",
    },
  ],
  "literal.epub": [
    "R62",
    "an escape that is part of the name",
    bookOf({ hrefs: ["a%20b.xhtml"] }, { "a%20b.xhtml": text }),
    { shows: "Text of ONE" },
  ],
  "percent.epub": ["R63", "a bare %", bookOf({ hrefs: ["100%.xhtml"] }, { "100%.xhtml": text }), {
    chapters: ["ONE"],
    shows: "Text of ONE",
  }],
  "percents.epub": [
    "R63",
    "escapes that are none",
    bookOf({ hrefs: ["%zz%e9.xhtml"] }, { "%zz%e9.xhtml": text }),
    { shows: "Text of ONE" },
  ],
  "missing.epub": [
    "R63",
    "a chapter that is missing is named",
    bookOf({ hrefs: ["gone.xhtml", "a.xhtml"] }, { "a.xhtml": text }),
    { chapters: ["Part 1", "ONE"], shows: "OEBPS/gone.xhtml is missing from the book" },
  ],
  "unlisted.epub": [
    "R63",
    "a chapter without an item is named",
    bookOf(packed(one).replace('idref="c0"', 'idref="other"'), { "a.xhtml": text }),
    { shows: "other is missing from the book" },
  ],
  "backslash.epub": [
    "R64",
    "a backslash",
    bookOf({ hrefs: ["text\\a.xhtml"] }, { "text/a.xhtml": text }),
    {
      shows: "Text of ONE",
    },
  ],
  "prefix.epub": [
    "R65",
    "a prefix on all elements",
    bookOf(
      packed(one).replace(/<(\/?)(package|manifest|item|spine|itemref|metadata)\b/g, "<$1opf:$2")
        .replace("xmlns=", "xmlns:opf="),
      { "a.xhtml": text },
    ),
    { shows: "Text of ONE" },
  ],
  "undeclared.epub": [
    "R66",
    "an undeclared prefix",
    bookOf({ ...one, meta: '<opf:meta calibre:x="1">x</opf:meta>' }, { "a.xhtml": text }),
    { shows: "Text of ONE" },
  ],
  "undeclared all.epub": [
    "R66",
    "an undeclared prefix on all elements",
    bookOf(
      packed(one).replace(/<(\/?)(package|manifest|item|spine|itemref|metadata)\b/g, "<$1opf:$2"),
      { "a.xhtml": text },
    ),
    { shows: "Text of ONE" },
  ],
  "ampersand.epub": [
    "R66",
    "a bare ampersand",
    bookOf({ ...one, meta: "<dc:publisher>Smith & Sons</dc:publisher>" }, { "a.xhtml": text }),
    { shows: "Text of ONE" },
  ],
  "entities.epub": [
    "R66",
    "entities of HTML in package, contents and chapter",
    bookOf({ ...one, meta: "<dc:creator>Jos&eacute;&nbsp;X</dc:creator>", more: ncxItem }, {
      "a.xhtml": page("<p>caf&eacute;&nbsp;&mdash; x</p>"),
      "toc.ncx": ncx([["a.xhtml", "Chapter&nbsp;Caf&eacute; & more"]]),
    }),
    { chapters: ["Chapter Café & more"], shows: "café — x" },
  ],
  "blank.epub": [
    "R66",
    "blank lines before the declarations",
    bookOf({ ...one, before: `\n\n${xml}` }, { "a.xhtml": `\n ${text}` }),
    { shows: "Text of ONE" },
  ],
  "words.epub": [
    "R66",
    "words before the declaration",
    bookOf({ ...one, before: `made by a script\n${xml}` }, { "a.xhtml": `x${text}` }),
    { shows: "Text of ONE" },
  ],
  "marked.epub": [
    "R66",
    "a byte order mark before a blank line",
    bookOf({ ...one, before: `\ufeff\n${xml}` }, { "a.xhtml": `\ufeff${text}` }),
    { shows: "Text of ONE" },
  ],
  "empty title.epub": [
    "R66",
    "an empty title and a prefix in a chapter",
    bookOf(one, {
      "a.xhtml": page('<p epub:type="x">Text of ONE</p><br/><a id="x"/>', "<title/>"),
    }),
    { shows: "Text of ONE" },
  ],
  "no namespace.epub": [
    "R66",
    "a chapter without a namespace",
    bookOf(one, { "a.xhtml": "<html><body><h1>ONE</h1><p>Text of ONE</p></body></html>" }),
    { chapters: ["ONE"], shows: "Text of ONE" },
  ],
  "no container.epub": [
    "R66",
    "no container",
    zipOf([{ name: "b.opf", content: packed(one) }, { name: "a.xhtml", content: text }]),
    { shows: "Text of ONE" },
  ],
  "composed.epub": [
    "R67",
    "accents composed otherwise",
    bookOf(
      { hrefs: [nfd.normalize("NFC")] },
      { [nfd]: text },
    ),
    { chapters: ["ONE"], shows: "Text of ONE" },
  ],
  "decomposed.epub": [
    "R67",
    "and the reverse",
    bookOf(
      { hrefs: [encodeURIComponent(nfd)] },
      { [nfd.normalize("NFC")]: text },
    ),
    { chapters: ["ONE"], shows: "Text of ONE" },
  ],
  "case.epub": [
    "R67",
    "another case",
    bookOf({ hrefs: ["Text/A.XHTML"] }, { "text/a.xhtml": text }),
    {
      chapters: ["ONE"],
      shows: "Text of ONE",
    },
  ],
  "case of package.epub": [
    "R67",
    "another case of the package",
    zipOf([
      { name: "meta-inf/Container.xml", content: container("oebps/Book.OPF") },
      { name: "OEBPS/book.opf", content: packed(one) },
      { name: "OEBPS/a.xhtml", content: text },
    ]),
    { shows: "Text of ONE" },
  ],
  "cyrillic.epub": [
    "R68",
    "windows-1251",
    bookOf(one, { "a.xhtml": encoded("windows-1251", "windows-1251", "Русский текст") }),
    { chapters: ["Русский текст"], shows: "Русский текст" },
  ],
  "chinese.epub": [
    "R68",
    "gb2312",
    bookOf(one, { "a.xhtml": encoded("gb18030", "gb2312", "中文文本") }),
    { chapters: ["中文文本"], shows: "中文文本" },
  ],
  "japanese.epub": [
    "R68",
    "Shift_JIS",
    bookOf(one, { "a.xhtml": encoded("shift_jis", "Shift_JIS", "表紙と予定") }),
    { chapters: ["表紙と予定"], shows: "表紙と予定" },
  ],
  "latin.epub": [
    "R68",
    "iso-8859-1",
    bookOf(one, { "a.xhtml": encoded("windows-1252", "ISO-8859-1", "Été à Noël") }),
    { shows: "Été à Noël" },
  ],
  "little.epub": [
    "R68",
    "UTF-16 with a mark",
    bookOf(one, {
      "a.xhtml": marked([0xff, 0xfe], utf16("Zeilen 中")),
    }),
    { shows: "Zeilen 中" },
  ],
  "big.epub": [
    "R68",
    "UTF-16 of the other order",
    bookOf(one, {
      "a.xhtml": marked([0xfe, 0xff], swapped(utf16("Zeilen 中"))),
    }),
    { shows: "Zeilen 中" },
  ],
  "unmarked.epub": [
    "R68",
    "UTF-16 without a mark",
    bookOf(one, { "a.xhtml": utf16("Zeilen 中") }),
    {
      shows: "Zeilen 中",
    },
  ],
  "lying.epub": [
    "R68",
    "UTF-8 that says to be UTF-16",
    bookOf(one, { "a.xhtml": encoded("utf-8", "utf-16", "Zeilen 中") }),
    { shows: "Zeilen 中" },
  ],
  "package.epub": [
    "R68",
    "a package and contents in windows-1251",
    bookOf(
      encoderOf("windows-1251", "")(
        packed({ ...one, meta: "<dc:x>Автор</dc:x>", more: ncxItem }).replace(
          "utf-8",
          "windows-1251",
        ),
      ),
      {
        "a.xhtml": text,
        "toc.ncx": encoderOf("windows-1251", "")(
          ncx([["a.xhtml", "Глава первая"]]).replace("utf-8", "windows-1251"),
        ),
      },
    ),
    { chapters: ["Глава первая"], shows: "Text of ONE" },
  ],
  "entities of its own.epub": [
    "R66",
    "entities that the document declares",
    bookOf(one, {
      "a.xhtml": '<!DOCTYPE html [<!ENTITY who "Wörld"> <!ENTITY two "&who;&who;">]>' +
        page("<p>Hello &who; &two;</p>").replace(xml, ""),
    }),
    { shows: "Hello Wörld &two;" },
  ],
  "from the top.epub": [
    "R67",
    "a part that is named from the top of the archive, and one by its name in place of its id",
    bookOf(
      packed({ hrefs: ["OEBPS/a.xhtml", "b.xhtml"] }).replace('idref="c1"', 'idref="b.xhtml"'),
      { "a.xhtml": text, "b.xhtml": page("<h1>TWO</h1>") },
    ),
    { chapters: ["ONE", "TWO"], shows: "Text of ONE" },
  ],
  "undeclared russian.epub": [
    "R68",
    "windows-1251 that nothing declares",
    bookOf(one, {
      "a.xhtml": encoderOf("windows-1251", "")(
        `<html><body><h1>Глава</h1><p>${
          "Съешь ещё этих мягких булок. ".repeat(3)
        }</p></body></html>`,
      ),
    }),
    { chapters: ["Глава"], shows: "Съешь ещё этих мягких булок." },
  ],
  "said to be ascii.epub": [
    "R68",
    "UTF-8 that says to be iso-8859-1, and windows-1252 that says to be UTF-8",
    bookOf({ hrefs: ["a.xhtml", "b.xhtml"] }, {
      "a.xhtml": encoded("utf-8", "iso-8859-1", "Été à Noël"),
      "b.xhtml": encoded("windows-1252", "utf-8", "Où est passée la clé de l'été"),
    }),
    { chapters: ["Été à Noël", "Où est passée la clé de l'été"], shows: "Été à Noël" },
  ],
  "wide.epub": [
    "R68",
    "UTF-32 with a mark",
    bookOf(one, {
      "a.xhtml": Uint8Array.from(
        [..."\ufeff<html><body><h1>Zeilen 中</h1></body></html>"].flatMap((letter) => {
          const code = letter.codePointAt(0) ?? 0;
          return [code & 255, code >> 8 & 255, code >> 16, 0];
        }),
      ),
    }),
    { chapters: ["Zeilen 中"], shows: "Zeilen 中" },
  ],
  "foreign.epub": [
    "said",
    "a chapter that is no page says so",
    bookOf(
      packed({ hrefs: ["a.pdf", "b.xhtml"] }).replace("application/xhtml+xml", "application/pdf"),
      { "a.pdf": "%PDF-1.4", "b.xhtml": text },
    ),
    { chapters: ["Part 1", "ONE"], shows: "No preview available" },
  ],
  "contents without a type.epub": [
    "titles",
    "from an NCX of another type",
    bookOf({ ...one, more: '<item id="x" href="toc.ncx" media-type="text/xml"/>' }, {
      "a.xhtml": text,
      "toc.ncx": ncx([["a.xhtml", "From the NCX"]]),
    }),
    { chapters: ["From the NCX"], shows: "Text of ONE" },
  ],
  "titles.epub": [
    "titles",
    "from the navigation, then the NCX, the first heading, and the title of the page",
    bookOf({ hrefs: [..."abcde"].map((name) => `${name}.xhtml`), more: navItem + ncxItem }, {
      "a.xhtml": text,
      "b.xhtml": page("<h1>Heading of b</h1>"),
      "c.xhtml": page("<p>x</p><h2>Heading <i>of</i> c</h2>"),
      "d.xhtml": page("<p>none</p>", "<title> Book </title>"),
      "e.xhtml": page("<p>none</p>", "<title>Title of e</title>"),
      "nav.xhtml": page(
        '<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="landmarks"><a href="a.xhtml">Start</a></nav>' +
          '<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol><li><a href="A.xhtml">From nav</a></li></ol></nav>',
      ),
      "toc.ncx": ncx([["a.xhtml", "From NCX"], ["b.xhtml#x", "NCX b"]]),
    }),
    {
      chapters: ["From nav", "NCX b", "Heading of c", "Part 4", "Title of e"],
      shows: "Text of ONE",
    },
  ],
  "locked.epub": [
    "DRM",
    "a book that is encrypted says so",
    bookOf(one, { "a.xhtml": "\x01\x02\x03" }, locked(encryption("OEBPS/a.xhtml"))),
    { shows: "it is copy-protected (DRM)" },
  ],
  "part locked.epub": [
    "DRM",
    "a chapter that is encrypted says so",
    bookOf(
      { hrefs: ["b.xhtml", "a.xhtml"] },
      { "a.xhtml": text, "b.xhtml": "\x01\x02" },
      locked(encryption("OEBPS/b.xhtml")),
    ),
    { chapters: ["Part 1", "ONE"], shows: "This chapter can’t be shown: it is copy-protected" },
  ],
  "fonts.epub": [
    "DRM",
    "fonts that are obfuscated lock no book",
    bookOf(one, { "a.xhtml": text, "font.otf": "\x01" }, locked(fonts)),
    { shows: "Text of ONE" },
  ],
};
