import assert from "node:assert/strict";
import fc from "fast-check";
import { DomainError } from "../../../lib/shared/errors.ts";
import { parseQuery } from "../../../lib/server/search/query.ts";
import { assertDenied } from "../access/visitors.ts";

const parsed = (text: string) => {
  const { terms, isCaseSensitive, types } = parseQuery(text);
  return [terms, types, isCaseSensitive ? "sensitive" : "folded"];
};

Deno.test("parseQuery() refuses a query with nothing to look for", () => {
  for (const text of ["", "   ", '""', '"', 'case:sensitive ""']) {
    assertDenied(() => parseQuery(text), "invalid_option", text);
  }
});

Deno.test("parseQuery() refuses a query without end", () => {
  assertDenied(() => parseQuery("a".repeat(1_001)), "invalid_option");
  assert.equal(parseQuery("a".repeat(1_000)).terms.length, 1);
});

Deno.test("parseQuery() takes words apart and keeps phrases whole", () => {
  assert.deepEqual(parsed(" one\ttwo  three "), [["one", "two", "three"], [], "folded"]);
  assert.deepEqual(parsed('a "new  york" b'), [["a", "new  york", "b"], [], "folded"]);
  assert.deepEqual(parsed('"not closed yet'), [["not closed yet"], [], "folded"]);
  assert.deepEqual(parsed('5" disk'), [['5"', "disk"], [], "folded"]);
});

Deno.test("parseQuery() takes types together and lets the last word on case count", () => {
  assert.deepEqual(parsed("x type:image TYPE:Music type:audio"), [
    ["x"],
    ["image", "audio", "audio"],
    "folded",
  ]);
  assert.deepEqual(parsed("type:pdf type:.TAR.GZ"), [[], ["pdf", ".tar.gz"], "folded"]);
  assert.deepEqual(parsed("x case:sensitive"), [["x"], [], "sensitive"]);
  assert.deepEqual(parsed("case:sensitive x Case:Insensitive"), [["x"], [], "folded"]);
});

Deno.test("parseQuery() takes what only looks like an option for a term", () => {
  for (const word of ["type:", "type:.", "case:study", "case:", "size:5", "constructor:x"]) {
    assert.deepEqual(parsed(word), [[word], [], "folded"]);
  }
  assert.deepEqual(parsed('"type:image" "case:sensitive"'), [
    ["type:image", "case:sensitive"],
    [],
    "folded",
  ]);
  assert.deepEqual(parsed("type:toString"), [[], [".tostring"], "folded"]);
});

Deno.test("parseQuery() finds something in any text, or refuses it", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom('"', " ", "type:", "case:", "case:sensitive", "type:image", "\ud800", "."),
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const text = pieces.join("");
    try {
      const { terms, types } = parseQuery(text);
      assert(terms.length + types.length > 0);
      assert(terms.every((term) => term !== "" && term.isWellFormed()));
      assert(types.every((type) => /^(image|audio|video|pdf|\.[^.][^]*)$/.test(type)), `${types}`);
    } catch (error) {
      assert(error instanceof DomainError && error.code === "invalid_option", `${error}`);
    }
  }));
});

Deno.test("parseQuery() reads back any phrases that were put in quotes", () => {
  const phrase = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) =>
    !text.includes('"')
  );
  fc.assert(fc.property(fc.array(phrase, { minLength: 1, maxLength: 9 }), (phrases) => {
    const text = phrases.map((each) => `"${each}"`).join(" ");
    fc.pre(text.length <= 1_000);
    assert.deepEqual(parseQuery(text).terms, phrases);
  }));
});
