import assert from "node:assert/strict";
import * as fc from "fast-check";
import { isHost, pathAsSent } from "../../../lib/server/http/middleware/host.ts";

/** A request as Deno makes it: its URL is text put together, which nothing has parsed. */
function asDenoMakesIt(host: string, path: string): Request {
  const headers = { get: (name: string) => name === "host" ? host : null };
  const request: Pick<Request, "url"> & { headers: typeof headers } = {
    url: `http://${host}${path}`,
    headers,
  };
  return request as unknown as Request;
}

Deno.test("pathAsSent() refuses every text in the place of a host that moves the path", () => {
  const piece = fc.constantFrom(
    "a",
    "/",
    "?",
    "#",
    "\\",
    "@",
    ":",
    "[",
    "]",
    " ",
    ".",
    "%",
    "8",
    "\t",
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((some) => some.join("")),
    fc.string(),
  );
  fc.assert(
    fc.property(text, (host) => {
      const path = pathAsSent(asDenoMakesIt(host, "/health?a=b"));
      assert.equal(path !== null, isHost(host));
      if (path === null) return;
      assert.equal(path, "/health");
      const url = new URL(`http://${host}/health?a=b`);
      assert.equal(`${url.pathname} ${url.search} ${url.username}`, "/health ?a=b ");
    }),
    { numRuns: 5000 },
  );
});

Deno.test("pathAsSent() gives the path as it was written, whatever is encoded in it", () => {
  const segment = fc.string({ unit: "grapheme" }).map(encodeURIComponent);
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const path = "/" + segments.join("/");
      assert.equal(pathAsSent(asDenoMakesIt("cubby.test", path)), path);
      assert.equal(pathAsSent(asDenoMakesIt("cubby.test", `${path}?x=/../?`)), path);
    }),
  );
});

Deno.test("isHost() takes names, addresses and ports", () => {
  for (const host of ["a", "a.b.", "my_nas:8080", "10.0.0.1:1", "[::1]", "[fe80::1]:443"]) {
    assert.equal(isHost(host), true, host);
  }
  for (
    const none of ["", "a b", "a:", "a:65536", "[::1", "[::g]", "a/", "a@b", "1.2.3.256", "\n"]
  ) {
    assert.equal(isHost(none), false, none);
  }
});
