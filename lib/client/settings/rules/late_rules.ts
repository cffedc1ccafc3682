/**
 * How the server reads rules, for the browser: the same code, so that a test there holds here. Both
 * sides may have lib/rules, as they have lib/shared/path.ts: it takes texts and answers with values,
 * and knows no store, disk or request.
 */
export { compileExpression } from "../../../shared/rules/expression.ts";
export { RuleMatcher } from "../../../shared/rules/matcher.ts";
