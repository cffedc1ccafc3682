import assert from "node:assert/strict";
import type { Child } from "../../../../lib/server/core/access/folder_visibility.ts";
import { nameTestOf, parseQuery } from "../../../../lib/server/files/search/query.ts";
import { foldText } from "../../../../lib/shared/fold.ts";
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
    for (const query of group) assertFits(query, group.map((name) => `x ${name}.txt`), ["other"]);
  }
  assertFits("cafe", [], ["caf\u00e9", "cafe\u0301"]);
  assertFits("Οδος", ["οδοσαβ"], []);
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

Deno.test("every letter folds to one and the same from each of its cases and compositions", () => {
  for (let code = 0; code < 0x20000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const letter = String.fromCodePoint(code);
    const forms = [letter.toUpperCase(), letter.toLowerCase(), letter.normalize("NFD")];
    if (forms.every((form) => form === letter)) continue;
    const folded = foldText(letter);
    for (const form of [...forms, folded]) {
      assert.equal(foldText(form), folded, `${letter} ${form}`);
    }
  }
});
