import assert from "node:assert/strict";
import { parsePath } from "../../../../../lib/shared/path.ts";
import { dropDoes, opens } from "../../../../../lib/client/files_page/drag/drag_target.ts";

const at = (text: string) => parsePath(text).path;
const dragged = { paths: [at("/docs"), at("/a.txt")], mayMove: true, mayCopy: true };

Deno.test("nothing is dropped onto what is dragged, or into it", () => {
  for (const folder of ["/docs", "/docs/deep", "/a.txt"]) {
    assert.equal(dropDoes(dragged, at(folder), false), null);
    assert.equal(dropDoes(dragged, at(folder), true), null);
  }
  assert.equal(dropDoes(dragged, at("/docs 2"), false), "move");
});

Deno.test("where it lies already it can only be copied", () => {
  assert.equal(dropDoes(dragged, at("/"), false), null);
  assert.equal(dropDoes(dragged, at("/"), true), "copy");
});

Deno.test("a drop does what the user may do", () => {
  assert.equal(dropDoes({ ...dragged, mayMove: false }, at("/x"), false), null);
  assert.equal(dropDoes({ ...dragged, mayMove: false }, at("/x"), true), "copy");
  assert.equal(dropDoes({ ...dragged, mayCopy: false }, at("/x"), true), null);
  assert.equal(dropDoes({ ...dragged, paths: [] }, at("/x"), false), null);
});

Deno.test("what is dragged rests on a folder to open it, but not on itself, nor where it is", () => {
  assert.ok(opens(dragged, at("/trips"), at("/")));
  assert.ok(opens(dragged, at("/"), at("/trips")), "the way back opens, too");
  assert.ok(!opens(dragged, at("/trips"), at("/trips")));
  assert.ok(!opens(dragged, at("/docs"), at("/")));
  assert.ok(!opens(dragged, at("/docs/deep"), at("/")));
});
