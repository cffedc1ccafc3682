import assert from "node:assert/strict";
import { phrasesOf } from "../../../../lib/server/features/contents/phrases.ts";
import { snippetOf } from "../../../../lib/server/features/contents/snippet.ts";
import { fc } from "../../../support/run/property.ts";

const shown = (text: string, ...terms: string[]) =>
  snippetOf(text, phrasesOf(terms))?.snippet.map((piece, index) => index % 2 ? `[${piece}]` : piece)
    .join("");

Deno.test("a snippet marks all hits, however they are written", () => {
  assert.equal(shown("A Résumé, the RESUME", "resume"), "A [Résumé], the [RESUME]");
  assert.equal(shown("日本語のテキスト", "本語"), "日[本語]のテキスト");
  assert.equal(shown("invoices and inventions", "inv*"), "[invoices] and [inventions]");
  assert.equal(shown("foo, bar", "foo bar"), "[foo, bar]");
  assert.equal(shown("foo bar", "bar foo"), undefined);
});

Deno.test("a snippet shows where most of the words stand together", () => {
  const text = `alpha ${"filler ".repeat(100)}\nalpha beta here\n${"filler ".repeat(100)}`;
  const snippet = snippetOf(text, phrasesOf(["alpha", "beta"]));
  assert.equal(snippet?.line, 2);
  assert.match(snippet.snippet.join(""), /^….*alpha beta here.*…$/);
  assert.ok(snippet.snippet.join("").length < 220);
});

Deno.test("a snippet has neither control characters nor any that turn its direction", () => {
  const text = "a\r\n\tneedle \x1b[31m\u202eevil\u2066 \x00\x07 \ufeff end";
  assert.equal(shown(text, "needle"), "a [needle] [31mevil end");
});

Deno.test("the pieces of a snippet are what stands in the text, and as short as a line", () => {
  const part = fc.constantFrom(
    "needle",
    "Needle",
    "hay ",
    " ",
    "\n",
    "日本",
    "👩‍🌾",
    "e\u0301",
    ". ",
    "x".repeat(90),
  );
  fc.assert(fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
    const text = parts.join("");
    const found = snippetOf(text, phrasesOf(["needle"]));
    if (!found) return;
    const flat = text.replace(/\s+/gu, " ");
    const whole = found.snippet.join("").replaceAll("…", "");
    assert.ok(flat.includes(whole), whole);
    assert.ok(whole.isWellFormed());
    assert.ok(whole.length <= 400);
    for (const [index, piece] of found.snippet.entries()) {
      if (index % 2 === 1) assert.equal(piece.toLowerCase(), "needle");
    }
  }));
});
