import assert from "node:assert/strict";
import { parsePath, parseUrlPath } from "../../../../../lib/shared/path.ts";
import { path } from "../../../../../lib/client/base/api/api_path.ts";
import { character, fc } from "../../../../support/run/property.ts";

Deno.test("path`` refuses a segment that the browser would resolve", () => {
  for (const segment of ["", ".", ".."]) {
    assert.throws(() => path`/api/sessions/${segment}`, /it is no segment/);
  }
});

Deno.test("path`` refuses a path that climbs", () => {
  assert.throws(() => path`/api/resources${"/a/../../users"}`, { code: "invalid_path" });
});

Deno.test("path`` keeps an id in its segment, whatever it holds", () => {
  assert.equal(path`/api/sessions/${"../users?a#b"}`, "/api/sessions/..%2Fusers%3Fa%23b");
});

Deno.test("path`` encodes a path segment by segment and keeps a trailing slash", () => {
  assert.equal(path`/api/resources${"/50%/a?b#c.jpg"}`, "/api/resources/50%25/a%3Fb%23c.jpg");
  assert.equal(path`/api/resources${"/photos"}/`, "/api/resources/photos/");
  assert.equal(path`/api/resources${"/"}/`, "/api/resources/");
});

Deno.test("path`` survives the way through a URL to the server for every path", () => {
  const name = fc.string({ unit: character, minLength: 1, maxLength: 12 })
    .filter((text) => !/[/\0]/.test(text) && text !== "." && text !== ".." && text.isWellFormed());
  fc.assert(fc.property(fc.array(name, { maxLength: 5 }), (names) => {
    const at = parsePath(`/${names.join("/")}`).path;
    const { pathname } = new URL(path`/api/raw${at}`, "http://localhost");
    assert.equal(parseUrlPath(pathname.slice("/api/raw".length)).path, at);
  }));
});
