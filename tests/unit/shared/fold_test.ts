import assert from "node:assert/strict";
import { foldCase, foldText } from "../../../lib/shared/fold.ts";
import { fc } from "../../support/run/property.ts";

Deno.test("letters fold to those that people type for them", () => {
  const pairs: [string, string][] = [
    ["Café", "cafe"],
    ["STRASSE", "straße"],
    ["ŁÓDŹ, Øresund, Đà Nẵng, Æther, cœur, Þór", "lodz, oresund, da nang, aether, coeur, thor"],
    ["İstanbul", "ıstanbul"],
    ["ΟΔΟΣ", "οδός"],
    ["ＡＢＣ１２３", "abc123"],
    ["ｶﾞｲﾄﾞ ﾊﾟﾝ", "ガイド パン"],
    ["سَلَامٌ", "سلام"],
    ["ســـلام", "سلام"],
    ["أحمد إلى آخر", "احمد الي اخر"],
    ["فارسی کتاب", "فارسي كتاب"],
    ["שָׁלוֹם", "שלום"],
    ["ёлка", "ЕЛКА"],
    ["ﬁnal co\u00adop\u200berate", "final cooperate"],
    ["a\u00a0b", "a b"],
  ];
  for (const [written, typed] of pairs) assert.equal(foldText(written), foldText(typed), written);
});

Deno.test("letters that only look alike stay apart", () => {
  for (const pair of ["かが", "はぱ", "ハパ", "अआ", "한하"]) {
    const [one = "", other = ""] = pair;
    assert.notEqual(foldText(one), foldText(other), pair);
  }
});

Deno.test("foldCase() keeps accents and width", () => {
  assert.equal(foldCase("CAFE\u0301 Straße"), "café strasse");
  assert.equal(foldCase("ＡＢＣ"), "ａｂｃ");
});

Deno.test("every letter folds to one and the same from each of its cases and compositions", () => {
  for (let code = 0; code < 0x20000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const letter = String.fromCodePoint(code);
    const forms = [letter.toUpperCase(), letter.toLowerCase(), letter.normalize("NFD")];
    if (forms.every((form) => form === letter)) continue;
    for (const fold of [foldText, foldCase]) {
      const folded = fold(letter);
      for (const form of [...forms, folded]) {
        assert.equal(fold(form), folded, `${letter} ${form}`);
      }
    }
  }
});

Deno.test("half a pair of surrogates does not keep the next character from being folded", () => {
  assert.equal(foldText("\ud83c𝐀 ㅎ"), `${foldText("\ud83c")}a ${foldText("ㅎ")}`);
});

Deno.test("a text folds as its characters do, wherever marks, pairs and syllables meet", () => {
  const unit = fc.constantFrom(
    ...["é", "e\u0301", "\u0301", "ﾊ", "ﾟ", "ハ", "\u309a", "한", "\u1112", "\u1161", "\u11ab"],
    ...[
      "ㅎ",
      "ㅏ",
      "ß",
      "Σ",
      "ς",
      "İ",
      "🎉",
      "\ud83c",
      "\udf89",
      "𝐀",
      "क",
      "\u093c",
      "ـ",
      " ",
      "a",
    ],
  );
  fc.assert(fc.property(fc.array(unit), fc.array(unit), (before, after) => {
    const text = [...before, ...after].join("");
    const folded = foldText(text);
    assert.equal(foldText(text.normalize("NFC")), folded);
    assert.equal(foldText(text.normalize("NFD")), folded);
    assert.equal(foldText(folded), folded);
    const apart = `${before.join("")} ${after.join("")}`;
    assert.equal(foldText(apart), `${foldText(before.join(""))} ${foldText(after.join(""))}`);
  }));
});
