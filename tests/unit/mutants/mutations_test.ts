import assert from "node:assert/strict";
import { codeOnly } from "../../mutants/code_only.ts";
import { mutate, mutationsOf } from "../../mutants/mutations.ts";

/** What becomes of a line, as "kind: line". */
function aftersOf(line: string): string[] {
  return mutationsOf(line).map(({ kind, after }) => `${kind}: ${after.trim()}`);
}

Deno.test("codeOnly() blanks comments, texts and patterns, and nothing else", () => {
  const source = 'const a = "x && y"; // && z\nconst b = c / d && /[/"]+ < /.test(`${e} > 1`);';
  const code = codeOnly(source);
  assert.equal(code.length, source.length);
  assert.equal(code.replace(/ +/g, " "), "const a = ; \nconst b = c / d && .test( );");
});

Deno.test("codeOnly() keeps the lines of comments and templates", () => {
  assert.equal(codeOnly("a\n/* b\nc */\n`d\ne`\nf").split("\n").length, 6);
  assert.equal(codeOnly("'it\\'s' + a").trim(), "+ a");
});

Deno.test("bounds move by one, and equality turns over", () => {
  assert.deepEqual(aftersOf("const is = a < b;"), ["bound: const is = a <= b;"]);
  assert.deepEqual(aftersOf("const is = a >= b;"), ["bound: const is = a > b;"]);
  assert.deepEqual(aftersOf("const is = a !== b;"), ["equality: const is = a === b;"]);
});

Deno.test("type arguments, arrows and shifts are no bounds", () => {
  assert.deepEqual(aftersOf("const map = new Map<string, number[]>();"), []);
  assert.deepEqual(aftersOf("const f = (a: Promise<void>) => a << b;"), []);
});

Deno.test("each place of a line makes a mutation of its own", () => {
  assert.deepEqual(aftersOf("const is = a && b || c && !d;"), [
    "logic: const is = a || b || c && !d;",
    "logic: const is = a && b && c && !d;",
    "logic: const is = a && b || c || !d;",
    "negation: const is = a && b || c && d;",
  ]);
});

Deno.test("guards and calls are left out whole, where a line holds them whole", () => {
  assert.deepEqual(aftersOf("  if (isGone) throw new Error();"), ["guard: "]);
  assert.deepEqual(aftersOf("  if (isGone) return;"), ["guard: "]);
  assert.deepEqual(aftersOf("  await this.#store.delete(key);"), ["call: "]);
  assert.deepEqual(aftersOf("  clearTimeout(timer);"), ["call: "]);
  assert.deepEqual(aftersOf("  return check(a);"), []);
  assert.deepEqual(aftersOf("  super(a);"), []);
  assert.deepEqual(aftersOf("  })(a);"), []);
});

Deno.test("constants, truth, extremes, quantifiers and steps change", () => {
  assert.deepEqual(aftersOf("const maxTries = 1_000;"), ["constant: const maxTries = 3001;"]);
  assert.deepEqual(aftersOf("export const lifeMs = 5 * 60_000;"), [
    "constant: export const lifeMs = 16 * 60_000;",
  ]);
  assert.deepEqual(aftersOf("return true;"), ["truth: return false;"]);
  assert.deepEqual(aftersOf("const a = Math.min(b, c);"), ["extreme: const a = Math.max(b, c);"]);
  assert.deepEqual(aftersOf("const a = b.some(c);"), ["quantifier: const a = b.every(c);"]);
  assert.deepEqual(aftersOf("const a = b + 1;"), ["off by one: const a = b;"]);
  assert.deepEqual(aftersOf("const a = b + 16;"), []);
});

Deno.test("comments, texts, imports and types have no mutations", () => {
  const source = [
    'import { a } from "./a && b.ts";',
    "/** a < b && c */",
    "interface A {",
    "  isOpen: true;",
    "}",
    "type B =",
    "  | { isOpen: true; b: number }",
    "  | false;",
    'const text = "a === b";',
    "const isLast = a === b;",
  ].join("\n");
  const [only, ...others] = mutationsOf(source);
  assert.deepEqual([only?.kind, only?.line, others], ["equality", 10, []]);
});

Deno.test("mutate() changes one line and leaves all others as they are", () => {
  const source = "a();\nif (b) throw c;\nd();\n";
  const guard = mutationsOf(source).find(({ kind }) => kind === "guard");
  assert.ok(guard);
  assert.equal(mutate(source, guard), "a();\n\nd();\n");
});
