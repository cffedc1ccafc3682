import assert from "node:assert/strict";
import { resolvePart } from "../../../../../lib/client/screens/preview/documents/epub.ts";

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
    ["%zz", null],
  ];
  for (const [address, part] of known) assert.equal(resolvePart(from, address), part, address);
});
