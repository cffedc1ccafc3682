import assert from "node:assert/strict";
import {
  argumentsFor,
  hasShellSyntax,
  readHookLine,
  splitCommandLine,
} from "../../../../lib/server/features/commands/command_line.ts";
import { character, fc } from "../../../support/run/property.ts";

const word = fc.string({ unit: character, maxLength: 12 }).map((text) => text.replaceAll("\0", ""));

/** Characters that a shell and we read alike: no expansion, no chaining, no comment. */
const plainLine = fc.string({
  unit: fc.constantFrom("a", "b", "é", " ", "\t", "'", '"', "\\", "-", "/"),
  maxLength: 24,
});

function refused(line: string): boolean {
  try {
    splitCommandLine(line);
    return false;
  } catch {
    return true;
  }
}

Deno.test("splitCommandLine() refuses open quotes, a backslash at the end and NUL", () => {
  for (const line of ["a 'b", 'a "b', "a \\", '"a\\"', "'", '"', "\\", "a\0b", "'\0'"]) {
    assert.throws(() => splitCommandLine(line), { code: "invalid_option" }, JSON.stringify(line));
  }
});

Deno.test("splitCommandLine() gives back any words that were quoted one by one", () => {
  const quotings = [
    (text: string) => `'${text.replaceAll("'", `'\\''`)}'`,
    (text: string) => `"${text.replace(/["\\$`]/g, "\\$&")}"`,
    (text: string) => text === "" ? "''" : [...text].map((sign) => `\\${sign}`).join(""),
  ];
  fc.assert(fc.property(fc.array(word), fc.integer({ min: 0, max: 2 }), (words, how) => {
    const quote = quotings[how] ?? String;
    assert.deepEqual(splitCommandLine(words.map(quote).join(" \t ")), words);
  }));
});

Deno.test("splitCommandLine() splits as a shell does what a shell only splits", () => {
  const lines = fc.sample(plainLine, 400).filter((line) => !refused(line));
  assert(lines.length > 50);
  const script = lines.map((line) => `set -- ${line}\nprintf '%s\\1' "$@"; printf '\\2'`).join(
    "\n",
  );
  const { stdout } = new Deno.Command("/bin/sh", { args: ["-c", `set --\n${script}`] })
    .outputSync();
  const answers = new TextDecoder().decode(stdout).split("\x02").slice(0, -1);
  assert.equal(answers.length, lines.length);
  lines.forEach((line, index) => {
    // Without words, printf prints its format once, with an empty one.
    const expected = splitCommandLine(line);
    const answer = (expected.length === 0 ? [""] : expected).map((text) => `${text}\x01`).join("");
    assert.equal(answers[index], answer, JSON.stringify(line));
  });
});

Deno.test("splitCommandLine() expands and chains nothing", () => {
  assert.deepEqual(splitCommandLine("ls $HOME $(id) `id` ~ * ; rm x && y | z > w & # v"), [
    ..."ls $HOME $(id) `id` ~ * ; rm x && y | z > w & # v".split(" "),
  ]);
  assert.deepEqual(splitCommandLine(`a"b c"'d e'\\ f "\\n\\$"`), ["ab cd e f", "\\n$"]);
});

Deno.test("hasShellSyntax() sees every character that a shell knows", () => {
  for (const sign of "|&;<>()$`\\\"'*?[]#~%!{}^\n\r\t\0\x1b\x7f\u2028\u{1f600}") {
    assert(hasShellSyntax(`git a${sign}b`), JSON.stringify(sign));
  }
  for (const line of ["git log -n 5", "git diff a/ä.txt b,c", "make CC=cc", "x @v1:2 c++"]) {
    assert(!hasShellSyntax(line), line);
  }
});

Deno.test("readHookLine() takes one & at the end for not waiting", () => {
  assert.deepEqual(readHookLine(" convert a & "), { line: "convert a", waits: false });
  assert.deepEqual(readHookLine("convert a&"), { line: "convert a", waits: false });
  for (const line of ["convert a", "a \\&", "a &&", 'a "&"', ""]) {
    assert.deepEqual(readHookLine(line), { line, waits: true });
  }
});

Deno.test("argumentsFor() hands a line to the shell as one argument", () => {
  assert.deepEqual(argumentsFor("git 'a b'", []), ["git", "a b"]);
  assert.deepEqual(argumentsFor("git 'a b'", ["sh", "-c"]), ["sh", "-c", "git 'a b'"]);
  for (const shell of [[], ["sh", "-c"]]) {
    for (const line of ["", "  ", "a\0b"]) {
      assert.throws(() => argumentsFor(line, shell), { code: "invalid_option" });
    }
  }
});
