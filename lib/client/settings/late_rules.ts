/** How the server reads rules, for the browser: the same code, so that a test there holds here. */
export { compileExpression } from "../../rules/expression.ts";
export { RuleMatcher } from "../../rules/matcher.ts";
