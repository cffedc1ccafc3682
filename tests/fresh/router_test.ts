import assert from "node:assert/strict";
import { sortRoutePaths } from "../../lib/fresh/src/fs_routes.ts";
import {
  mergePath,
  pathToPattern,
  patternToSegments,
  UrlPatternRouter,
} from "../../lib/fresh/src/router.ts";
import { fc, runs } from "../support/run/property.ts";

function match(router: UrlPatternRouter<string>, method: string, path: string) {
  return router.match(method, new URL(path, "http://localhost"));
}

Deno.test("the router finds nothing for a path that no pattern matches", () => {
  const router = new UrlPatternRouter<string>();
  router.add("GET", "/a", "a");
  assert.deepEqual({ ...match(router, "GET", "/b") }, {
    item: null,
    pattern: null,
    params: Object.create(null),
  });
});

Deno.test("the router lets the first pattern that matches the path decide, even without the method", () => {
  const router = new UrlPatternRouter<string>();
  router.add("GET", "/files/:name", "first");
  router.add("POST", "/files/:other", "second");
  const { item, pattern } = match(router, "POST", "/files/x");
  assert.equal(item, null);
  assert.equal(pattern, "/files/:name");
});

Deno.test("the router prefers an exact path to a pattern that was added before it", () => {
  const router = new UrlPatternRouter<string>();
  router.add("GET", "/:any", "pattern");
  router.add("GET", "/exact", "exact");
  assert.equal(match(router, "GET", "/exact").item, "exact");
});

Deno.test("the router gives neither item nor null for a method that it does not know", () => {
  const router = new UrlPatternRouter<string>();
  router.add("GET", "/a", "a");
  router.addAll("/b", "b");
  router.addAll("/b", "later");
  assert.equal(match(router, "POST", "/b").item, "b");
  for (const method of ["PROPFIND", "PURGE", "constructor", "__proto__", "toString"]) {
    assert.equal(match(router, method, "/a").item, undefined, method);
    assert.equal(match(router, method, "/b").item, undefined, method);
    assert.equal(match(router, method, "/c").pattern, null);
  }
});

Deno.test("the router keeps the first item of a method and pattern", () => {
  const router = new UrlPatternRouter<string>();
  router.add("GET", "/a", "first");
  router.add("GET", "/a", "second");
  assert.equal(match(router, "GET", "/a").item, "first");
});

Deno.test("the router finds an exact path with a trailing slash added or removed", () => {
  const router = new UrlPatternRouter<string>();
  router.add("GET", "/a", "a");
  router.add("GET", "/b/", "b");
  assert.equal(match(router, "GET", "/a/").item, "a");
  assert.equal(match(router, "GET", "/b").item, "b");
});

Deno.test("the router answers HEAD with the item of GET unless there is one of its own", () => {
  const router = new UrlPatternRouter<string>();
  router.add("GET", "/a", "get");
  router.add("GET", "/b", "get");
  router.add("HEAD", "/b", "head");
  assert.equal(match(router, "HEAD", "/a").item, "get");
  assert.equal(match(router, "HEAD", "/b").item, "head");
});

Deno.test("parameters are decoded as URIs, so an encoded slash stays encoded", () => {
  const router = new UrlPatternRouter<string>();
  router.add("GET", "/files/:path*", "files");
  const { params } = match(router, "GET", "/files/a%20b/c%2Fd%23%25.txt");
  assert.equal(params.path, "a b/c%2Fd%23%.txt");
  assert.equal(Object.getPrototypeOf(params), null);
});

Deno.test("a malformed escape in a parameter is an error", () => {
  const router = new UrlPatternRouter<string>();
  router.add("GET", "/files/:path*", "files");
  assert.throws(() => match(router, "GET", "/files/%zz"), URIError);
});

Deno.test("an optional or repeated parameter that is not there is empty", () => {
  const router = new UrlPatternRouter<string>();
  router.add("GET", "/docs{/:version}?", "docs");
  router.add("GET", "/old/:path*", "old");
  assert.equal(match(router, "GET", "/docs").params.version, "");
  assert.equal(match(router, "GET", "/docs/v2").params.version, "v2");
  assert.equal(match(router, "GET", "/old").params.path, "");
});

Deno.test("the router matches a pattern as URLPattern does, with the same parameters", () => {
  const segments = ["a", "b-c", "D", "x_1", ":id", ":name", ":id-x", "x:id", ":all+", "*"];
  const names = ["a", "b-c", "d", "D", "x_1", "", ":id", "y-x", "%20", "%2F", "a|b", "..", "%0a"];
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...segments), { maxLength: 3 }),
      fc.constantFrom("/:id", "/:rest*", "/*", "/*?", "/x"),
      fc.array(fc.constantFrom(...names), { maxLength: 5 }),
      (parts, end, path) => {
        const pattern = parts.map((part) => `/${part}`).join("") + end;
        const isRefused = pattern.split(":id").length > 2;
        if (isRefused || !/[:*]/.test(pattern)) return;
        const url = new URL(`http://localhost/${path.join("/")}`);
        const expected = new URLPattern({ pathname: pattern }).exec({ pathname: url.pathname });
        const groups = Object.entries(expected?.pathname.groups ?? {});
        const router = new UrlPatternRouter<string>();
        router.add("GET", pattern, "item");
        const { item, params } = router.match("GET", url);
        assert.equal(item, expected && "item");
        const decoded = groups.map(([name, value = ""]) => [name, decodeURI(value)]);
        assert.deepEqual({ ...params }, Object.fromEntries(decoded));
      },
    ),
    { numRuns: runs(2_000) },
  );
});

Deno.test("the router tells a pattern as URLPattern writes it, and the methods only of one written so", () => {
  const router = new UrlPatternRouter<string>();
  const spellings = [
    ["/a{/*}?", "/a/*?", "/a"],
    ["/b/*?", "/b/*?", "/b/x/y"],
    ["/c{/:version}?/d", "/c/:version?/d", "/c/d"],
    ["/exact", "/exact", "/exact"],
  ] as const;
  for (const [written, told, path] of spellings) {
    router.add("POST", written, "item");
    assert.equal(match(router, "GET", path).pattern, told);
    assert.deepEqual(router.getAllowedMethods(told), written === told ? ["POST"] : [], told);
  }
});

Deno.test("getAllowedMethods() lists the methods of a pattern in the order they were added", () => {
  const router = new UrlPatternRouter<string>();
  router.add("POST", "/a", "post");
  router.add("GET", "/a", "get");
  assert.deepEqual(router.getAllowedMethods("/a"), ["POST", "GET"]);
  assert.deepEqual(router.getAllowedMethods("/b"), []);
});

Deno.test("pathToPattern() refuses what a URL pattern cannot say", () => {
  for (const file of ["[a][b]", "x-[[v]]", "[[v]]-x", "docs/[[v]]x", "[a", "a]"]) {
    assert.throws(() => pathToPattern(file), SyntaxError, file);
  }
});

Deno.test("pathToPattern() turns file names into URL patterns", () => {
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
  for (const [file, pattern] of Object.entries(table)) {
    assert.equal(pathToPattern(file), pattern, file);
  }
});

Deno.test("pathToPattern() keeps groups when asked: they are segments of their own", () => {
  assert.equal(pathToPattern("(site)/about", { keepGroups: true }), "/(site)/about");
  assert.equal(pathToPattern("(site)/index", { keepGroups: true }), "/(site)");
});

Deno.test("sortRoutePaths() puts what wraps first and what matches most last", () => {
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
      assert.deepEqual(shuffled.toSorted(sortRoutePaths), ordered);
    }),
    { numRuns: runs(50) },
  );
});

Deno.test("patternToSegments() leaves the last part of a file route to its folder", () => {
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
    assert.deepEqual(patternToSegments(pattern, ownSegment), segments, pattern);
  }
});

Deno.test("mergePath() puts a base path before a pattern", () => {
  assert.equal(mergePath("", "/"), "/");
  assert.equal(mergePath("/", "/a"), "/a");
  assert.equal(mergePath("/base", "/"), "/base");
  assert.equal(mergePath("/base", "/a"), "/base/a");
  assert.equal(mergePath("/base", "*"), "/base/*");
});
