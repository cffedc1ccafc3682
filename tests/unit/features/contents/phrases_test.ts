import assert from "node:assert/strict";
import { IndexFile } from "../../../../lib/server/features/contents/index_file.ts";
import { IndexWriter } from "../../../../lib/server/features/contents/index_writer.ts";
import { expressionOfAll, phrasesOf } from "../../../../lib/server/features/contents/phrases.ts";
import { snippetOf } from "../../../../lib/server/features/contents/snippet.ts";
import { parsePath } from "../../../../lib/shared/path.ts";
import { temporaryFolder } from "../../../support/disks/files.ts";
import { character, fc } from "../../../support/run/property.ts";

const version = { ino: 1, size: 1, modified: 1, changed: 1 };

Deno.test("terms are words, phrases and beginnings of words", () => {
  const of = (...terms: string[]) => expressionOfAll(phrasesOf(terms));
  assert.equal(of("Budget"), '"budget"');
  assert.equal(of("annual report", "inv*"), '"annual report" AND "inv" *');
  assert.equal(of("annual rep*"), '"annual rep" *');
  assert.equal(of("日本"), '"日 本"');
  assert.equal(of("x*", "x"), '"x"', "too short to be a beginning");
  assert.equal(of("!!!", "*", '"', "--", ""), "");
  assert.equal(of("NEAR(a b)", "a OR b", "NOT"), '"near a b" AND "a or b" AND "not"');
  assert.equal(phrasesOf(Array.from({ length: 99 }, (_, index) => `w${index}`)).length, 32);
});

Deno.test("no query is an error of syntax, and what was written is found by its own words", async () => {
  await using folder = await temporaryFolder();
  using index = new IndexFile(`${folder.path}/contents.db`, "write");
  const writer = new IndexWriter(index);
  const path = parsePath("/a.txt").path;
  const hostile = fc.constantFrom(
    ...['"', "'", "*", "(", ")", "^", ":", "-", "+", "{", "}", "AND", "OR", "NOT", "NEAR", "text:"],
    ...["\0", ";", "--", "\\", "%", "?1", "日本", "e\u0301", "\ud800"],
  );
  const term = fc.oneof(
    fc.string({ unit: character, maxLength: 30 }),
    fc.array(fc.oneof(hostile, fc.string({ maxLength: 5 })), { maxLength: 12 })
      .map((parts) => parts.join(" ")),
  );
  const find = (
    expression: string,
  ) => [...index.each("SELECT rowid FROM words WHERE words MATCH ?", expression)];
  index.begin();
  fc.assert(fc.property(fc.array(term, { minLength: 1, maxLength: 40 }), (terms) => {
    const text = terms.join("\n");
    writer.put(path, version, text);
    const phrases = phrasesOf(terms);
    if (phrases.length === 0) return;
    assert.equal(find(expressionOfAll(phrases)).length, 1);
    const snippet = snippetOf(text, phrases);
    assert.ok(snippet, "the snippet agrees with the index");
    assert.ok(snippet.snippet.length >= 3);
  }));
  index.commit();
  assert.equal(writer.files, 1);
});
