import { checkRules } from "../../../lib/shared/rules/validate.ts";
import { allow, deny, denyMatching } from "../../support/data/rules.ts";
import { assertDenied } from "../core/access/visitors.ts";

Deno.test("checkRules() refuses an expression that does not compile", () => {
  for (const raw of ["(", "[", "a{2,1}", "*", "(?<=a)b", "\\1", "x".repeat(1001)]) {
    assertDenied(() => checkRules([allow("/a"), denyMatching(raw)]), "invalid_rule", raw);
  }
});

Deno.test("checkRules() refuses a path that no entry can have", () => {
  for (const path of ["..", "/a/../b", "/./a", "a\0b", "\ud800"]) {
    assertDenied(() => checkRules([deny(path)]), "invalid_rule", path);
  }
});

Deno.test("checkRules() takes paths, expressions, and empty ones", () => {
  checkRules([]);
  checkRules([deny(""), deny("/"), deny("a/b/"), denyMatching(""), denyMatching("(?i)\\.key$")]);
});
