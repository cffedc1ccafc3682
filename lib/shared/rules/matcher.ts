import type { Rule } from "../schemas/rights.ts";
import { compileExpression } from "./expression.ts";
import { foldName } from "../fold.ts";

/** Decides by the path of an entry inside the owner's scope ("/a/b"). */
type Test = (path: string) => boolean;

/** A compiled rule: an entry that it matches is allowed or denied. */
interface Matcher {
  allow: boolean;
  matches: Test;
  /** The same test for the entries of one folder, with the folder's part precomputed. */
  inside: (folder: string) => Test;
}

/**
 * Compiled rules. The last rule that matches a path wins; without one it is allowed.
 *
 * - A path rule matches that path and all below it, by whole segments; an empty path nothing.
 * - An expression is searched anywhere in the path. One that denies an entry denies all below it
 *   too, or the content of a hidden folder could still be read by those who know its names. One
 *   that allows does so for the entries it matches alone.
 * - A denying rule that can't be compiled matches everything, an allowing one nothing.
 */
export class RuleMatcher {
  /** Last rule first. */
  readonly #matchers: Matcher[];

  /**
   * @param rules the global ones, then the user's
   * @param options.caseInsensitive for file systems on which "/A" is "/a": letters match in either case
   */
  constructor(rules: Rule[], options: { caseInsensitive?: boolean } = {}) {
    const caseInsensitive = options.caseInsensitive ?? false;
    this.#matchers = rules.map((rule) => makeMatcher(rule, caseInsensitive)).reverse();
  }

  /** Whether there are any rules. */
  get isEmpty(): boolean {
    return this.#matchers.length === 0;
  }

  /** Whether the rules allow an entry. */
  allows(path: string): boolean {
    return this.#matchers.find((rule) => rule.matches(path))?.allow ?? true;
  }

  /** The index of the rule that decides about an entry; -1 when none matches. */
  deciding(path: string): number {
    const last = this.#matchers.length - 1;
    const found = this.#matchers.findIndex((rule) => rule.matches(path));
    return found < 0 ? -1 : last - found;
  }

  /** The same as {@link allows} for the paths of the entries of one folder, faster. */
  allowsIn(folder: string): Test {
    const tests = this.#matchers.map(({ allow, inside }) => ({ allow, test: inside(folder) }));
    return (path) => tests.find(({ test }) => test(path))?.allow ?? true;
  }
}

function makeMatcher(rule: Rule, caseInsensitive: boolean): Matcher {
  const { allow } = rule;
  if (!rule.regex) {
    const matches = pathTest(rule, caseInsensitive);
    return { allow, matches, inside: () => matches };
  }
  const test = expressionTest(rule, caseInsensitive);
  if (allow) return { allow, matches: test, inside: () => test };
  const matchesFolder = (folder: string) => withAncestors(folder).some(test);
  return {
    allow,
    matches: matchesFolder,
    inside: (folder) => matchesFolder(folder) && folder !== "/" ? () => true : test,
  };
}

function pathTest({ path, allow }: Rule, caseInsensitive: boolean): Test {
  if (path === "") return () => false;
  const segments = path.split("/").filter((segment) => segment !== "");
  if (segments.some((segment) => segment === "." || segment === "..")) return () => !allow;
  const fold = caseInsensitive ? foldName : (text: string) => text;
  const prefix = fold(segments.map((segment) => `/${segment}`).join(""));
  if (prefix === "") return () => true;
  const below = `${prefix}/`;
  return (asked) => {
    const folded = fold(asked);
    return folded === prefix || folded.startsWith(below);
  };
}

function expressionTest(rule: Rule, caseInsensitive: boolean): Test {
  try {
    const expression = compileExpression(rule.regexp.raw, { caseInsensitive });
    return (path) => expression.test(path);
  } catch {
    return () => !rule.allow;
  }
}

/** A path and its ancestors, "/a/b" and "/a"; the root only for itself. */
function withAncestors(path: string): string[] {
  const paths = [path];
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    paths.push(path.slice(0, slash));
  }
  return paths;
}
