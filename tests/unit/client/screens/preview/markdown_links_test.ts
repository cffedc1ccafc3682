import assert from "node:assert/strict";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { slugOf, targetOf } from "../../../../../lib/client/screens/preview/markdown_links.ts";

const { path: document } = parsePath("/my docs/50%/read me.md");
const meaningOf = (href: string) => {
  const target = targetOf(href, document);
  return target.is === "entry"
    ? `${target.at}${target.folder ? "/" : ""}${target.hash}`
    : target.is;
};

Deno.test("a link of a document that would run or load something leads nowhere", () => {
  const evil = ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "blob:x"];
  for (const href of [...evil, "vbscript:x", "file:///etc/passwd", "//evil.example/x", "a%00b"]) {
    assert.equal(meaningOf(href), "nothing", href);
  }
  assert.equal(meaningOf("\\\\evil.example/x"), "nothing");
  assert.equal(meaningOf("a%2fb"), "nothing");
});

Deno.test("a relative link of a document counts from its folder, and can't leave the top", () => {
  assert.equal(meaningOf("sea.jpg"), "/my docs/50%/sea.jpg");
  assert.equal(meaningOf("./a%20b.md#top"), "/my docs/50%/a b.md#top");
  assert.equal(meaningOf("../more/"), "/my docs/more/");
  assert.equal(meaningOf("/from the top.md"), "/from the top.md");
  assert.equal(meaningOf("../../../../etc"), "/etc");
  assert.equal(meaningOf("?x"), "/my docs/50%/");
});

Deno.test("a link of a document to another site, or within it, is one", () => {
  assert.equal(meaningOf("https://example.org/a"), "elsewhere");
  assert.equal(meaningOf("mailto:ada@example.org"), "elsewhere");
  assert.deepEqual(targetOf("#a-b", document), { is: "place", name: "a-b" });
});

Deno.test("a heading is linked by its words", () => {
  assert.equal(slugOf(" What it *does*, and why? "), "what-it-does-and-why");
  assert.equal(slugOf("Über Größe"), "über-größe");
});
