import assert from "node:assert/strict";
import { checkDrawing } from "../../../lib/server/images/drawing_check.ts";

const encoder = new TextEncoder();
const check = (text: string) => checkDrawing(encoder.encode(text));
const svg = (content: string, attributes = "") => `<svg ${attributes}>${content}</svg>`;

const alien: Record<string, string> = {
  "a file": svg('<image href="file:///etc/passwd"/>'),
  "a path": svg("<image xlink:href='../secret.png'/>"),
  "an address": svg('<use href="http://169.254.169.254/latest#a"/>'),
  "an address without a scheme": svg('<image x:href = "//host/a.png"/>'),
  "a reference without quotes": svg("<image href=file:///etc/passwd />"),
  "a reference that an entity hides": svg('<image href="&file;"/>'),
  "a reference that a number hides": svg('<image href="&#102;ile:///etc/passwd"/>'),
  "a base of another place": svg('<use href="#a"/>', 'xml:base="file:///etc/"'),
  "a picture filter": svg('<feImage href="file:///a.png"/>'),
  "a script": svg('<script src="http://host/a.js"/>'),
  "a drawing within": svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'),
  "text as data": svg('<image href="data:text/html,x"/>'),
  "a style with an address": svg("<style>rect { fill: url(http://host/a#b) }</style>"),
  "a style with a quoted address": svg('<rect style="fill:url( &quot;http://host&quot; )"/>'),
  "a style hidden by a number": svg('<rect style="fill:&#x75;rl(http://host)"/>'),
  "a style hidden by a backslash": svg("<style>rect { fill: \\75rl(http://host) }</style>"),
  "an imported style": svg("<style>@IMPORT 'http://host/a.css';</style>"),
  "a style sheet": '<?xml-stylesheet href="file:///a.css"?>' + svg(""),
  "an inclusion": svg('<xi:include parse="text" href="#a"/>'),
  "entities": `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg("<text>&x;</text>")}`,
  "entities of another case": `<!DOCTYPE svg [<!entity x "y">]>${svg("")}`,
  "a second document type": `<!DOCTYPE svg><!DOCTYPE svg SYSTEM "http://host/a.dtd">${svg("")}`,
};

for (const [what, text] of Object.entries(alien)) {
  Deno.test(`a drawing with ${what} is refused`, () => {
    assert.throws(() => check(text), { name: "NoPreview", reason: /outside of it/ }, text);
  });
}

Deno.test("a drawing that is not in UTF-8, or too long, is refused", () => {
  const wide = new Uint8Array(new Uint16Array([...svg("")].map((c) => c.charCodeAt(0))).buffer);
  assert.throws(() => checkDrawing(Uint8Array.from([0xff, 0xfe, ...wide])), { reason: /UTF-8/ });
  assert.throws(() => checkDrawing(Uint8Array.from([0xe4, ...encoder.encode(svg(""))])), {
    reason: /UTF-8/,
  });
  const long = new Uint8Array(3 * 2 ** 20).fill(0x20);
  assert.throws(() => checkDrawing(long), { reason: /too long/ });
});

Deno.test("a drawing may refer to its own parts and hold photographs", () => {
  const own = svg(
    `<defs><g id="a"/></defs><use href="#a"/><use xlink:href='#a'/><rect fill="url(#b)"/>
    <rect style="fill:url('#b');mask:url( #c )"/><style>.x{clip-path:url(#d)}</style>
    <image href="data:image/png;base64,iVBORw0KGgo="/><text>&#39;it&#39;s&#10;</text>
    <!-- a comment --><![CDATA[text]]><rdf:li rdf:resource="http://purl.org/dc"/>`,
    'xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.inkscape.org" data-src="b"',
  );
  assert.equal(check(own), own);
});

Deno.test("what only says which kind of document it is does not get to the parser", () => {
  const drawing = svg("<rect/>");
  const prolog = '\ufeff<?xml version="1.0" encoding="UTF-8" standalone="no"?>';
  const type = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">';
  assert.equal(check(prolog + type + drawing), drawing);
});
