import assert from "node:assert/strict";
import type { Child } from "../../../../lib/server/core/access/folder_visibility.ts";
import { nameTestOf, parseQuery } from "../../../../lib/server/files/search/query.ts";
import { fc } from "../../../support/run/property.ts";

const fits = (query: string, name: string) => nameTestOf(parseQuery(query)).matches(name);

function assertFits(query: string, fitting: string[], others: string[]): void {
  for (const name of fitting) assert.equal(fits(query, name), true, `${query} fits ${name}`);
  for (const name of others) assert.equal(fits(query, name), false, `${query} fits ${name}`);
}

Deno.test("a name must have all the terms, in any order", () => {
  assertFits("sea june", ["june sea.jpg", "SEA in June", "seajune"], ["sea.jpg", "june.jpg"]);
  assertFits('"sea june"', ["a sea june b"], ["june sea", "sea  june"]);
  assertFits(".", ["a.b"], ["README"]);
});

Deno.test("letters fit in either case, in all scripts, however they are composed", () => {
  const alike = [
    ["straße", "STRASSE", "Straße"],
    ["ΟΔΟΣ", "οδος", "οδοσ"],
    ["istanbul", "İstanbul", "ISTANBUL", "ıstanbul"],
    ["caf\u00e9", "cafe\u0301", "CAF\u00c9", "CAFE\u0301"],
    ["ПРИВЕТ", "привет"],
    ["ＡＢＣ", "ａｂｃ"],
    ["e\u0323\u0302", "\u1ec7", "E\u0302\u0323"],
  ];
  for (const group of alike) {
    for (const query of group) assertFits(query, group.map((name) => `x ${name}.txt`), ["zzz"]);
  }
  assertFits("Οδος", ["οδοσαβ"], []);
});

Deno.test("letters fit with and without accents, in either width, and so do marks alone", () => {
  assertFits("cafe", ["caf\u00e9", "cafe\u0301", "CAFÉ"], ["caf"]);
  assertFits("café", ["Cafe.txt"], []);
  assertFits("ＡＢＣ", ["abc.txt"], []);
  assertFits("abc", ["ＡＢＣ"], []);
  assertFits("ガイド", ["ｶﾞｲﾄﾞ"], ["カイト"]);
  assertFits("سلام", ["ســلَام"], []);
  assertFits("ـ", ["ســلام"], ["سلام"]);
  assertFits("\u0301", ["e\u0301\u0301"], ["e"]);
  assertFits("case:sensitive cafe", ["cafe"], ["café"]);
});

Deno.test("a word with wildcards is a pattern for the name; in quotes, and as it is, a text", () => {
  assertFits("*.jpg", ["a.JPG", "x *.jpg y"], ["a.jpg.txt", "jpg"]);
  assertFits("sea *.{jpg,png}", ["my sea.png"], ["sea.gif", "a.png"]);
  assertFits('"*.jpg"', ["a *.jpg b"], ["a.jpg"]);
  assertFits("what?", ["what?.txt", "whats"], ["what"]);
  assertFits("[draft]", ["report [draft].txt", "d"], ["draft"]);
  assertFits(".jpg", ["a.jpg", "a.jpg.txt"], ["ajpg"]);
  assertFits("inv*", ["invoice"], ["my invoice"]);
  assertFits("type:txt *a*", ["bab.txt"], ["bab.md"]);
  assertFits("case:sensitive *.JPG", ["a.JPG"], ["a.jpg"]);
  assert.equal(nameTestOf(parseQuery("xy *.{jpg,png}")).needle?.lower.length, 2);
});

Deno.test("case:sensitive tells letters apart, but not how they are composed", () => {
  assertFits("case:sensitive Sea", ["Sea", "a Sea"], ["sea", "SEA"]);
  assertFits("case:sensitive caf\u00e9", ["cafe\u0301"], ["CAF\u00c9"]);
  assertFits("case:sensitive type:JPG", ["a.jpg", "a.JPG"], []);
});

Deno.test("types are alternatives, told by name", () => {
  const names = ["a.JPG", "b.mp3", "c.mkv", "d.pdf", "e.txt", "f.tar.gz", "jpg", ".jpg"];
  const found = (query: string) => names.filter((name) => fits(query, name)).join(" ");
  assert.equal(found("type:image"), "a.JPG");
  assert.equal(found("type:music"), found("type:audio"));
  assert.equal(found("type:audio type:video"), "b.mp3 c.mkv");
  assert.equal(found("type:pdf"), "d.pdf");
  assert.equal(found("type:gz"), "f.tar.gz");
  assert.equal(found("type:tar.gz type:jpg"), "a.JPG f.tar.gz");
  assert.equal(found("a type:image type:txt"), "a.JPG");
});

Deno.test("only files that are there have a type", () => {
  const child: Child = { name: "a.jpg", kind: "file", isFolder: false, target: null };
  const broken: Child["target"] = { kind: "broken", real: null, via: [] };
  const outside: Child["target"] = { kind: "outside" };
  const { typeMatches } = nameTestOf(parseQuery("type:image"));
  assert.equal(typeMatches(child), true);
  assert.equal(typeMatches({ ...child, isFolder: true }), false);
  assert.equal(typeMatches({ ...child, target: broken }), false);
  assert.equal(typeMatches({ ...child, target: outside }), false);
  const named = nameTestOf(parseQuery("a"));
  assert.equal(named.typeMatches({ ...child, isFolder: true }), true);
  assert.equal(named.typeMatches({ ...child, target: broken }), true);
});

Deno.test("any name is found by any word of it, in any case and composition", () => {
  const word = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => !text.includes('"'));
  const change = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.normalize("NFD"),
    (text) => text.normalize("NFC").toLowerCase(),
  );
  fc.assert(fc.property(word, word, word, change, (before, middle, after, changed) => {
    const query = `"${changed(middle)}"`;
    assert(fits(query, `${before} ${middle} ${after}`), query);
  }));
});
