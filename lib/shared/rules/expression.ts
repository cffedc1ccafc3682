import { RE2JS } from "re2js";

/** How many compiled expressions are kept. */
const capacity = 256;

/** The longest expression taken, in characters: compiling takes time and memory in proportion. */
const longestExpression = 1_000;

const compiled = new Map<string, RE2JS>();

/**
 * Compiles an expression in RE2's syntax, whose matching time is linear in the text whatever the
 * expression (no catastrophic backtracking). The same expression is compiled once.
 *
 * @param options.anyCase letters match in either case
 * @throws Error when it does not compile, or is longer than 1,000 characters
 */
export function compileExpression(raw: string, options: { anyCase?: boolean } = {}): RE2JS {
  const key = `${options.anyCase ? "i" : "c"}${raw}`;
  const known = compiled.get(key);
  if (known) {
    compiled.delete(key);
    compiled.set(key, known);
    return known;
  }
  if (raw.length > longestExpression) throw new Error("the expression is too long");
  const flags = RE2JS.DOTALL | (options.anyCase ? RE2JS.CASE_INSENSITIVE : 0);
  const expression = RE2JS.compile(raw, flags);
  compiled.set(key, expression);
  if (compiled.size > capacity) compiled.delete(compiled.keys().next().value ?? "");
  return expression;
}
