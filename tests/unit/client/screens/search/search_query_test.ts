import assert from "node:assert/strict";
import {
  isEmpty,
  isTooShort,
  NO_FILTER,
  partsOf,
  queryOf,
  type SearchAge,
  type SearchType,
  termsOf,
} from "../../../../../lib/client/screens/search/search_query.ts";
import { fc } from "../../../../support/run/property.ts";

const marked = (name: string, text: string) =>
  partsOf(name, termsOf(text)).map(({ text, hit }) => hit ? `[${text}]` : text).join("");

Deno.test("queryOf() puts the kinds behind what was typed", () => {
  const of = (...types: SearchType[]) => ({ ...NO_FILTER, types: new Set(types) });
  assert.equal(queryOf(" sea  sky ", of("image", "pdf")), "sea  sky type:image type:pdf");
  assert.equal(queryOf("", of("music")), "type:music");
  assert.equal(queryOf(" ", NO_FILTER), "");
  const bounded = { ...NO_FILTER, age: "7d", size: ">10mb" } as const;
  assert.equal(queryOf("sea", bounded), "sea date:7d size:>10mb");
});

Deno.test("queryOf() leaves the last word open for contents, while it is being typed", () => {
  const sent = (text: string) => queryOf(text, { ...NO_FILTER, age: "7d" }, true);
  assert.equal(sent("annual rep"), "annual rep* date:7d");
  assert.equal(sent("海洋"), "海洋* date:7d");
  for (const text of ["annual r", "rep*", '"annual rep"', "type:pdf"]) {
    assert.equal(sent(text), `${text} date:7d`, text);
  }
  assert.equal(sent('"annual rep'), '"annual rep* date:7d');
  assert.equal(sent("annual rep "), "annual rep date:7d");
});

Deno.test("queryOf() takes days from one to another, of which one may be missing", () => {
  const sent = (age: SearchAge) => queryOf("sea", { ...NO_FILTER, age });
  assert.equal(sent("2026-01-31.."), "sea date:2026-01-31..");
  assert.equal(sent("..2026-01-31"), "sea date:..2026-01-31");
  assert.equal(sent("today"), "sea date:today");
  assert.equal(sent(".."), "sea");
});

Deno.test("dates of the query are no words", () => {
  const options = [
    "7d",
    "today",
    "2026",
    "2026-01",
    "2025-12-24..2026-01-06",
    "..2026",
    ">2026-01-31",
  ];
  for (const date of options) {
    assert.deepEqual(termsOf(`a date:${date} modified:${date}`).words, ["a"], date);
  }
  assert.deepEqual(termsOf("date:tomorrow").words, ["date:tomorrow"]);
});

Deno.test("what is asked of the content is no word of the name", () => {
  assert.deepEqual(termsOf('a content:b content:"c d" "content:e"').words, ["a", "content:e"]);
  assert.ok(!isEmpty("content:b"));
  assert.ok(!isEmpty('content:"c d"'));
  assert.ok(isEmpty('content:""'));
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
  for (
    const text of [
      "a",
      "type:pdf",
      "case:sensitive type:.zip",
      "type:",
      '"type:"',
      "size:>1mb",
      "size:5",
    ]
  ) {
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
  assert.equal(marked("1mb modified:7", "size:>1mb modified:7d 1mb"), "[1mb] modified:7");
  assert.equal(marked("size:5", "size:5"), "[size:5]");
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

Deno.test("what is found with other accents or in another width is marked as it is written", () => {
  assert.equal(marked("Cafe\u0301s", "cafe"), "[Café]s");
  assert.equal(marked("a ｶﾞｲﾄﾞ b", "ガイド"), "a [ｶﾞｲﾄﾞ] b");
  assert.equal(marked("ســلَام.txt", "سلام"), "[ســلَام].txt");
  assert.equal(marked("سلام", "ـ"), "سلام");
});

Deno.test("a pattern is a query, and no word that is marked", () => {
  assert.equal(marked("sea *.jpg", "*.jpg sea"), "[sea] *.jpg");
  for (const text of ["*.jpg", "IMG_????"]) assert.ok(!isEmpty(text));
  assert.equal(queryOf("budget *.xlsx", NO_FILTER, true), "budget *.xlsx");
});

Deno.test("the parts of a name are the name", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.string(), (name, text) => {
    const parts = partsOf(name, termsOf(text));
    assert.equal(parts.map((part) => part.text).join(""), name.normalize("NFC"));
  }));
});
