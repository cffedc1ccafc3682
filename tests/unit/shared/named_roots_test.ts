import assert from "node:assert/strict";
import * as v from "valibot";
import { RootAccess } from "../../../lib/client/base/core/root_access.ts";
import { rootsOfMember } from "../../../lib/server/features/accounts/users/groups/group_roots.ts";
import { readOnlyPathsOf } from "../../../lib/shared/named_roots.ts";
import { type EntryPath, parsePath } from "../../../lib/shared/path.ts";
import { type NamedRoot, namedRoots, rootFaults } from "../../../lib/shared/schemas/named_root.ts";

const root = (name: string, path: string, readOnly = false): NamedRoot => ({
  name,
  path,
  readOnly,
});
const at = (path: string): EntryPath => parsePath(path).path;

Deno.test("rootFaults() marks the fields for which the server refuses a list", () => {
  const faulty: [NamedRoot[], ReturnType<typeof rootFaults>][] = [
    [[root("", "/a")], [{ name: "blank" }]],
    [[root("..", "/a")], [{ name: "invalid" }]],
    [[root(".hidden", "/a")], [{ name: "invalid" }]],
    [[root("a/b", "/a")], [{ name: "invalid" }]],
    [[root("x".repeat(101), "/a")], [{ name: "invalid" }]],
    [[root("A", "/../etc")], [{ path: "invalid" }]],
    [[root("Photos", "/a"), root(" photos ", "/b")], [{}, { name: "taken" }]],
    [[root("A", "/Media"), root("B", "media/")], [{}, { path: "taken" }]],
  ];
  for (const [list, faults] of faulty) {
    assert.deepEqual(rootFaults(list), faults, JSON.stringify(list));
    assert.ok(!isTaken(list), JSON.stringify(list));
  }
  const fine = [root("Photos", "media/pics"), root("Team", "/", true), root(" Own ", "./own")];
  assert.deepEqual(rootFaults(fine), [{}, {}, {}]);
  assert.ok(isTaken(fine));
  assert.deepEqual(rootFaults([root("All", " ")]), [{ path: "blank" }], "never the whole root");
});

function isTaken(list: NamedRoot[]): boolean {
  try {
    return v.safeParse(namedRoots, list).success;
  } catch {
    return false;
  }
}

Deno.test("own roots win over those of groups, by name and by folder", () => {
  const own = [root("Team", "/own"), root("Pics", "/media", true)];
  const given = [root("team", "/other"), root("Media", "/Media"), root("More", "/more")];
  assert.deepEqual(rootsOfMember(own, given), [...own, root("More", "/more")]);
});

Deno.test("of groups the older one's name wins, and a folder is read-only if it is in each", () => {
  const given = [
    root("A", "/a", true),
    root("B", "/b", true),
    root("A", "/c"),
    root("Other", "/a"),
    root("B", "/b", true),
  ];
  assert.deepEqual(rootsOfMember([], given), [root("A", "/a"), root("B", "/b", true)]);
});

Deno.test("read-only paths are told by every way that leads to them", () => {
  const roots = [root("Team", "/team"), root("Old", "/team/archive", true), root("Sub", "/x/y")];
  assert.deepEqual(readOnlyPathsOf({ scope: "/", roots }), ["/Old", "/Team/archive"]);
  assert.equal(readOnlyPathsOf({ scope: "/", roots: [] }), undefined);
});

Deno.test("nothing is made at the virtual top or in a read-only root, and no root is changed", () => {
  const readOnly = (...paths: string[]) => ({ names: [], readOnlyPaths: paths.map(at) });
  const rootAccess = new RootAccess(readOnly("/Old", "/Team/archive"));
  for (const folder of ["/", "/Old", "/Old/sub", "/Team/archive", "/Team/archive/sub"]) {
    assert.ok(!rootAccess.canAddTo(at(folder)), folder);
  }
  for (const folder of ["/Team", "/Team/sub", "/Older"]) {
    assert.ok(rootAccess.canAddTo(at(folder)), folder);
  }
  for (const path of ["/Team", "/Old", "/Old/a", "/Team/archive", "/Team/archive/a"]) {
    assert.ok(!rootAccess.canChange(at(path)), path);
  }
  assert.ok(rootAccess.canChange(at("/Team/a")));
  assert.ok(
    rootAccess.isReadOnlyTop(at("/Old")) && !rootAccess.isReadOnlyTop(at("/Old/a")) &&
      !rootAccess.isReadOnlyTop(at("/Team")),
  );
  const outer = new RootAccess(readOnly("/Team/a/b"));
  assert.ok(!outer.canChange(at("/Team/a")), "what holds a read-only root stays as well");
  assert.ok(outer.canAddTo(at("/Team/a")));
  const scoped = new RootAccess();
  assert.ok(scoped.canAddTo(at("/")) && scoped.canChange(at("/a")));
});
