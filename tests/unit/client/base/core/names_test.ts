import assert from "node:assert/strict";
import { childOf, ROOT } from "../../../../../lib/shared/path.ts";
import { cleanName, MAX_NAME_BYTES, nameFault } from "../../../../../lib/client/base/core/names.ts";
import { encodeName } from "../../../../../lib/shared/entry_names.ts";
import { numberedName, stemLength } from "../../../../../lib/shared/numbered_name.ts";
import { character, fc } from "../../../../support/run/property.ts";

Deno.test("nameFault() says what is wrong with a name", () => {
  assert.equal(nameFault(""), "empty");
  assert.equal(nameFault("."), "dots");
  assert.equal(nameFault(".."), "dots");
  assert.equal(nameFault("a/b"), "slash");
  assert.equal(nameFault("a\0b"), "control");
  assert.equal(nameFault("\ud800"), "control");
  assert.equal(nameFault("é".repeat(128)), "long");
});

Deno.test("nameFault() counts bytes, not characters", () => {
  assert.equal(nameFault("a".repeat(MAX_NAME_BYTES)), null);
  assert.equal(nameFault("a".repeat(MAX_NAME_BYTES + 1)), "long");
  assert.equal(nameFault("é".repeat(127)), null);
});

Deno.test("cleanName() drops the blanks around a name and keeps those in it", () => {
  assert.equal(cleanName("  my notes\t"), "my notes");
});

Deno.test("nameFault() passes only names that make a path", () => {
  fc.assert(fc.property(fc.string({ unit: character }), (name) => {
    if (nameFault(name) === null) childOf(ROOT, name);
    else if (nameFault(name) !== "long") assert.throws(() => childOf(ROOT, name));
  }));
});

Deno.test("stemLength() leaves the extension out, and takes all of what has none", () => {
  const stems: [string, boolean, string][] = [
    ["a.txt", false, "a"],
    ["a.b.txt", false, "a.b"],
    ["a.tar.gz", false, "a"],
    [".bashrc", false, ".bashrc"],
    ["README", false, "README"],
    ["folder.d", true, "folder.d"],
  ];
  for (const [name, isFolder, stem] of stems) {
    assert.equal(name.slice(0, stemLength(name, isFolder)), stem);
  }
});

Deno.test("numberedName() shortens what would be longer than a disk takes, and no character", () => {
  const bytesOf = (name: string) => encodeName(name).length;
  assert.equal(numberedName(`${"n".repeat(251)}.txt`, 1, false), `${"n".repeat(248)}(1).txt`);
  assert.equal(numberedName("n".repeat(255), 12, true), `${"n".repeat(251)}(12)`);
  assert.equal(
    numberedName(`${"\u65e5".repeat(83)}.txt`, 1, false),
    `${"\u65e5".repeat(82)}(1).txt`,
  );
  assert.equal(numberedName(`a.${"x".repeat(253)}`, 1, false), `a.${"x".repeat(250)}(1)`);
  const name = fc.tuple(
    fc.string({ unit: character, minLength: 1, maxLength: 300 }),
    fc.constantFrom("", ".txt", ".tar.gz", `.${"x".repeat(240)}`),
  ).map(([stem, extension]) => stem + extension);
  fc.assert(fc.property(name, fc.integer({ min: 1, max: 100_000 }), fc.boolean(), (name, n, is) => {
    const numbered = numberedName(name, n, is);
    assert.ok(bytesOf(numbered) <= Math.max(255, bytesOf(name)));
    assert.ok(numbered.isWellFormed() && numbered.includes(`(${n})`));
    assert.notEqual(numbered, numberedName(name, n + 1, is));
  }));
});

Deno.test("numberedName() puts the number before the extension", () => {
  assert.equal(numberedName("a.tar.gz", 1, false), "a(1).tar.gz");
  assert.equal(numberedName(".bashrc", 2, false), ".bashrc(2)");
  assert.equal(numberedName("folder.d", 3, true), "folder.d(3)");
});
