import assert from "node:assert/strict";
import { RuleMatcher } from "../../../lib/shared/rules/matcher.ts";
import type { Rule } from "../../../lib/shared/schemas/rights.ts";
import { fc, runs } from "../../support/run/property.ts";
import { allow, allowMatching, deny, denyMatching } from "../../support/data/rules.ts";

function allowed(rules: Rule[], ...paths: string[]): boolean[] {
  const matcher = new RuleMatcher(rules);
  return paths.map((path) => matcher.allows(path));
}

Deno.test("without a rule everything is allowed", () => {
  assert.deepEqual(allowed([], "/", "/a"), [true, true]);
  assert(new RuleMatcher([]).isEmpty);
});

Deno.test("a path rule goes by whole segments, with or without slashes around it", () => {
  for (const path of ["/a/b", "a/b", "/a/b/", "//a//b"]) {
    assert.deepEqual(
      allowed([deny(path)], "/a/b", "/a/b/c", "/a/bc", "/a", "/x/a/b"),
      [false, false, true, true, true],
      path,
    );
  }
});

Deno.test("the root's rule matches everything, an empty path nothing", () => {
  assert.deepEqual(allowed([deny("/")], "/", "/a", "/a/b"), [false, false, false]);
  assert.deepEqual(allowed([deny("")], "/", "/a"), [true, true]);
});

Deno.test("the last rule that matches wins", () => {
  const rules = [deny("/"), allow("/a"), deny("/a/b"), allow("/a/b/c")];
  assert.deepEqual(
    allowed(rules, "/x", "/a", "/a/b", "/a/b/x", "/a/b/c/d"),
    [false, true, false, false, true],
  );
  assert.deepEqual(allowed([allow("/a"), deny("/")], "/a"), [false]);
});

Deno.test("an expression is looked for anywhere, over line breaks too", () => {
  assert.deepEqual(allowed([denyMatching("\\.key$")], "/a.key", "/a.key.txt"), [false, true]);
  assert.deepEqual(allowed([denyMatching("^/a.*z$")], "/a\n/z", "/b/a/z"), [false, true]);
});

Deno.test("a denying expression covers what is below, an allowing one only what it matches", () => {
  assert.deepEqual(allowed([denyMatching("/\\.git$")], "/x/.git/config", "/x/.gitignore"), [
    false,
    true,
  ]);
  const rules = [deny("/"), allowMatching("\\.txt$")];
  assert.deepEqual(allowed(rules, "/a.txt", "/a.txt/b.key"), [true, false]);
});

Deno.test("an expression that matches the root alone does not deny the rest", () => {
  assert.deepEqual(allowed([denyMatching("^/$")], "/", "/a"), [false, true]);
});

Deno.test("a denying rule that can't be understood denies everything, an allowing one nothing", () => {
  for (const raw of ["(", "a{2,1}", "(?<=a)b", "x".repeat(2000)]) {
    assert.deepEqual(allowed([denyMatching(raw)], "/a"), [false], raw);
    assert.deepEqual(allowed([deny("/a"), allowMatching(raw)], "/a"), [false], raw);
  }
  assert.deepEqual(allowed([deny("/a/../b")], "/c"), [false]);
  assert.deepEqual(allowed([deny("/a"), allow("./a")], "/a"), [false]);
});

Deno.test("no expression takes more than a moment, however wicked", () => {
  const path = `/${"a".repeat(4000)}!`;
  for (const raw of ["(a*)*b", "(a|aa)+$", "(.*a){20}b", "((a?){30})a{30}$", "(x+x+)+y"]) {
    const start = performance.now();
    new RuleMatcher([denyMatching(raw)]).allows(path);
    const took = performance.now() - start;
    assert(took < 10_000, `${raw} took ${took} ms`);
  }
});

Deno.test("where case is folded, every spelling is matched", () => {
  const inAnyCase = new RuleMatcher([deny("/Caf\u00e9"), denyMatching("\\.KEY$")], {
    caseInsensitive: true,
  });
  for (const path of ["/café", "/CAFÉ/menu", "/cafe\u0301", "/b.key"]) {
    assert(!inAnyCase.allows(path), path);
  }
  assert.deepEqual(allowed([deny("/Private")], "/private"), [true]);
});

Deno.test("asking by folder gives the same answers as asking by path", () => {
  const segment = fc.constantFrom("a", "b", "ab", ".git", "a.key");
  const path = fc.array(segment, { maxLength: 3 }).map((parts) => `/${parts.join("/")}`);
  const expression = fc.constantFrom("^/a", "a$", "\\.key$", "/b/", "^/$", "(");
  const rule = fc.oneof(
    fc.tuple(fc.boolean(), path).map(([allows, at]) => allows ? allow(at) : deny(at)),
    fc.tuple(fc.boolean(), expression).map(([allows, raw]) =>
      allows ? allowMatching(raw) : denyMatching(raw)
    ),
  );
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), path, segment, (rules, folder, name) => {
      const matcher = new RuleMatcher(rules);
      const child = folder === "/" ? `/${name}` : `${folder}/${name}`;
      assert.equal(matcher.allowsIn(folder)(child), matcher.allows(child));
    }),
    { numRuns: runs(500) },
  );
});
