import assert from "node:assert/strict";
import {
  compareRouteFiles,
  joinPattern,
  patternOf,
  segmentsOf,
} from "../../lib/fresh/routing/path_pattern.ts";
import { fc, runs } from "../support/run/property.ts";

Deno.test("patternOf() refuses what a URL pattern cannot say", () => {
  for (const file of ["[a][b]", "x-[[v]]", "[[v]]-x", "docs/[[v]]x", "[a", "a]"]) {
    assert.throws(() => patternOf(file), SyntaxError, file);
  }
});

Deno.test("patternOf() turns file names into URL patterns", () => {
  const table: Record<string, string> = {
    "index": "/",
    "about": "/about",
    "blog/index": "/blog",
    "blog/[slug]": "/blog/:slug",
    "[id]-x": "/:id-x",
    "x[id]": "/x:id",
    "[id]@[host]": "/:id@:host",
    "old/[...path]": "/old/:path*",
    "docs/[[v]]/index": "/docs{/:v}?",
    "docs/[[v]]/search": "/docs{/:v}?/search",
    "[[lang]]": "/{:lang}?",
    "[[lang]]/index": "/{:lang}?",
    "[[lang]]/about": "{/:lang}?/about",
    "(site)/about": "/about",
    "(site)/index": "/",
    "(site)/[[lang]]/(inner)/index": "/{:lang}?",
  };
  for (const [file, pattern] of Object.entries(table)) assert.equal(patternOf(file), pattern, file);
});

Deno.test("patternOf() keeps groups when asked: they are segments of their own", () => {
  assert.equal(patternOf("(site)/about", { keepGroups: true }), "/(site)/about");
  assert.equal(patternOf("(site)/index", { keepGroups: true }), "/(site)");
});

Deno.test("compareRouteFiles() puts what wraps first and what matches most last", () => {
  const ordered = [
    "/_app",
    "/_middleware",
    "/_404",
    "/_layout",
    "/_error",
    "/index",
    "/about",
    "/api/_middleware",
    "/api/_error",
    "/api/index",
    "/api/users/[id]",
    "/api/users",
    "/api/[name]",
    "/api/[...rest]",
    "/apix",
    "/(site)/_layout",
    "/(site)/contact",
    "/[page]/edit",
    "/[page]",
    "/[...path]",
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(ordered, { minLength: ordered.length }), (shuffled) => {
      assert.deepEqual(shuffled.toSorted(compareRouteFiles), ordered);
    }),
    { numRuns: runs(50) },
  );
});

Deno.test("segmentsOf() leaves the last part of a file route to its folder", () => {
  const table: [pattern: string, ownSegment: boolean, segments: string[]][] = [
    ["*", true, []],
    ["/*", true, []],
    ["/", true, []],
    ["/a", true, ["a"]],
    ["/a", false, []],
    ["/a/", false, ["a"]],
    ["/a/b", false, ["a"]],
    ["/a/:id/b", true, ["a", ":id", "b"]],
    ["/api{/:version}?/files", true, ["api", "files"]],
    ["/(site)/about", false, ["(site)"]],
  ];
  for (const [pattern, ownSegment, segments] of table) {
    assert.deepEqual(segmentsOf(pattern, ownSegment), segments, pattern);
  }
});

Deno.test("joinPattern() puts a base path before a pattern", () => {
  assert.equal(joinPattern("", "/"), "/");
  assert.equal(joinPattern("/", "/a"), "/a");
  assert.equal(joinPattern("/base", "/"), "/base");
  assert.equal(joinPattern("/base", "/a"), "/base/a");
  assert.equal(joinPattern("/base", "*"), "/base/*");
});
