import { useEffect } from "react";
import type { Rule } from "../../../../shared/schemas/rights.ts";
import { lazy } from "../../../base/core/lazy.ts";

/**
 * The server's own code for rules, so that a test here gives the server's result. RE2 is heavy: it
 * is loaded when the first expression or test needs it.
 */
const ruleCode = lazy(async () => {
  const [{ compileExpression }, { RuleMatcher }] = await Promise.all([
    import("../../../../shared/rules/expression.ts"),
    import("../../../../shared/rules/matcher.ts"),
  ]);
  return { compileExpression, RuleMatcher };
});

/** The part of the server's code for rules that the settings use. */
export type RuleCode =
  & Pick<typeof import("../../../../shared/rules/expression.ts"), "compileExpression">
  & Pick<typeof import("../../../../shared/rules/matcher.ts"), "RuleMatcher">;

/**
 * The server's code for rules; null until it is loaded.
 *
 * @param needed whether to load it now
 */
export function useRuleCode(needed: boolean): RuleCode | null {
  useEffect(() => {
    if (needed) void ruleCode.load();
  }, [needed]);
  const state = ruleCode.state.value;
  return state.is === "ready" ? state.value : null;
}

/** The scope of the rules: global, or those of one user, which come after. */
export type RuleOwner = "global" | "user";

/** The result of the rules for a path. */
export interface RuleDecision {
  allowed: boolean;
  /** The index of the rule that decides, in its own list; null when none matches. */
  by: { list: RuleOwner; index: number } | null;
}

/** Evaluates the global rules and then the user's for a path, as the server does. */
export function evaluateRules(
  { RuleMatcher }: RuleCode,
  path: string,
  global: readonly Rule[],
  user: readonly Rule[],
): RuleDecision {
  const matcher = new RuleMatcher([...global, ...user]);
  const allowed = matcher.allows(path);
  const index = matcher.deciding(path);
  if (index < 0) return { allowed, by: null };
  const isGlobal = index < global.length;
  const by = isGlobal
    ? { list: "global", index } as const
    : { list: "user", index: index - global.length } as const;
  return { allowed, by };
}

/** The syntax error of an expression, in RE2's words; undefined when it compiles. */
export function expressionFault(
  { compileExpression }: RuleCode,
  raw: string,
): string | undefined {
  try {
    compileExpression(raw);
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    // Without the name of the failed function and the flag set for every expression.
    return words.replace(/^error parsing regexp: /, "").replace("(?s)", "");
  }
}

/** An empty rule. */
export function newRule(): Rule {
  return { allow: true, path: "", regex: false, regexp: { raw: "" } };
}

/** The pattern of a rule: its path, or its expression. */
export function textOf(rule: Rule): string {
  return rule.regex ? rule.regexp.raw : rule.path;
}

/** The rule with another pattern. */
export function withText(rule: Rule, text: string): Rule {
  return rule.regex ? { ...rule, regexp: { raw: text } } : { ...rule, path: text };
}
