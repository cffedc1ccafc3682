import type { Rule } from "../../../shared/api_types.ts";
import { LatePart } from "../../core/late_part.ts";

/** How the server reads rules. RE2 is heavy: it comes when an expression or a test calls for it. */
export const ruleReading = new LatePart(() => import("./late_rules.ts"));

type RuleReading = typeof import("./late_rules.ts");

/** Whose rules they are: everybody's, or those of one user, which come after. */
export type RuleOwner = "global" | "user";

/** What the rules say of a path. */
export interface Verdict {
  allowed: boolean;
  /** Which rule decides, counted from 0 in its own list; null when none matches. */
  by: { list: RuleOwner; index: number } | null;
}

/** Puts a path to the global rules and then the user's, as the server does. */
export function judge(
  { RuleMatcher }: RuleReading,
  path: string,
  global: readonly Rule[],
  user: readonly Rule[],
): Verdict {
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

/** Why an expression does not compile, in RE2's words; undefined when it does. */
export function expressionFault(
  { compileExpression }: RuleReading,
  raw: string,
): string | undefined {
  try {
    compileExpression(raw);
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    // Without the name of the function that failed, and the flag that was set for every expression.
    return words.replace(/^error parsing regexp: /, "").replace("(?s)", "");
  }
}
