import { DomainError } from "../errors.ts";
import type { Rule } from "../schemas/rights.ts";
import { compileExpression } from "./expression.ts";

/**
 * Validates rules before they are stored, as an invalid one would silently match nothing.
 *
 * @throws {DomainError} `invalid_rule` when an expression does not compile, or when a path has a
 * "." or ".." segment or a character that no path can have
 */
export function checkRules(rules: Rule[]): void {
  for (const rule of rules) {
    if (rule.regex) checkExpression(rule.regexp.raw);
    else checkPath(rule.path);
  }
}

function checkExpression(raw: string): void {
  try {
    compileExpression(raw);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it does not compile";
    throw new DomainError("invalid_rule", `Cannot use the expression "${raw}": ${reason}`);
  }
}

function checkPath(path: string): void {
  const dotted = path.split("/").some((segment) => segment === "." || segment === "..");
  if (dotted || path.includes("\0") || !path.isWellFormed()) {
    throw new DomainError(
      "invalid_rule",
      `Cannot use the path ${JSON.stringify(path)} in a rule: no entry can have it`,
    );
  }
}
