import assert from "node:assert/strict";
import {
  AnsiReader,
  type Span,
  type TextStyle,
} from "../../../../../lib/client/screens/terminal/shell_ansi.ts";
import { character, fc } from "../../../../support/run/property.ts";

const read = (text: string): Span[] => new AnsiReader().line(text);
const textOf = (text: string): string => read(text).map((span) => span.text).join("");
const styleOf = (parameters: string): TextStyle => read(`\x1b[${parameters}mx`)[0]?.style ?? {};

Deno.test("plain text is one piece, an empty line none", () => {
  assert.deepEqual(read("plain"), [{ text: "plain", style: {} }]);
  assert.deepEqual(read(""), []);
});

Deno.test("the 16 colours are told by their numbers, for text and ground", () => {
  assert.deepEqual(styleOf("31"), { fg: 1 });
  assert.deepEqual(styleOf("97;44"), { fg: 15, bg: 4 });
  assert.deepEqual(styleOf("1;4;103"), { bold: true, underline: true, bg: 11 });
});

Deno.test("of 256 colours the first 16 are the theme's, the others a cube and greys", () => {
  assert.deepEqual(styleOf("38;5;9"), { fg: 9 });
  assert.deepEqual(styleOf("38;5;16"), { fg: "#000000" });
  assert.deepEqual(styleOf("38;5;208"), { fg: "#ff8700" });
  assert.deepEqual(styleOf("48;5;231"), { bg: "#ffffff" });
  assert.deepEqual(styleOf("48;5;255;1"), { bg: "#eeeeee", bold: true });
  assert.deepEqual(styleOf("38:5:244"), { fg: "#808080" });
});

Deno.test("true colours are read with semicolons and with colons", () => {
  assert.deepEqual(styleOf("38;2;255;128;0;1"), { fg: "#ff8000", bold: true });
  assert.deepEqual(styleOf("48:2::1:2:3"), { bg: "#010203" });
  assert.deepEqual(styleOf("38:2:1:2:999"), { fg: "#0102ff" });
});

Deno.test("a style ends where it is switched off, and 0 ends all", () => {
  assert.deepEqual(read("\x1b[1;31mred\x1b[22mthin\x1b[0mplain"), [
    { text: "red", style: { bold: true, fg: 1 } },
    { text: "thin", style: { bold: undefined, dim: undefined, fg: 1 } },
    { text: "plain", style: {} },
  ]);
  assert.deepEqual(read("\x1b[31mred\x1b[mplain").at(-1), { text: "plain", style: {} });
});

Deno.test("colours go on in the next line", () => {
  const reader = new AnsiReader();
  reader.line("\x1b[32mgreen");
  assert.deepEqual(reader.line("still"), [{ text: "still", style: { fg: 2 } }]);
});

Deno.test("a carriage return writes over the line, as progress bars do", () => {
  assert.equal(textOf("10%\r20%\r100%"), "100%");
  assert.equal(textOf("a long line\rshort"), "shortg line");
  assert.equal(textOf("a long line\r\x1b[Kshort"), "short");
  assert.equal(textOf("abc\b\bX"), "aXc");
  assert.equal(textOf("abc\x1b[2K\rx"), "x  ");
});

Deno.test("tabs lead to the next stop", () => {
  assert.equal(textOf("a\tb"), "a       b");
  assert.equal(textOf("12345678\tb"), "12345678        b");
});

Deno.test("the cursor moves within the line, and what it skips is blank", () => {
  assert.equal(textOf("abc\x1b[2Dxy"), "axy");
  assert.equal(textOf("10%\x1b[1G25%"), "25%");
  assert.equal(textOf("a\x1b[3Cb\x1b[99Dc"), "c   b");
  assert.equal(textOf(`a\x1b[${"9".repeat(30)}Cb`), `a${" ".repeat(999)}b`);
});

Deno.test("other moves of the cursor, titles, links and other sequences leave nothing behind", () => {
  assert.equal(textOf("\x1b[2J\x1b[H\x1b[10;20Hhome\x1b[3A\x1b[?25l"), "home");
  assert.equal(textOf("\x1b]0;title\x07text"), "text");
  assert.equal(textOf("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\"), "link");
  assert.equal(textOf("\x1b(Btext\x1b=\x07\x00"), "text");
  assert.equal(textOf("\x1b[>4;2mtext"), "text");
  assert.equal(textOf("cut off \x1b["), "cut off ");
});

Deno.test("an accent of its own stays with its letter when a line is written over", () => {
  assert.equal(textOf("e\u0301a\rX"), "Xa");
  assert.equal(textOf("😀b\rX"), "Xb");
});

Deno.test("whatever comes, no control character is left and nothing is thrown", () => {
  const piece = fc.constantFrom(
    "\x1b[",
    "\x1b]",
    "38;5;",
    "48:2:",
    "m",
    "K",
    "\r",
    "\b",
    "\t",
    "x",
  );
  fc.assert(fc.property(fc.array(fc.oneof(piece, fc.string({ unit: character }))), (pieces) => {
    // deno-lint-ignore no-control-regex -- these are what is looked for.
    assert.doesNotMatch(textOf(pieces.join("")), /[\x00-\x1f\x7f-\x9f]/);
  }));
});
