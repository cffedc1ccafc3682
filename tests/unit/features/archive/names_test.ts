import assert from "node:assert/strict";
import { parsePath } from "../../../../lib/shared/path.ts";
import {
  safeName,
  safeNames,
  safePath,
} from "../../../../lib/server/features/archive/entry_names.ts";
import {
  commonFolder,
  readSelection,
  withoutNested,
} from "../../../../lib/server/features/archive/selection.ts";
import { fc } from "../../../support/run/property.ts";
import { assertDenied } from "../../core/access/visitors.ts";

const at = (path: string) => parsePath(path).path;
/** Letters that make trouble, more often than others. */
const name = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."./\\:aC\n\u0000\u007f"),
    fc.string({ minLength: 1, maxLength: 2 }),
  ),
  minLength: 1,
  maxLength: 6,
});

Deno.test("no safe name leads anywhere but into its folder, on any system", () => {
  fc.assert(fc.property(name, (name) => {
    const safe = safeName(name);
    assert.doesNotMatch(safe, /[\\/\p{Cc}]/u);
    assert.doesNotMatch(safe, /^[a-z]:|^\.\.?$|^$/i);
    assert.equal(safeName(safe), safe);
  }));
});

Deno.test("a safe path has as many names as it had", () => {
  fc.assert(
    fc.property(
      fc.array(name.map((name) => name.replaceAll("/", "")), { minLength: 1 }),
      (names) => {
        assert.equal(safePath(names.join("/")).split("/").length, names.length);
      },
    ),
  );
});

Deno.test("safe names are as many as there were, each another, and harmless ones stay", () => {
  fc.assert(fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
    const safe = safeNames(names);
    assert.equal(new Set(safe).size, names.length);
    names.forEach((name, index) => {
      if (safeName(name) === name) assert.equal(safe[index], name);
    });
  }));
});

Deno.test("readSelection() refuses empty names, bad escapes and what climbs", () => {
  for (const list of ["", "a,", ",a", "%", "%zz", "a,%ff"]) {
    assertDenied(() => readSelection(at("/x"), [list]), "invalid_option");
  }
  for (const list of ["..", "a/../b", "%2e%2e", "a%2f..", "%00"]) {
    assertDenied(() => readSelection(at("/x"), [list]), "invalid_path");
  }
});

Deno.test("readSelection() takes lists and repetitions, and decodes each name once more", () => {
  assert.equal(readSelection(at("/x"), []), null);
  const paths = readSelection(at("/x"), ["a,b%2Cc", "a", "%2525", "d/e"]);
  assert.deepEqual(paths, ["/x/a", "/x/b,c", "/x/%25", "/x/d/e"]);
});

Deno.test("a selection is counted from the deepest folder that holds all of it", () => {
  const common = (...paths: string[]) => commonFolder(paths.map(at));
  assert.equal(common("/a/b"), "/a");
  assert.equal(common("/a/b", "/a/c/d"), "/a");
  assert.equal(common("/a/b", "/ab"), "/");
  assert.equal(common("/a/b/c", "/a/b/d", "/a/b/e/f"), "/a/b");
});

Deno.test("what lies below another chosen folder is not named twice", () => {
  const kept = withoutNested(["/a/b", "/a", "/ab", "/c/d/e", "/c/d"].map(at));
  assert.deepEqual(kept, ["/a", "/ab", "/c/d"]);
});
