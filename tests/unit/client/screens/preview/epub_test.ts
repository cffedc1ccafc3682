import assert from "node:assert/strict";
import {
  BookParts,
  resolvePart,
} from "../../../../../lib/client/screens/preview/documents/book_parts.ts";

Deno.test("resolvePart() finds parts of the same book, and nothing else", () => {
  const from = "/OEBPS/text/c 1.xhtml";
  const known: [string, string | null][] = [
    ["c2.xhtml#end", "/OEBPS/text/c2.xhtml"],
    ["../images/a%20b.png", "/OEBPS/images/a b.png"],
    ["../../../../up.png", "/up.png"],
    ["/top.png", "/top.png"],
    ["#here", "/OEBPS/text/c 1.xhtml"],
    ["https://evil.example/a.png", null],
    ["//evil.example/a.png", null],
    ["javascript:alert(1)", null],
    ["data:text/html,x", null],
    ["%zz", "/OEBPS/text/%zz"],
    ["100%.xhtml", "/OEBPS/text/100%.xhtml"],
    ["a\\b.xhtml", "/OEBPS/text/a/b.xhtml"],
  ];
  for (const [address, part] of known) assert.equal(resolvePart(from, address), part, address);
});

Deno.test("find() finds parts in another case or composition, and the exact one before", () => {
  const parts = new BookParts(new Map([["/A.xhtml", 1], ["/a.xhtml", 2], ["/e\u0301%20b", 3]]));
  const known: [string, string | null][] = [
    ["/a.xhtml", "/a.xhtml"],
    ["/A.xhtml", "/A.xhtml"],
    ["/A.XHTML", "/A.xhtml"],
    ["/\u00c9 b", "/e\u0301%20b"],
    ["/none", null],
  ];
  for (const [path, part] of known) assert.equal(parts.find(path), part, path);
  assert.equal(new BookParts(new Map(), false).find("/none"), "/none");
});
