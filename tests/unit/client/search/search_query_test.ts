import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isEmpty,
  isTooShort,
  partsOf,
  queryOf,
  termsOf,
} from "../../../../lib/client/search/search_query.ts";

const marked = (name: string, text: string) =>
  partsOf(name, termsOf(text)).map(({ text, hit }) => hit ? `[${text}]` : text).join("");

Deno.test("queryOf() puts the kinds behind what was typed", () => {
  assert.equal(queryOf(" sea  sky ", ["image", "pdf"]), "sea  sky type:image type:pdf");
  assert.equal(queryOf("", ["music"]), "type:music");
  assert.equal(queryOf(" ", []), "");
});

Deno.test("one plain letter is too short, one that is a word of its own is not", () => {
  assert.ok(isTooShort(" a "));
  assert.ok(!isTooShort("ab"));
  assert.ok(!isTooShort("海"));
  assert.ok(!isTooShort(""));
});

Deno.test("a text without a word or a kind asks for nothing", () => {
  for (const text of ["", " ", '"', '""', "case:sensitive", "  case:insensitive"]) {
    assert.ok(isEmpty(text), text);
  }
  for (const text of ["a", "type:pdf", "case:sensitive type:.zip", "type:", '"type:"']) {
    assert.ok(!isEmpty(text), text);
  }
});

Deno.test("every occurrence of every word is marked, in whatever case", () => {
  assert.equal(marked("Photos of photo.jpg", "photo"), "[Photo]s of [photo].jpg");
  assert.equal(marked("sea and sky.txt", "sky sea"), "[sea] and [sky].txt");
  assert.equal(marked("aaa", "aa"), "[aaa]");
  assert.equal(marked("nothing", "else"), "nothing");
});

Deno.test("a phrase in quotes is one word, options are none", () => {
  assert.equal(marked("new york, york", '"new york"'), "[new york], york");
  assert.equal(marked("type pdf case", "case:insensitive type:pdf case"), "type pdf [case]");
  assert.equal(marked("type:pdf", '"type:pdf"'), "[type:pdf]");
  assert.equal(marked("a type: b", "type:"), "a [type:] b");
});

Deno.test("case is minded when that is asked for", () => {
  assert.equal(marked("Sea sea", "case:sensitive sea"), "Sea [sea]");
});

Deno.test("letters that grow when they are folded are marked whole", () => {
  assert.equal(marked("Straße 1", "STRASSE"), "[Straße] 1");
  assert.equal(marked("ΟΔΟΣ", "οδος"), "[ΟΔΟΣ]");
  assert.equal(marked("Cafe\u0301 au lait", "café"), "[Café] au lait");
  assert.equal(marked("😀 smile 😀", "smile"), "😀 [smile] 😀");
});

Deno.test("the parts of a name are the name", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.string(), (name, text) => {
    const parts = partsOf(name, termsOf(text));
    assert.equal(parts.map((part) => part.text).join(""), name.normalize("NFC"));
  }));
});
