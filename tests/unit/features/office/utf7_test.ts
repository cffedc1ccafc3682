import assert from "node:assert/strict";
import fc from "fast-check";
import { fromUtf7 } from "../../../../lib/server/features/office/utf7.ts";
import { toUtf7 } from "../../../support/office/utf7.ts";

Deno.test("UTF-7 is decoded as RFC 2152 has it", () => {
  assert.equal(fromUtf7("A+ImIDkQ."), "A≢Α.");
  assert.equal(fromUtf7("Hi Mom -+Jjo--!"), "Hi Mom -☺-!");
  assert.equal(fromUtf7("+ZeVnLIqe-"), "日本語");
  assert.equal(fromUtf7("Item 3 is +AKM-1."), "Item 3 is £1.");
  assert.equal(fromUtf7("+2D3eAA-"), "😀");
  assert.equal(fromUtf7("1 +- 1"), "1 + 1");
});

Deno.test("a name in plain text stays as it is, be it with plus signs", () => {
  for (
    const name of ["C++ notes", "a+b", "2+2", "x+", "++", "+1-2", "+2D0-", "日本", ""]
  ) {
    assert.equal(fromUtf7(name), name);
  }
});

Deno.test("every name comes through UTF-7 unchanged", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (name) => {
    assert.equal(fromUtf7(toUtf7(name.toWellFormed())), name.toWellFormed());
  }));
});
