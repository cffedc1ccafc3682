import assert from "node:assert/strict";
import {
  childOf,
  encodePath,
  type EntryPath,
  isInside,
  joinPaths,
  nameOf,
  parentOf,
  parsePath,
  parseUrlPath,
  relativePath,
  segmentsOf,
} from "../../../../lib/shared/path.ts";
import { DomainError } from "../../../../lib/shared/errors.ts";
import { character, fc } from "../../../support/run/property.ts";
import { assertDenied, at } from "./visitors.ts";

/** Names as disks hold them, the strange ones included. */
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20, unit: character }),
  fc.constantFrom(
    "%2e%2e",
    "%2f",
    "a b",
    "\\",
    "..\\..",
    "...",
    "日本",
    "#%?日本 `.txt",
    "\n",
    "‮cod.exe",
  ),
).filter((text) => text !== "." && text !== ".." && !/[/\0]/.test(text) && text.isWellFormed());

/** Whatever an attacker may send. */
const anything = fc.oneof(
  fc.string({ unit: character }),
  fc.array(
    fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "%2e",
      "%2f",
      "%5c",
      "%00",
      "\0",
      "%",
      "%c0%af",
      "a",
      "%25",
    ),
  ).map((parts) => parts.join("")),
);

function parses(parse: (text: string) => { path: EntryPath }, text: string): EntryPath | null {
  try {
    return parse(text).path;
  } catch (error) {
    assert(error instanceof DomainError && error.code === "invalid_path", String(error));
    return null;
  }
}

Deno.test("a path survives encoding and parsing, whatever its names", () => {
  fc.assert(fc.property(fc.array(name), (names) => {
    const path = names.reduce<EntryPath>(childOf, at("/"));
    assert.equal(parseUrlPath(encodePath(path)).path, path);
    assert.equal(parsePath(path).path, path);
    assert.deepEqual(segmentsOf(path), names);
    assert.equal(new URL(`http://cubby.test${encodePath(path)}`).pathname, encodePath(path));
  }));
});

Deno.test("no input yields an empty, dotted or NUL segment", () => {
  fc.assert(fc.property(anything, (text) => {
    for (const path of [parses(parseUrlPath, text), parses(parsePath, text)]) {
      if (path === null || path === "/") continue;
      assert.match(path, /^\//);
      for (const segment of path.slice(1).split("/")) {
        assert(segment !== "" && segment !== "." && segment !== "..");
        assert(!segment.includes("\0") && segment.isWellFormed());
      }
    }
  }));
});

Deno.test("what was encoded twice is decoded once", () => {
  fc.assert(fc.property(name, (text) => {
    const twice = encodeURIComponent(encodeURIComponent(text));
    assert.equal(parseUrlPath(`/${twice}`).path, `/${encodeURIComponent(text)}`);
  }));
  assert.equal(parseUrlPath("/%252e%252e/%252e").path, "/%2e%2e/%2e");
});

for (
  const bad of [
    "/..",
    "/a/../b",
    "/%2e%2e/etc/passwd",
    "/a/%2E%2e",
    "/.",
    "/%2e",
    "/a%2fb",
    "/a%2Fb",
    "/a%00",
    "/a%00.jpg",
    "/%",
    "/%zz",
    "/%c0%ae%c0%ae",
    "/%ff",
  ]
) {
  Deno.test(`parseUrlPath() refuses ${bad}`, () => {
    assertDenied(() => parseUrlPath(bad), "invalid_path");
  });
}

Deno.test("parsePath() refuses dots, NUL and lone surrogates, and decodes nothing", () => {
  for (const bad of ["..", "a/../b", "/./a", "/a\0b", "/a\ud800"]) {
    assertDenied(() => parsePath(bad), "invalid_path", bad);
  }
  assert.equal(parsePath("/%2e%2e/a%2fb").path, "/%2e%2e/a%2fb");
});

Deno.test("runs of slashes collapse and a trailing slash means a folder", () => {
  assert.deepEqual(parseUrlPath("//a///b//"), { path: "/a/b", folder: true });
  assert.deepEqual(parseUrlPath("/a/b"), { path: "/a/b", folder: false });
  assert.deepEqual(parseUrlPath(""), { path: "/", folder: true });
  assert.deepEqual(parsePath("a"), { path: "/a", folder: false });
});

Deno.test("a backslash is a character of a name", () => {
  assert.equal(parseUrlPath("/a%5Cb").path, "/a\\b");
  assert.equal(parsePath("..\\x").path, "/..\\x");
});

Deno.test("childOf() refuses what is not one name", () => {
  for (const bad of ["", ".", "..", "a/b", "/", "a\0", "\udc00"]) {
    assertDenied(() => childOf(at("/a"), bad), "invalid_name", bad);
  }
});

Deno.test("isInside() goes by whole segments", () => {
  assert.equal(isInside(at("/ab"), at("/a")), false);
  assert.equal(isInside(at("/a/b"), at("/a")), true);
  assert.equal(isInside(at("/a"), at("/a")), true);
  assert.equal(isInside(at("/a"), at("/")), true);
  assert.equal(isInside(at("/"), at("/a")), false);
});

Deno.test("parents, names and joints fit together", () => {
  fc.assert(fc.property(fc.array(name), name, fc.array(name), (above, last, below) => {
    const folder = above.reduce<EntryPath>(childOf, at("/"));
    const path = childOf(folder, last);
    assert.equal(parentOf(path), folder);
    assert.equal(nameOf(path), last);
    const rest = below.reduce<EntryPath>(childOf, at("/"));
    const joined = joinPaths(path, rest);
    assert.equal(relativePath(joined, path), rest);
    assert(isInside(joined, path));
  }));
  assert.equal(nameOf(at("/")), "");
  assert.equal(parentOf(at("/")), "/");
});

Deno.test("encodePath() ends a folder's path with one slash", () => {
  assert.equal(encodePath(at("/a b/ü"), { folder: true }), "/a%20b/%C3%BC/");
  assert.equal(encodePath(at("/"), { folder: true }), "/");
});

Deno.test("a path deeper than 4,000 folders is refused, and one of that depth is not", () => {
  assert.equal(segmentsOf(parsePath("/a".repeat(4_000)).path).length, 4_000);
  assert.throws(() => parsePath("/a".repeat(4_001)), { code: "invalid_path" });
  assert.throws(() => parseUrlPath("/a".repeat(4_001)), { code: "invalid_path" });
});
