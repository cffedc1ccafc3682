import assert from "node:assert/strict";
import { globExpression, isGlob, longestLiteral } from "../../../lib/shared/glob.ts";
import { foldText } from "../../../lib/shared/fold.ts";
import { fc } from "../../support/run/property.ts";

const fits = (pattern: string, name: string) => globExpression(pattern).test(foldText(name));

function assertFits(pattern: string, fitting: string[], others: string[]): void {
  assert.ok(isGlob(pattern), pattern);
  for (const name of fitting) assert.ok(fits(pattern, name), `${pattern} fits ${name}`);
  for (const name of others) assert.ok(!fits(pattern, name), `${pattern} does not fit ${name}`);
}

Deno.test("a pattern fits whole names", () => {
  assertFits("*.jpg", ["a.jpg", "A.JPG", ".jpg", "a.b.jpg"], ["a.jpg.txt", "ajpg", "a.jpeg"]);
  assertFits("IMG_????.*", ["img_0001.heic", "IMG_äöü😀.x"], ["IMG_001.x", "xIMG_0001.x"]);
  assertFits("*20[0-2][!5]*", ["2024", "a 2010 b", "20ß 2000"], ["2015", "2030"]);
  assertFits("*.{jpg,png,tar.{gz,xz}}", ["a.png", "a.tar.xz"], ["a.tar", "a.gif", "a.{jpg}"]);
  assertFits("[]x]*", ["]a", "x"], ["a"]);
  assertFits("caf?.*", ["Café.txt", "cafe.TXT"], ["caf.txt"]);
  assertFits("[À-ÿ]bc", ["Äbc", "abc"], ["1bc"]);
  assertFits("*", ["", "a"], []);
  assertFits("a**b", ["ab", "axb"], ["a"]);
});

Deno.test("what is no pattern is taken literally", () => {
  for (const word of ["a.jpg", "[", "a]", "{a}", "[]", "a{b", "100%", "(a)+"]) {
    assert.equal(isGlob(word), false, word);
  }
  assertFits("[z-a]?", ["[z-a]x"], ["zx", "b"]);
  assertFits("a.(b|c)+*", ["a.(b|c)+"], ["a.b", "axb"]);
  assert.equal(isGlob(`*${"{a,b}".repeat(9)}`), false, "too many alternatives");
});

Deno.test("hostile patterns take no longer than name times pattern", () => {
  const name = "a".repeat(255);
  const start = performance.now();
  for (
    const pattern of [
      `${"*a".repeat(400)}*b`,
      `${"a*".repeat(400)}b`,
      `${"*?".repeat(200)}${"[!b]*".repeat(100)}b`,
      `*${"a".repeat(128)}b*${"a".repeat(128)}b`,
      `*{${Array(30).fill("a*a*a").join()}}*b`,
      `${"{a,".repeat(300)}`,
      `${"{,".repeat(300)}${"}".repeat(300)}*`,
    ]
  ) {
    for (let round = 0; round < 20; round++) fits(pattern, name);
  }
  assert.ok(performance.now() - start < 2_000);
});

/** Whether a pattern of `*`, `?` and letters fits, the slow and obvious way. */
function fitsPlainly(pattern: string, name: string): boolean {
  const [first = "", rest] = [pattern[0], pattern.slice(1)];
  if (pattern === "") return name === "";
  if (first === "*") {
    return fitsPlainly(rest, name) || (name !== "" && fitsPlainly(pattern, name.slice(1)));
  }
  return name !== "" && (first === "?" || first === name[0]) && fitsPlainly(rest, name.slice(1));
}

Deno.test("patterns fit as their definition says, and names have their longest text", () => {
  const of = (...units: string[]) =>
    fc.array(fc.constantFrom(...units), { maxLength: 8 }).map((all) => all.join(""));
  fc.assert(fc.property(of("a", "b", "*", "?"), of("a", "b"), (pattern, name) => {
    const does = fits(pattern, name);
    assert.equal(does, fitsPlainly(pattern, name), `${pattern} ${name}`);
    if (does) assert.ok(name.includes(longestLiteral(pattern)));
  }));
});

Deno.test("any pattern compiles", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    globExpression(text).test(foldText(text));
    isGlob(text);
  }));
});
