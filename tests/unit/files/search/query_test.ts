import assert from "node:assert/strict";
import { DomainError } from "../../../../lib/shared/errors.ts";
import { parseQuery } from "../../../../lib/server/files/search/query.ts";
import { character, fc } from "../../../support/run/property.ts";
import { assertDenied } from "../../core/access/visitors.ts";

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
  for (const word of ["size:>", "size:>-1", "size:>5xb", "modified:x", "modified:>2026-02-32"]) {
    assert.deepEqual(parsed(word), [[word], [], "folded"]);
  }
  assert.deepEqual(parsed('"type:image" "case:sensitive"'), [
    ["type:image", "case:sensitive"],
    [],
    "folded",
  ]);
  assert.deepEqual(parsed("type:toString"), [[], [".tostring"], "folded"]);
});

Deno.test("parseQuery() takes bounds of size and date together", () => {
  const now = Date.parse("2026-03-10T12:00:00Z");
  const bounds = (text: string) => {
    const { size, modified } = parseQuery(text, now);
    return [size, modified];
  };
  assert.deepEqual(bounds("size:>1.5mb SIZE:<2GB"), [{ from: 1_500_000, to: 2e9 }, null]);
  assert.deepEqual(bounds("size:>5 size:>3"), [{ from: 5, to: Infinity }, null]);
  const day = Date.parse("2026-01-31T00:00:00Z");
  assert.deepEqual(bounds("modified:>2026-01-31"), [null, { from: day, to: Infinity }]);
  assert.deepEqual(bounds("modified:<2026-01-31"), [null, { from: -Infinity, to: day - 1 }]);
  assert.deepEqual(bounds("modified:2d"), [null, { from: now - 172_800_000, to: Infinity }]);
  assert.deepEqual(bounds("x"), [null, null]);
});

Deno.test("parseQuery() finds something in any text, or refuses it", () => {
  const piece = fc.oneof(
    fc.string({ unit: character }),
    fc.constantFrom('"', " ", "type:", "case:", "case:sensitive", "type:image", "\ud800", "."),
  );
  fc.assert(fc.property(fc.array(piece), (pieces) => {
    const text = pieces.join("");
    try {
      const { terms, patterns, types, size, modified } = parseQuery(text);
      assert(terms.length + patterns.length + types.length > 0 || size || modified);
      assert(terms.every((term) => term !== "" && term.isWellFormed()));
      assert(
        types.every((type) =>
          /^(folder|document|archive|image|audio|video|pdf|\.[^.][^]*)$/.test(type)
        ),
        `${types}`,
      );
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
