import assert from "node:assert/strict";
import { indexedText, wordsOf } from "../../../../lib/server/features/contents/words.ts";
import { character, fc } from "../../../support/run/property.ts";

Deno.test("words are letters and digits, in lower case and without accents", () => {
  assert.deepEqual(wordsOf("Don't stop: foo_bar-BAZ 3.14!"), [
    ..."don t stop foo bar baz 3 14".split(" "),
  ]);
  assert.deepEqual(wordsOf("Straße École naïve İstanbul ΟΔΟΣ ёлка"), [
    ..."strasse ecole naive istanbul οδοσ елка".split(" "),
  ]);
  assert.deepEqual(wordsOf("ＦＵＬＬ ½ ①"), ["full", "1", "2", "1"]);
  assert.deepEqual(wordsOf("سَلام שָׁלוֹם"), ["سلام", "שלום"]);
});

Deno.test("a composed character is the same as a decomposed one", () => {
  for (const text of ["é", "가", "が", "ﾊﾟ", "Å"]) {
    assert.deepEqual(wordsOf(text.normalize("NFD")), wordsOf(text.normalize("NFC")), text);
  }
});

Deno.test("where no spaces are put, each character is a word", () => {
  assert.deepEqual(wordsOf("日本語のテスト"), [..."日本語のテスト"]);
  assert.deepEqual(wordsOf("v2の日本"), ["v2", "の", "日", "本"]);
  assert.deepEqual(wordsOf("한국어"), ["한", "국", "어"]);
  assert.equal(wordsOf("ไทย").length, 3);
});

Deno.test("a word without end counts by its beginning", () => {
  assert.deepEqual(wordsOf("a".repeat(1_000)), ["a".repeat(64)]);
  assert.deepEqual(wordsOf("é".repeat(1_000)), ["e".repeat(64)]);
  assert.equal(indexedText("a".repeat(1_000)), "a".repeat(64));
});

/** Splits as SQLite's tokenizer "ascii" does. */
const split = (text: string) =>
  text.toLowerCase().split(/[^a-z0-9\x80-\u{10ffff}]+/u).filter(Boolean);

Deno.test("any text is indexed by the very words that are read in it", () => {
  const text = fc.oneof(
    fc.string({ unit: character }),
    fc.string({ unit: "grapheme" }),
    fc.array(fc.constantFrom("日本", "Straße", " ", "ﾊﾟ", "e\u0301", "\u0301", "a".repeat(70), "½"))
      .map((parts) => parts.join("")),
  );
  fc.assert(fc.property(text, (text) => {
    assert.deepEqual(split(indexedText(text)), wordsOf(text).map((word) => word.toLowerCase()));
  }));
});
