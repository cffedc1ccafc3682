import { RE2JS } from "re2js";
import { LruCache } from "../lru_cache.ts";

/** Capacity of the cache of compiled expressions. */
const capacity = 256;

/** The longest expression, in characters: compiling takes time and memory in proportion. */
const maxExpressionLength = 1_000;

const compiled = new LruCache<string, RE2JS>(capacity);

/**
 * Compiles an expression in RE2's syntax, whose matching time is linear in the text whatever the
 * expression (no catastrophic backtracking). The same expression is compiled once.
 *
 * @param options.caseInsensitive letters match in either case
 * @throws Error when it does not compile, or is longer than 1,000 characters
 */
export function compileExpression(raw: string, options: { caseInsensitive?: boolean } = {}): RE2JS {
  const key = `${options.caseInsensitive ? "i" : "c"}${raw}`;
  const known = compiled.get(key);
  if (known) return known;
  if (raw.length > maxExpressionLength) throw new Error("the expression is too long");
  const flags = RE2JS.DOTALL | (options.caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
  const expression = RE2JS.compile(raw, flags);
  compiled.set(key, expression);
  return expression;
}
