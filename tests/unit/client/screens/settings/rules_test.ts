import assert from "node:assert/strict";
import type { Rule } from "../../../../../lib/shared/schemas/rights.ts";
import { compileExpression } from "../../../../../lib/shared/rules/expression.ts";
import { RuleMatcher } from "../../../../../lib/shared/rules/matcher.ts";
import {
  evaluateRules,
  expressionFault,
  newRule,
  textOf,
  withText,
} from "../../../../../lib/client/screens/settings/rules/rules.ts";
import { moved } from "../../../../../lib/client/screens/settings/use_rows.ts";

const code = { compileExpression, RuleMatcher };

const deny = (path: string): Rule => ({ ...newRule(), allow: false, path });
const allowed = (raw: string): Rule => ({ ...newRule(), regex: true, regexp: { raw } });

Deno.test("evaluateRules() names the rule that decides, in the list that it stands in", () => {
  const global = [deny("/secret"), deny("/tmp")];
  const user = [allowed("\\.jpg$"), deny("/tmp/old")];
  const of = (path: string) => evaluateRules(code, path, global, user);
  assert.deepEqual(of("/a.txt"), { allowed: true, by: null });
  assert.deepEqual(of("/tmp/a.txt"), { allowed: false, by: { list: "global", index: 1 } });
  assert.deepEqual(of("/secret/a.jpg"), { allowed: true, by: { list: "user", index: 0 } });
  assert.deepEqual(of("/tmp/old/a.jpg"), { allowed: false, by: { list: "user", index: 1 } });
  assert.deepEqual(of("/secrets"), { allowed: true, by: null });
});

Deno.test("expressionFault() refuses what RE2 does not know, look-ahead among it", () => {
  assert.equal(expressionFault(code, "\\.(jpg|png)$"), undefined);
  assert.ok(expressionFault(code, "(jpg"));
  assert.ok(expressionFault(code, "(?=a)b"));
});

Deno.test("moved() changes two neighbours round, and nothing at the ends", () => {
  const rules = [deny("/a"), deny("/b"), deny("/c")];
  const paths = (list: Rule[]) => list.map(({ path }) => path).join(" ");
  assert.equal(paths(moved(rules, 1, -1)), "/b /a /c");
  assert.equal(paths(moved(rules, 1, 1)), "/a /c /b");
  assert.equal(paths(moved(rules, 0, -1)), "/a /b /c");
  assert.equal(paths(moved(rules, 2, 1)), "/a /b /c");
  assert.equal(paths(rules), "/a /b /c");
});

Deno.test("a rule keeps the text of each kind for itself", () => {
  const rule = withText({ ...withText(newRule(), "/a"), regex: true }, "b$");
  assert.equal(textOf(rule), "b$");
  assert.equal(textOf({ ...rule, regex: false }), "/a");
});
