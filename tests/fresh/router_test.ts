import assert from "node:assert/strict";
import { Router } from "../../lib/fresh/routing/router.ts";

function match(router: Router<string>, method: string, path: string) {
  return router.match(method, new URL(path, "http://localhost"));
}

Deno.test("the router finds nothing for a path that no pattern matches", () => {
  const router = new Router<string>();
  router.add("GET", "/a", "a");
  assert.deepEqual({ ...match(router, "GET", "/b") }, {
    item: null,
    pattern: null,
    params: Object.create(null),
  });
});

Deno.test("the router lets the first pattern that matches the path decide, even without the method", () => {
  const router = new Router<string>();
  router.add("GET", "/files/:name", "first");
  router.add("POST", "/files/:other", "second");
  const { item, pattern } = match(router, "POST", "/files/x");
  assert.equal(item, null);
  assert.equal(pattern, "/files/:name");
});

Deno.test("the router prefers an exact path to a pattern that was added before it", () => {
  const router = new Router<string>();
  router.add("GET", "/:any", "pattern");
  router.add("GET", "/exact", "exact");
  assert.equal(match(router, "GET", "/exact").item, "exact");
});

Deno.test("the router gives neither item nor null for a method that it does not know", () => {
  const router = new Router<string>();
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
  const router = new Router<string>();
  router.add("GET", "/a", "first");
  router.add("GET", "/a", "second");
  assert.equal(match(router, "GET", "/a").item, "first");
});

Deno.test("the router finds an exact path with a trailing slash added or removed", () => {
  const router = new Router<string>();
  router.add("GET", "/a", "a");
  router.add("GET", "/b/", "b");
  assert.equal(match(router, "GET", "/a/").item, "a");
  assert.equal(match(router, "GET", "/b").item, "b");
});

Deno.test("the router answers HEAD with the item of GET unless there is one of its own", () => {
  const router = new Router<string>();
  router.add("GET", "/a", "get");
  router.add("GET", "/b", "get");
  router.add("HEAD", "/b", "head");
  assert.equal(match(router, "HEAD", "/a").item, "get");
  assert.equal(match(router, "HEAD", "/b").item, "head");
});

Deno.test("parameters are decoded as URIs, so an encoded slash stays encoded", () => {
  const router = new Router<string>();
  router.add("GET", "/files/:path*", "files");
  const { params } = match(router, "GET", "/files/a%20b/c%2Fd%23%25.txt");
  assert.equal(params.path, "a b/c%2Fd%23%.txt");
  assert.equal(Object.getPrototypeOf(params), null);
});

Deno.test("a malformed escape in a parameter is an error", () => {
  const router = new Router<string>();
  router.add("GET", "/files/:path*", "files");
  assert.throws(() => match(router, "GET", "/files/%zz"), URIError);
});

Deno.test("an optional or repeated parameter that is not there is empty", () => {
  const router = new Router<string>();
  router.add("GET", "/docs{/:version}?", "docs");
  router.add("GET", "/old/:path*", "old");
  assert.equal(match(router, "GET", "/docs").params.version, "");
  assert.equal(match(router, "GET", "/docs/v2").params.version, "v2");
  assert.equal(match(router, "GET", "/old").params.path, "");
});

Deno.test("the router tells a pattern as URLPattern writes it, and the methods only of one written so", () => {
  const router = new Router<string>();
  const spellings = [
    ["/a{/*}?", "/a/*?", "/a"],
    ["/b/*?", "/b/*?", "/b/x/y"],
    ["/c{/:version}?/d", "/c/:version?/d", "/c/d"],
    ["/exact", "/exact", "/exact"],
  ] as const;
  for (const [written, told, path] of spellings) {
    router.add("POST", written, "item");
    assert.equal(match(router, "GET", path).pattern, told);
    assert.deepEqual(router.methodsOf(told), written === told ? ["POST"] : [], told);
  }
});

Deno.test("methodsOf() lists the methods of a pattern in the order they were added", () => {
  const router = new Router<string>();
  router.add("POST", "/a", "post");
  router.add("GET", "/a", "get");
  assert.deepEqual(router.methodsOf("/a"), ["POST", "GET"]);
  assert.deepEqual(router.methodsOf("/b"), []);
});
