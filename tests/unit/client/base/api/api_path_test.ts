import assert from "node:assert/strict";
import { parsePath, parseUrlPath } from "../../../../../lib/shared/path.ts";
import { pathWith } from "../../../../../lib/client/base/api/api_path.ts";
import { character, fc } from "../../../../support/run/property.ts";

Deno.test("pathWith() refuses a segment that the browser would resolve", () => {
  for (const segment of ["", ".", ".."]) {
    assert.throws(() => pathWith("/api/sessions/{sid}", { sid: segment }), /it is no segment/);
  }
});

Deno.test("pathWith() refuses a path that climbs", () => {
  assert.throws(() => pathWith("/api/resources/{path}", { path: "/a/../../users" }), {
    code: "invalid_path",
  });
});

Deno.test("pathWith() keeps an id in its segment, whatever it holds", () => {
  assert.equal(
    pathWith("/api/sessions/{sid}", { sid: "../users?a#b" }),
    "/api/sessions/..%2Fusers%3Fa%23b",
  );
});

Deno.test("pathWith() encodes a path segment by segment and keeps a trailing slash", () => {
  assert.equal(
    pathWith("/api/resources/{path}", { path: "/50%/a?b#c.jpg" }),
    "/api/resources/50%25/a%3Fb%23c.jpg",
  );
  assert.equal(pathWith("/api/resources/{path}", { path: "/photos/" }), "/api/resources/photos/");
  assert.equal(pathWith("/api/resources/{path}", { path: "/" }), "/api/resources/");
});

Deno.test("pathWith() survives the way through a URL to the server for every path", () => {
  const name = fc.string({ unit: character, minLength: 1, maxLength: 12 })
    .filter((text) => !/[/\0]/.test(text) && text !== "." && text !== ".." && text.isWellFormed());
  fc.assert(fc.property(fc.array(name, { maxLength: 5 }), (names) => {
    const at = parsePath(`/${names.join("/")}`).path;
    const { pathname } = new URL(pathWith("GET /api/raw/{path}", { path: at }), "http://localhost");
    assert.equal(parseUrlPath(pathname.slice("/api/raw".length)).path, at);
  }));
});
