import assert from "node:assert/strict";
import { endOf } from "../../../../../lib/client/files_page/listing/EntryRow.tsx";

Deno.test("endOf() keeps the extension and what tells copies apart", () => {
  assert.equal(endOf("Thesis, final version (2).docx", 11), "(2).docx");
  assert.equal(endOf("2026-11-23 Minutes of the meeting", 11), "ing");
  assert.equal(endOf("Thesis, final version (2).docx", 22), "on (2).docx");
});

Deno.test("endOf() leaves the beginning of a name of a letter and an extension", () => {
  assert.equal(endOf("ab.markdownx", 11), "b.markdownx");
  assert.equal(endOf(".jpeg.bak2026", 11), "peg.bak2026");
});

Deno.test("endOf() leaves short names whole", () => {
  assert.equal(endOf("photo.jpg", 11), "");
  assert.equal(endOf("", 11), "");
  assert.equal(endOf("a longer photo.jpg", 32), "");
  assert.equal(endOf("a photo.jpg", 14), "");
});

Deno.test("endOf() counts letters that are twice as wide twice", () => {
  assert.equal(endOf("報告書.docx", 16), "");
  assert.equal(endOf("報告書の最終版.docx", 14), "の最終版.docx");
});

Deno.test("endOf() does not take a sentence after a dot for an extension", () => {
  assert.equal(endOf("Chapter 1. The beginning of it all", 22), "it all");
  assert.equal(endOf(".configuration-of-something", 22), "ething");
});

Deno.test("endOf() never tears letters that belong together", () => {
  assert.equal(endOf("مستند طويل جدا للاختبار.docx", 11), ".docx");
  assert.equal(endOf("Urlaubsfotos 2026 👨‍👩‍👧‍👦👨‍👩‍👧‍👦.jpg", 11), ".jpg");
  assert.equal(endOf("a very long name with accents e\u0301e\u0301e\u0301", 11), "");
});
