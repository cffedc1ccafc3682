import assert from "node:assert/strict";
import { formatName, parseTextFormat } from "../../../../lib/server/files/text/format.ts";
import { assertDenied } from "../../core/access/visitors.ts";

Deno.test("parseTextFormat() refuses what can't be written, and marks where there is none", () => {
  const refused = ["", "-bom", "klingon", "utf-7", "utf-32", "iso-2022-jp", "replacement"];
  for (const name of [...refused, "x-user-defined", "windows-1252-bom", "utf-8-bom-bom"]) {
    assertDenied(() => parseTextFormat(name), "invalid_option", name);
  }
});

Deno.test("parseTextFormat() reads back what formatName() wrote, and other names for the same", () => {
  for (const name of ["utf-8", "utf-8-bom", "utf-16le-bom", "utf-16be", "windows-1251", "gbk"]) {
    assert.equal(formatName(parseTextFormat(name)), name);
  }
  assert.equal(formatName(parseTextFormat("Latin1")), "windows-1252");
  assert.equal(formatName(parseTextFormat("UTF-16-BOM")), "utf-16le-bom");
  assert.equal(formatName(parseTextFormat("sjis")), "shift_jis");
});
