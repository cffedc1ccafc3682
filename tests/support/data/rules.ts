import type { Rule } from "../../../lib/shared/schemas/rights.ts";

/** A rule that denies a path with all below it. */
export function deny(path: string): Rule {
  return { allow: false, path, regex: false, regexp: { raw: "" } };
}

/** A rule that allows a path with all below it. */
export function allow(path: string): Rule {
  return { ...deny(path), allow: true };
}

/** A rule that denies what an expression matches. */
export function denyMatching(raw: string): Rule {
  return { allow: false, path: "", regex: true, regexp: { raw } };
}

/** A rule that allows what an expression matches. */
export function allowMatching(raw: string): Rule {
  return { ...denyMatching(raw), allow: true };
}
