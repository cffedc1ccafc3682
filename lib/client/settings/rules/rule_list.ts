import type { Rule } from "../../../shared/api_types.ts";

/** A rule that nobody has filled in yet. */
export function newRule(): Rule {
  return { allow: true, path: "", regex: false, regexp: { raw: "" } };
}

/** The list with two neighbours changed round; as it is at its ends. */
export function moved(rules: readonly Rule[], index: number, by: -1 | 1): Rule[] {
  const next = [...rules];
  const [one, other] = [next[index], next[index + by]];
  if (!one || !other) return next;
  next[index] = other;
  next[index + by] = one;
  return next;
}

/** What a rule looks for: its path, or its expression. */
export function textOf(rule: Rule): string {
  return rule.regex ? rule.regexp.raw : rule.path;
}

/** The rule with another text to look for. */
export function withText(rule: Rule, text: string): Rule {
  return rule.regex ? { ...rule, regexp: { raw: text } } : { ...rule, path: text };
}
